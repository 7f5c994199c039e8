import FleetModel
import HTTPServer

/// What `/metrics` says of the door: who was turned away, and how long the certificate lasts.
struct AccessMetrics: Sendable {
    /// Wrong tokens and what followed from them.
    var counts = AccessPolicy.Counts()
    /// Connections that were cut off because they took too long.
    var cutConnections = 0
    /// End of the server's certificate; nil for plain HTTP.
    var certificateEnd: Timestamp?

    /// In Prometheus' text format (version 0.0.4).
    var text: String {
        var page = ""
        func add(_ name: String, _ type: String, _ help: String, _ value: Int64) {
            page += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n\(name) \(value)\n"
        }
        add("fleet_http_wrong_tokens_total", "counter", "Wrong access tokens since start.", Int64(counts.failures))
        add(
            "fleet_http_limited_total", "counter", "Requests not looked at after too many wrong tokens from an address.",
            Int64(counts.limited))
        add(
            "fleet_http_cut_connections_total", "counter", "Connections cut off for taking too long to ask or to take the answer.",
            Int64(cutConnections))
        if let certificateEnd {
            add(
                "fleet_http_certificate_end_seconds", "gauge", "End of the server's certificate, seconds since 1970.",
                Int64(certificateEnd.secondsSinceEpoch))
        }
        return page
    }
}
