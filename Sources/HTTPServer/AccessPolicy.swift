import FleetRuntime
import FoundationEssentials
import Synchronization

/// Who may ask: the `Host` allow-list against DNS rebinding, the access token, and the browser session it is exchanged for.
public final class AccessPolicy: Sendable {
    /// Cookie that carries a browser's session.
    static let cookieName = "fleet_session"
    /// Life of a browser's session in s: a working day.
    static let sessionLifeS = 12.0 * 3600
    /// Bound on sessions that are remembered; the oldest goes.
    static let maximumSessions = 1000

    private let hosts: Set<String>
    private let tokenDigest: [UInt8]?
    private let clock: any FleetClock
    private let sessions = Mutex<[String: Double]>([:])

    /// `hosts` are the names under which the server may be asked, without port; `token` nil asks for none.
    public init(hosts: Set<String>, token: String?, clock: any FleetClock = SystemClock()) {
        self.hosts = Set(hosts.map { $0.lowercased() })
        tokenDigest = token.map { SHA256.digest(of: Data($0.utf8)) }
        self.clock = clock
    }

    /// Whether anything but health may only be asked with a token.
    public var asksForToken: Bool { tokenDigest != nil }

    /// The refusal of a request whose `Host` is not on the list; nil when it is.
    public func refusalByHost(_ request: HTTPRequest) -> HTTPResponse? {
        let host = Self.withoutPort(request.headers["host"] ?? "").lowercased()
        return hosts.contains(host)
            ? nil
            : .problem(421, "this server does not answer for the host \"\(host.printable)\"; see http.hosts in its configuration")
    }

    /// Whether the request carries the token or a session's cookie.
    public func isAuthorised(_ request: HTTPRequest) -> Bool {
        guard tokenDigest != nil else { return true }
        if let header = request.headers["authorization"], header.lowercased().hasPrefix("bearer ") {
            return isToken(String(header.dropFirst(7)))
        }
        guard let id = request.cookie(Self.cookieName) else { return false }
        let now = clock.monotonicS()
        return sessions.withLock { ($0[id] ?? -1) > now }
    }

    /// Exchanges the token for a session and returns its `Set-Cookie` value; nil when the token is wrong.
    public func openSession(token: String, isSecure: Bool) -> String? {
        guard isToken(token) else { return nil }
        var generator = SystemRandomNumberGenerator()
        let id = SHA256.hexadecimal((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
        let now = clock.monotonicS()
        sessions.withLock { sessions in
            sessions = sessions.filter { $0.value > now }
            if sessions.count >= Self.maximumSessions, let oldest = sessions.min(by: { $0.value < $1.value }) {
                sessions[oldest.key] = nil
            }
            sessions[id] = now + Self.sessionLifeS
        }
        return "\(Self.cookieName)=\(id); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(Int(Self.sessionLifeS))"
            + (isSecure ? "; Secure" : "")
    }

    /// Compares digests, so that the time taken says nothing about the token.
    private func isToken(_ text: String) -> Bool {
        guard let tokenDigest else { return false }
        let digest = SHA256.digest(of: Data(text.utf8))
        return zip(digest, tokenDigest).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    static func withoutPort(_ host: String) -> String {
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") { return String(host[...end]) }
        return String(host.prefix { $0 != ":" })
    }
}
