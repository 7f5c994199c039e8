import FoundationEssentials

/// One request, read completely. Everything in it comes from the network.
public struct HTTPRequest: Sendable {
    /// `GET`, `HEAD`, `POST`, ...
    public let method: String
    /// Path without the query, percent-decoded.
    public let path: String
    /// Query parameters in their order, percent-decoded.
    public let query: [(name: String, value: String)]
    /// Headers by lower-case name; of repeated ones the last.
    public let headers: [String: String]
    /// The body; at most the server's limit.
    public let body: Data
    /// Address of the other end of the connection, as text.
    public let remoteAddress: String
    /// Whether the connection is TLS.
    public let isSecure: Bool
    /// Who asks, once that is known.
    public var principal: Principal?

    /// A request from its parts.
    public init(
        method: String, path: String, query: [(name: String, value: String)] = [], headers: [String: String] = [:],
        body: Data = Data(),
        remoteAddress: String = "127.0.0.1", isSecure: Bool = false
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.remoteAddress = remoteAddress
        self.isSecure = isSecure
    }

    /// The last value of the query parameter `name`; nil when it is not there.
    public func queryValue(_ name: String) -> String? { query.last { $0.name == name }?.value }

    /// Whether it may change something (RFC 9110, section 9.2.1).
    public var isUnsafe: Bool { !["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) }

    /// The value of the cookie `name`; nil when it is not there.
    public func cookie(_ name: String) -> String? {
        for pair in (headers["cookie"] ?? "").split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            if parts.count == 2, parts[0].drop(while: { $0 == " " }) == name { return String(parts[1]) }
        }
        return nil
    }
}
