import CCurl
import FoundationEssentials

/// One libcurl handle: runs requests one after the other on the thread that calls it, and keeps the connection between them.
///
/// `@unchecked Sendable` because a handle may move between threads as long as only one uses it at a time (libcurl-thread(3)); its owner,
/// an actor or the queue of one stream, sees to that.
final class Transfer: @unchecked Sendable {
    /// What is asked.
    struct Request: Sendable {
        let url: String
        let headers: [String]
        /// A stream has no time limit, only one for silence.
        let isStream: Bool
        let limit: Int
        let settings: HTTPClient.Settings
        let isLoopback: Bool
        /// The body of a POST; nil for a GET.
        var body: Data?

        /// Statuses that are an answer, not a refusal.
        fileprivate var accepted: ClosedRange<Int> { body == nil ? 200...200 : 200...299 }
    }

    /// Longest body of a refusal that is read for its reason.
    private static let refusalLimit = 64 * 1024
    private static let isInitialised = fleet_curl_global_init() == CURLE_OK

    private let handle: UnsafeMutableRawPointer
    /// Where libcurl writes what its codes do not say.
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init() throws(HTTPClientError) {
        guard Self.isInitialised, let handle = curl_easy_init() else { throw .broken("libcurl does not start") }
        self.handle = handle
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        curl_easy_cleanup(handle)
        errorText.deallocate()
    }

    /// Sends `request` and hands the body of an answer to `receive` in pieces; blocks until all is there. Returns the status.
    @discardableResult
    func run(_ request: Request, isCancelled: @escaping () -> Bool, receive: @escaping (UnsafeRawBufferPointer) -> Void)
        throws(HTTPClientError) -> Int
    {
        curl_easy_reset(handle)
        errorText[0] = 0
        var list: UnsafeMutablePointer<curl_slist>?
        for header in request.headers where !header.utf8.contains(where: { $0 < 0x20 }) {
            list = curl_slist_append(list, header) ?? list
        }
        defer { curl_slist_free_all(list) }
        let sink = Sink(handle: handle, request: request, isCancelled: isCancelled, receive: receive)
        try configure(request, list, sink)
        let code = withExtendedLifetime(sink) { curl_easy_perform(handle) }
        return try check(code, request, sink)
    }

    private func configure(_ request: Request, _ headers: UnsafeMutablePointer<curl_slist>?, _ sink: Sink) throws(HTTPClientError) {
        let context = Unmanaged.passUnretained(sink).toOpaque()
        let settings = request.settings
        let timing: [(CURLoption, Int)] =
            request.isStream
            ? [(CURLOPT_LOW_SPEED_LIMIT, 1), (CURLOPT_LOW_SPEED_TIME, Int(settings.silenceS))]
            : [(CURLOPT_TIMEOUT_MS, Int(settings.timeoutS * 1000))]
        var codes = timing.map { fleet_curl_set_long(handle, $0.0, $0.1) }
        codes += [
            fleet_curl_set_text(handle, CURLOPT_URL, request.url), fleet_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https"),
            fleet_curl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0), fleet_curl_set_long(handle, CURLOPT_NOSIGNAL, 1),
            fleet_curl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, Int(settings.connectTimeoutS * 1000)),
            fleet_curl_set_long(handle, CURLOPT_SSL_VERIFYPEER, 1), fleet_curl_set_long(handle, CURLOPT_SSL_VERIFYHOST, 2),
            fleet_curl_set_text(handle, CURLOPT_ERRORBUFFER, errorText),
            fleet_curl_set_text(handle, CURLOPT_USERAGENT, settings.userAgent), fleet_curl_set_headers(handle, headers),
            fleet_curl_set_write(handle, Sink.write, context), fleet_curl_set_progress(handle, Sink.progress, context),
        ]
        if let body = request.body {
            codes.append(body.withUnsafeBytes { fleet_curl_set_body(handle, $0.baseAddress, $0.count) })
        } else {
            // What is compressed is unpacked by the library; the limit counts what comes out.
            codes.append(fleet_curl_set_text(handle, CURLOPT_ACCEPT_ENCODING, request.isStream ? nil : "gzip"))
        }
        if let file = settings.caFile { codes.append(fleet_curl_set_text(handle, CURLOPT_CAINFO, file)) }
        // A proxy from the environment is for the world outside, not for this computer.
        if request.isLoopback { codes.append(fleet_curl_set_text(handle, CURLOPT_PROXY, "")) }
        guard codes.allSatisfy({ $0 == CURLE_OK }) else { throw .broken("libcurl lacks a needed option") }
    }

    private func check(_ code: CURLcode, _ request: Request, _ sink: Sink) throws(HTTPClientError) -> Int {
        let status = Int(fleet_curl_status(handle))
        let reason = String(cString: curl_easy_strerror(code))
        switch code {
        case CURLE_OK: break
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT: throw .unreachable(reason)
        case CURLE_URL_MALFORMAT: throw .badAddress(reason)
        case CURLE_OPERATION_TIMEDOUT: throw .timedOut
        // OpenSSL's words for a first byte that begins no TLS record; libcurl has no code of its own for it.
        case CURLE_SSL_CONNECT_ERROR where String(cString: errorText).contains("wrong version number"): throw .notEncrypted
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
            throw .untrusted(reason)
        case CURLE_ABORTED_BY_CALLBACK: throw .cancelled
        case CURLE_WRITE_ERROR where sink.isOverLimit: throw .tooLarge(bytes: request.limit)
        default: throw .broken(reason)
        }
        if (300..<400).contains(status) {
            throw .redirected(to: fleet_curl_text(handle, CURLINFO_REDIRECT_URL).map { String(cString: $0) } ?? "")
        }
        guard request.accepted.contains(status) else {
            throw .refused(status: status, detail: ProblemDocument.detail(in: sink.refusal))
        }
        return status
    }

    /// Where libcurl puts what arrives: the body of a 200 goes on, that of a refusal is kept for its reason.
    private final class Sink {
        private let handle: UnsafeMutableRawPointer
        private let request: Request
        private let isCancelled: () -> Bool
        private let receive: (UnsafeRawBufferPointer) -> Void
        private var received = 0
        private(set) var isOverLimit = false
        private(set) var refusal = Data()

        init(
            handle: UnsafeMutableRawPointer, request: Request, isCancelled: @escaping () -> Bool,
            receive: @escaping (UnsafeRawBufferPointer) -> Void
        ) {
            self.handle = handle
            self.request = request
            self.isCancelled = isCancelled
            self.receive = receive
        }

        private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
            guard request.accepted.contains(fleet_curl_status(handle)) else {
                refusal.append(contentsOf: bytes.prefix(max(0, Transfer.refusalLimit - refusal.count)))
                return true
            }
            received += bytes.count
            isOverLimit = received > request.limit
            if !isOverLimit { receive(bytes) }
            return !isOverLimit
        }

        static let write: fleet_curl_write = { bytes, size, count, context in
            guard let context else { return 0 }
            let sink = Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue()
            let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return sink.take(piece) ? piece.count : 0
        }

        static let progress: fleet_curl_progress = { context, _, _, _, _ in
            guard let context else { return 1 }
            return Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue().isCancelled() ? 1 : 0
        }
    }
}

/// What a server says of its refusal (RFC 9457).
private struct ProblemDocument: Decodable {
    let title: String?
    let detail: String?

    static func detail(in body: Data) -> String? {
        guard let document = try? JSONDecoder().decode(ProblemDocument.self, from: body) else { return nil }
        return document.detail ?? document.title
    }
}
