import CMicroHTTPD
import FoundationEssentials

/// Reads what the daemon knows of a request.
enum RequestReader {
    /// A request, or why there is none.
    enum Result {
        case request(HTTPRequest)
        case refused(HTTPResponse)
    }

    /// Headers, and query parameters, that a request may have.
    private static let limit = 100
    /// Headers of which a second one would let two readers of a request understand two things.
    private static let single: Set<String> = ["host", "authorization", "content-length"]

    /// The request; `body` is nil when it was larger than `bodyLimit` bytes.
    static func read(
        _ connection: OpaquePointer, _ url: UnsafePointer<CChar>, _ method: UnsafePointer<CChar>, body: Data?, bodyLimit: Int,
        isSecure: Bool
    ) -> Result {
        guard let body else { return .refused(.problem(413, "the body is larger than \(bodyLimit) bytes")) }
        let query = values(connection, fleet_mhd_arguments)
        guard query.count <= limit else { return .refused(.problem(400, "more than \(limit) query parameters")) }
        let headers = values(connection, fleet_mhd_headers).map { (name: $0.name.lowercased(), value: $0.value) }
        guard headers.count <= limit else { return .refused(.problem(431, "more than \(limit) headers")) }
        let names = headers.map(\.name)
        for name in single where names.count(where: { $0 == name }) > 1 {
            return .refused(.ambiguous("the header \(name) stands twice"))
        }
        guard !(names.contains("content-length") && names.contains("transfer-encoding")) else {
            return .refused(.ambiguous("content-length and transfer-encoding exclude each other"))
        }
        var address = [CChar](repeating: 0, count: 64)
        fleet_mhd_client_address(connection, &address, address.count)
        return .request(
            HTTPRequest(
                method: String(cString: method), path: String(cString: url), query: query,
                // One that stands more than once is a list (RFC 9110, section 5.3): who adds a second name is not taken for the first.
                headers: Dictionary(headers.map { ($0.name, $0.value) }) { $0 + ", " + $1 }, body: body,
                remoteAddress: String(decoding: address.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self),
                isSecure: isSecure))
    }

    private final class Collector { var pairs: [(name: String, value: String)] = [] }

    /// At most one more than the limit.
    private static func values(_ connection: OpaquePointer, _ kind: MHD_ValueKind) -> [(name: String, value: String)] {
        let collector = Collector()
        MHD_get_connection_values(
            connection, kind,
            { context, _, key, value in
                guard let context, let key else { return fleet_mhd_yes }
                let collector = Unmanaged<Collector>.fromOpaque(context).takeUnretainedValue()
                collector.pairs.append((String(cString: key), value.map { String(cString: $0) } ?? ""))
                return collector.pairs.count <= RequestReader.limit ? fleet_mhd_yes : fleet_mhd_no
            }, Unmanaged.passUnretained(collector).toOpaque())
        return collector.pairs
    }
}

extension HTTPResponse {
    /// The refusal of a request that can be understood in two ways; the connection ends with it.
    fileprivate static func ambiguous(_ detail: String) -> HTTPResponse {
        var response = HTTPResponse.problem(400, detail)
        response.headers.append(("Connection", "close"))
        return response
    }
}
