import FleetRuntime
import HTTPServer

/// The section `http`: where the API and the page are served, and to whom.
public struct SyncHTTPConfiguration: Sendable {
    /// Numeric address to listen on.
    public var address: String
    /// Port; 0 takes a free one.
    public var port: Int
    /// Names under which the server may be asked, besides its address and localhost.
    public var hosts: [String]
    /// File with the digests of the access tokens, see `AccessTokens`; nil asks for none.
    public var tokenFile: String?
    /// Certificate chain and key, PEM; nil for plain HTTP.
    public var certFile: String?
    public var keyFile: String?
    /// Whether a reverse proxy in front does TLS.
    public var behindProxy: Bool
    /// Addresses of that proxy.
    public var trustedProxies: [String]

    /// Whether only this machine can reach the server.
    public var isLoopback: Bool { address == "::1" || address.hasPrefix("127.") }

    /// The address that a request came from: behind a proxy the one that the nearest proxy has seen.
    ///
    /// Only its last word counts; what stands before it in `X-Forwarded-For` may have come from anybody.
    func client(of request: HTTPRequest) -> String {
        guard behindProxy, let last = request.headers["x-forwarded-for"]?.split(separator: ",").last else {
            return request.remoteAddress
        }
        return last.drop { $0 == " " }.prefix { $0 != " " }.prefix(64).description
    }

    init(_ section: ConfigurationSection) throws {
        let bind = try section.string("bind") ?? "127.0.0.1:8080"
        guard let colon = bind.lastIndex(of: ":"), let port = Int(bind[bind.index(after: colon)...]), (0...65_535).contains(port)
        else {
            throw section.error("bind", "is \"\(bind)\"; give a numeric address and a port, e.g. 127.0.0.1:8080 or [::1]:8080")
        }
        address = String(bind[..<colon].trimmingPrefix("[").replacing("]", with: ""))
        self.port = port
        hosts = try section.strings("hosts") ?? []
        tokenFile = try section.path("tokenFile")
        certFile = try section.path("certFile")
        keyFile = try section.path("keyFile")
        behindProxy = try section.bool("behindProxy") ?? false
        trustedProxies = try section.strings("trustedProxies") ?? []
        if (certFile == nil) != (keyFile == nil) {
            throw section.error(certFile == nil ? "keyFile" : "certFile", "certFile and keyFile go together")
        }
        if behindProxy, trustedProxies.isEmpty {
            throw section.error("behindProxy", "needs trustedProxies: the addresses of the proxy")
        }
        guard isLoopback || (tokenFile != nil && (certFile != nil || behindProxy)) else {
            throw section.error(
                "bind",
                "\(address) can be reached from outside: set tokenFile, and certFile with keyFile (or behindProxy with trustedProxies)"
            )
        }
    }
}
