import FleetRuntime
import FoundationEssentials
import Synchronization

/// Who may ask: the `Host` allow-list against DNS rebinding, the access tokens, and the browser sessions they are exchanged for.
public final class AccessPolicy: Sendable {
    /// What a request's token or session is worth.
    public enum Verdict: Sendable, Equatable {
        /// They may ask; no token is wanted, or a right one or a session was shown.
        case granted(Principal)
        /// Nothing was shown, or a session that is over.
        case missing
        /// A wrong token.
        case wrong
        /// Too many wrong tokens came from this address; nothing is looked at for so many seconds.
        case limited(waitS: Int)

        /// Who may ask; nil when they may not.
        public var principal: Principal? { if case .granted(let principal) = self { principal } else { nil } }
    }

    /// Counts for the metrics.
    public struct Counts: Sendable, Equatable {
        /// Wrong tokens since start.
        public var failures = 0
        /// Requests that were not looked at after too many of them.
        public var limited = 0

        /// Nothing was refused yet.
        public init() {}
    }

    /// Cookie that carries a browser's session.
    static let cookieName = "fleet_session"
    /// Life of a browser's session in s: a working day.
    static let sessionLifeS = 12.0 * 3600
    /// Bound on sessions that are remembered; the oldest goes.
    static let maximumSessions = 1000

    private struct Session {
        let tokenDigest: [UInt8]
        let endS: Double
    }

    private struct State {
        var tokens: AccessTokens?
        /// By the digest of the cookie's value: looking one up says nothing about the value.
        var sessions: [[UInt8]: Session] = [:]
        var counts = Counts()
    }

    private let hosts: Set<String>
    private let state: Mutex<State>
    private let limiter: FailureLimiter
    private let clock: any FleetClock
    private let log = Log("api")

    /// `hosts` are the names under which the server may be asked, without port; `tokens` nil asks for none.
    public init(hosts: Set<String>, tokens: AccessTokens?, clock: any FleetClock = SystemClock()) {
        self.hosts = Set(hosts.map { $0.lowercased() })
        state = Mutex(State(tokens: tokens))
        limiter = FailureLimiter(clock: clock)
        self.clock = clock
    }

    /// Whether anything but health may only be asked with a token.
    public var asksForToken: Bool { state.withLock { $0.tokens != nil } }

    /// What was refused so far.
    public var counts: Counts { state.withLock { $0.counts } }

    /// Accepts `tokens` from now on; sessions that were opened with one that is gone end.
    public func replace(_ tokens: AccessTokens) {
        let digests = Set(tokens.entries.map(\.digest))
        state.withLock { state in
            state.tokens = tokens
            state.sessions = state.sessions.filter { digests.contains($0.value.tokenDigest) }
        }
    }

    /// The refusal of a request whose `Host` is not on the list; nil when it is.
    public func refusalByHost(_ request: HTTPRequest) -> HTTPResponse? {
        let host = Self.withoutPort(request.headers["host"] ?? "").lowercased()
        return hosts.contains(host)
            ? nil
            : .problem(421, "this server does not answer for the host \"\(host.printable)\"; see http.hosts in its configuration")
    }

    /// Judges the token or the session that `request` shows; `client` is the address that wrong ones are held against.
    public func judge(_ request: HTTPRequest, client: String) -> Verdict {
        guard asksForToken else { return .granted(.local) }
        if let header = request.headers["authorization"] {
            guard header.lowercased().hasPrefix("bearer ") else { return .missing }
            let (verdict, _) = check(String(header.dropFirst(7)), client: client)
            return verdict
        }
        guard let value = request.cookie(Self.cookieName) else { return .missing }
        let now = clock.monotonicS()
        let digest = SHA256.digest(of: Data(value.utf8))
        // Of the tokens as they are now: a role that was changed is changed here too.
        let entry = state.withLock { state in
            state.sessions[digest].flatMap { session in
                session.endS > now ? state.tokens?.entries.first { $0.digest == session.tokenDigest } : nil
            }
        }
        return entry.map { .granted($0.principal) } ?? .missing
    }

    /// Exchanges a token for a session: the `Set-Cookie` value, or nil and what the token is worth.
    public func openSession(token: String, client: String, isSecure: Bool) -> (cookie: String?, verdict: Verdict) {
        let (verdict, entry) = check(token, client: client)
        guard let entry else { return (nil, verdict) }
        let value = AccessTokens.make()
        let now = clock.monotonicS()
        state.withLock { state in
            state.sessions = state.sessions.filter { $0.value.endS > now }
            if state.sessions.count >= Self.maximumSessions, let oldest = state.sessions.min(by: { $0.value.endS < $1.value.endS })
            {
                state.sessions[oldest.key] = nil
            }
            state.sessions[SHA256.digest(of: Data(value.utf8))] = Session(
                tokenDigest: entry.digest, endS: now + Self.sessionLifeS)
        }
        log.info("\(entry.name) signed in from \(client)")
        return (Self.cookie(value, lifeS: Int(Self.sessionLifeS), isSecure: isSecure), verdict)
    }

    /// Ends the session that `request` shows, if any, and returns the `Set-Cookie` value that makes the browser forget it.
    public func closeSession(_ request: HTTPRequest, isSecure: Bool) -> String {
        if let value = request.cookie(Self.cookieName) {
            let digest = SHA256.digest(of: Data(value.utf8))
            state.withLock { $0.sessions[digest] = nil }
        }
        return Self.cookie("", lifeS: 0, isSecure: isSecure)
    }

    private static func cookie(_ value: String, lifeS: Int, isSecure: Bool) -> String {
        "\(cookieName)=\(value); Path=/; HttpOnly; SameSite=Strict; Max-Age=\(lifeS)" + (isSecure ? "; Secure" : "")
    }

    private func check(_ text: String, client: String) -> (Verdict, AccessTokens.Entry?) {
        if let waitS = limiter.waitS(client) {
            state.withLock { $0.counts.limited += 1 }
            return (.limited(waitS: waitS), nil)
        }
        if let entry = state.withLock({ $0.tokens })?.entry(of: text) { return (.granted(entry.principal), entry) }
        state.withLock { $0.counts.failures += 1 }
        let held = limiter.recordFailure(client)
        // The first, and the one that closes the door: the log must not grow with every guess.
        if held == 1 || held == Int(FailureLimiter.burst) {
            log.warning("wrong access token from \(client)\(held == 1 ? "" : ", \(held) of them: it has to wait")")
        }
        return (.wrong, nil)
    }

    static func withoutPort(_ host: String) -> String {
        guard let colon = host.lastIndex(of: ":"), host.hasSuffix("]") == false else { return host }
        let port = host[host.index(after: colon)...]
        return port.allSatisfy { $0.isASCII && $0.isNumber } ? String(host[..<colon]) : host
    }
}
