import CZlib
import FleetRuntime
import FoundationEssentials

/// What an answer's body needs before it goes out: a mark by which the client knows it again, and a shorter form.
enum ContentCoding {
    /// Bodies shorter than this are not compressed: a packet holds them anyway.
    private static let minimumBytes = 1024
    /// A third of the time of zlib's default for a tenth more bytes (JSON of 100 alerts).
    private static let level: Int32 = 2

    /// `response` with an `ETag` of its content, as 304 when the client has it already, and compressed when the client takes gzip.
    ///
    /// The mark is a weak one (RFC 9110, section 8.8.1): the compressed and the plain body have the same.
    static func apply(_ response: HTTPResponse, to request: HTTPRequest) -> HTTPResponse {
        guard response.status == 200, request.method == "GET" || request.method == "HEAD", case .data(let body) = response.body
        else { return response }
        var response = response
        if response.isMarked {
            let known = response.headers.first { $0.name == "ETag" }?.value
            let mark = known ?? "W/\"\(SHA256.hexadecimal(SHA256.digest(of: body).prefix(12)))\""
            if known == nil { response.headers.append(("ETag", mark)) }
            if matches(request.headers["if-none-match"], mark) {
                response.headers.removeAll { $0.name == "Content-Type" || $0.name == "Content-Disposition" }
                return HTTPResponse(status: 304, headers: response.headers)
            }
        }
        guard body.count >= minimumBytes, response.isText else { return response }
        response.headers.append(("Vary", "Accept-Encoding"))
        guard acceptsGzip(request.headers["accept-encoding"]), let short = gzip(body), short.count < body.count else {
            return response
        }
        response.headers.append(("Content-Encoding", "gzip"))
        response.body = .data(short)
        return response
    }

    /// Whether one of the marks in `header` is `mark`, compared weakly (RFC 9110, section 13.1.2).
    static func matches(_ header: String?, _ mark: String) -> Bool {
        guard let header else { return false }
        func core(_ text: some StringProtocol) -> String {
            let text = text.drop { $0 == " " }.prefix { $0 != " " }
            return String(text.hasPrefix("W/") ? text.dropFirst(2) : text[...])
        }
        return header.split(separator: ",").contains { core($0) == core(mark) || core($0) == "*" }
    }

    /// Whether the client takes gzip: named, or by `*`, and not with a weight of 0 (RFC 9110, section 12.5.3).
    static func acceptsGzip(_ header: String?) -> Bool {
        var isTaken: [String: Bool] = [:]
        for item in (header ?? "").lowercased().split(separator: ",") {
            let parts = item.split(separator: ";").map { $0.filter { $0 != " " } }
            guard let name = parts.first else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            isTaken[name] = weight > 0
        }
        return isTaken["gzip"] ?? isTaken["x-gzip"] ?? isTaken["*"] ?? false
    }

    /// `body` in the gzip format (RFC 1952); nil when the library fails.
    static func gzip(_ body: Data) -> Data? {
        var stream = z_stream()
        guard fleet_gzip_init(&stream, level) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(body.count))))
        let code = body.withUnsafeBytes { input in
            output.withUnsafeMutableBytes { output in
                // The library reads only; the pointer is not const for the sake of old compilers.
                stream.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.bindMemory(to: UInt8.self).baseAddress
                stream.avail_out = UInt32(output.count)
                return deflate(&stream, Z_FINISH)
            }
        }
        return code == Z_STREAM_END ? Data(output.prefix(Int(stream.total_out))) : nil
    }
}

extension HTTPResponse {
    private var type: String { headers.first { $0.name == "Content-Type" }?.value ?? "" }

    /// Whether the client may keep it and ask whether it is still right.
    fileprivate var isMarked: Bool { headers.first { $0.name == "Cache-Control" }?.value.contains("no-store") != true }

    /// Whether it gets shorter: pictures are compressed already.
    fileprivate var isText: Bool {
        type.hasPrefix("text/") || type.hasPrefix("application/json") || type.hasPrefix("image/svg") || type.contains("+json")
    }
}
