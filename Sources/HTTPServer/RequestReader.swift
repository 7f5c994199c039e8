import CMicroHTTPD
import FoundationEssentials

/// Reads what the daemon knows of a request.
enum RequestReader {
    /// The request; nil when its body was too large.
    static func read(
        _ connection: OpaquePointer, _ url: UnsafePointer<CChar>, _ method: UnsafePointer<CChar>, body: Data?, isSecure: Bool
    ) -> HTTPRequest? {
        guard let body else { return nil }
        var address = [CChar](repeating: 0, count: 64)
        fleet_mhd_client_address(connection, &address, address.count)
        return HTTPRequest(
            method: String(cString: method), path: String(cString: url), query: values(connection, fleet_mhd_arguments),
            headers: Dictionary(values(connection, fleet_mhd_headers).map { ($0.name.lowercased(), $0.value) }) { $1 }, body: body,
            remoteAddress: String(decoding: address.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self),
            isSecure: isSecure)
    }

    private final class Collector { var pairs: [(name: String, value: String)] = [] }

    private static func values(_ connection: OpaquePointer, _ kind: MHD_ValueKind) -> [(name: String, value: String)] {
        let collector = Collector()
        MHD_get_connection_values(
            connection, kind,
            { context, _, key, value in
                guard let context, let key else { return fleet_mhd_yes }
                let collector = Unmanaged<Collector>.fromOpaque(context).takeUnretainedValue()
                collector.pairs.append((String(cString: key), value.map { String(cString: $0) } ?? ""))
                return collector.pairs.count < 100 ? fleet_mhd_yes : fleet_mhd_no
            }, Unmanaged.passUnretained(collector).toOpaque())
        return collector.pairs
    }
}
