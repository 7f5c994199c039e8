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
    /// Header in which that proxy names the person whom it has signed in; nil: no name is believed.
    public var proxyUserHeader: String?
    /// Of these persons those who may judge alerts, and those who may everything; the others may look.
    public var proxyReviewers: Set<String>
    public var proxyAdmins: Set<String>
    /// Pages of other origins that may ask with a token; none unless named.
    public var corsOrigins: [String]

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

    /// Scheme, host and port alone, as a browser sends it.
    private static func isOrigin(_ text: String) -> Bool {
        guard let range = text.firstRange(of: "://"), ["http", "https"].contains(text[..<range.lowerBound]) else { return false }
        let host = text[range.upperBound...]
        return !host.isEmpty && host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-:[]".contains($0)) }
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
        proxyUserHeader = try section.string("proxyUser", maximumLength: 64)
        proxyReviewers = Set(try section.strings("proxyReviewers") ?? [])
        proxyAdmins = Set(try section.strings("proxyAdmins") ?? [])
        corsOrigins = try section.strings("corsOrigins") ?? []
        if let wrong = corsOrigins.first(where: { !Self.isOrigin($0) }) {
            throw section.error("corsOrigins", "\(wrong) is no origin such as https://maps.example.org")
        }
        if proxyUserHeader != nil, !behindProxy {
            throw section.error(
                "proxyUser", "anybody could send this header; it is believed only with behindProxy and trustedProxies")
        }
        if proxyUserHeader == nil, !(proxyReviewers.isEmpty && proxyAdmins.isEmpty) {
            throw section.error(
                proxyReviewers.isEmpty ? "proxyAdmins" : "proxyReviewers", "needs proxyUser: the header with the name")
        }
        if (certFile == nil) != (keyFile == nil) {
            throw section.error(certFile == nil ? "keyFile" : "certFile", "certFile and keyFile go together")
        }
        if behindProxy, trustedProxies.isEmpty {
            throw section.error("behindProxy", "needs trustedProxies: the addresses of the proxy")
        }
        let isSignInWanted = tokenFile != nil || proxyUserHeader != nil
        guard isLoopback || (isSignInWanted && (certFile != nil || behindProxy)) else {
            throw section.error(
                "bind",
                "\(address) can be reached from outside: set tokenFile, and certFile with keyFile (or behindProxy with trustedProxies)"
            )
        }
    }
}
