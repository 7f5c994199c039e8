import FleetRuntime
import FoundationEssentials

/// Where a broker is: `mqtt://host[:port]` (1883) or `mqtts://host[:port]` (TLS, 8883).
public struct BrokerAddress: Hashable, Sendable, CustomStringConvertible {
    /// Name or IP address, an IPv6 address without its brackets.
    public let host: String
    /// TCP port.
    public let port: Int
    /// Whether the connection is encrypted.
    public let usesTLS: Bool

    /// Reads a URL. Throws `UserError` (configuration) that says what is allowed; a password in it is refused and not repeated.
    public init(url text: String) throws(UserError) {
        func wrong(_ what: String) -> UserError { UserError(.configuration, "broker URL: \(what)") }
        guard !text.contains("@") else { throw wrong("holds a user name or password; those come from username and passwordFile") }
        guard let url = URL(string: text), let host = url.host(percentEncoded: false), !host.isEmpty else {
            throw wrong("\"\(text)\" is not mqtt://HOST:PORT or mqtts://HOST:PORT")
        }
        switch url.scheme?.lowercased() {
        case "mqtt": usesTLS = false
        case "mqtts": usesTLS = true
        default: throw wrong("\"\(text)\" does not begin with mqtt:// or mqtts://")
        }
        guard url.path.isEmpty || url.path == "/", url.query == nil, url.fragment == nil else {
            throw wrong("\"\(text)\" has something behind host and port")
        }
        let port = url.port ?? (usesTLS ? 8883 : 1883)
        guard (1...65_535).contains(port) else { throw wrong("port \(port) is not 1 to 65535") }
        self.port = port
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }

    /// The URL.
    public var description: String {
        (usesTLS ? "mqtts://" : "mqtt://") + (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
    }
}
