import FoundationEssentials

/// Where a broker listens: `mqtt://host[:port]` (1883) or `mqtts://host[:port]` (TLS, 8883).
public struct BrokerAddress: Hashable, Sendable {
    /// What is wrong with a URL, in words that follow "mqtt.url".
    public struct Invalid: Error, Hashable, Sendable, CustomStringConvertible {
        public let description: String
    }

    /// Name or address.
    public let host: String
    /// TCP port, 1...65535.
    public let port: Int
    /// Whether TLS is spoken.
    public let isSecure: Bool

    /// Reads `url`. A URL that holds a user name or password is refused and not repeated.
    public init(url: String) throws(Invalid) {
        isSecure = url.hasPrefix("mqtts://")
        guard !url.contains("@") else {
            throw Invalid(description: "holds a user name or password; put them into username and passwordFile")
        }
        guard isSecure || url.hasPrefix("mqtt://"), let parsed = URL(string: url), let host = parsed.host(), !host.isEmpty,
            ["", "/"].contains(parsed.path()), parsed.query() == nil, parsed.fragment() == nil
        else { throw Invalid(description: "is \"\(url)\"; must be mqtt://HOST[:PORT] or mqtts://HOST[:PORT]") }
        port = parsed.port ?? (isSecure ? 8883 : 1883)
        guard (1...65_535).contains(port) else { throw Invalid(description: "is \"\(url)\"; the port must be 1 to 65535") }
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    }
}
