import FleetModel
import FleetRuntime
import FleetStore
import FoundationEssentials
import HTTPServer
import Synchronization

/// Every route of the service behind its checks: host, proxy, sign-in, then the handler, then the headers that every answer carries.
struct FleetAPI: Sendable {
    /// Paths that are answered without a token: the page itself (it holds no data), sign-in and health.
    private static let openPaths: Set<String> = ["/", "/app.js", "/style.css", "/api/v1/session", "/healthz", "/readyz"]

    /// Headers against being framed, sniffed and fed foreign scripts.
    private static let securityHeaders = [
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        ),
    ]

    /// A browser that has seen the server over TLS asks it over nothing else for a year.
    private static let strictTransport = ("Strict-Transport-Security", "max-age=31536000")

    let policy: AccessPolicy
    let http: SyncHTTPConfiguration
    private let router: HTTPRouter

    init(
        store: any AlertStore, snapshots: SnapshotFolder, feed: LiveFeed, counters: IngestCounters, policy: AccessPolicy,
        http: SyncHTTPConfiguration, page: WebPage, clock: any FleetClock,
        metrics: @escaping @Sendable () -> AccessMetrics = { AccessMetrics() },
        isBrokerConnected: @escaping @Sendable () -> Bool
    ) {
        self.policy = policy
        self.http = http
        var router = HTTPRouter()
        page.addRoutes(to: &router)
        AlertsAPI(store: store, snapshots: snapshots, feed: feed).addRoutes(to: &router)
        VehiclesAPI(store: store, clock: clock).addRoutes(to: &router)
        router.add("POST", "/api/v1/session") { request, _ in
            Self.signIn(request, policy, client: http.client(of: request), isSecure: request.isSecure || http.behindProxy)
        }
        router.add("DELETE", "/api/v1/session") { request, _ in
            let cookie = policy.closeSession(request, isSecure: request.isSecure || http.behindProxy)
            return HTTPResponse(status: 204, headers: [("Set-Cookie", cookie), ("Cache-Control", "no-store")])
        }
        router.add("GET", "/healthz") { _, _ in .data(Data("ok\n".utf8), type: "text/plain") }
        router.add("GET", "/readyz") { _, _ in
            if let problem = await Readiness(store: store, counters: counters, isBrokerConnected: isBrokerConnected).problem() {
                return .problem(503, problem)
            }
            return .data(Data("ready\n".utf8), type: "text/plain")
        }
        router.add("GET", "/metrics") { _, _ in
            await answer {
                let text =
                    MetricsPage.text(
                        try await store.totals(), counters.current, streams: feed.readerCount, brokerConnected: isBrokerConnected())
                    + metrics().text
                return .data(Data(text.utf8), type: "text/plain; version=0.0.4")
            }
        }
        self.router = router
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        var response = await checkedResponse(to: request)
        response.headers += Self.securityHeaders.map { (name: $0.0, value: $0.1) }
        // Not for localhost, whose other ports serve other programs.
        if request.isSecure, request.headers["host"]?.hasPrefix("localhost") == false {
            response.headers.append(Self.strictTransport)
        }
        return response
    }

    private func checkedResponse(to request: HTTPRequest) async -> HTTPResponse {
        if let refusal = policy.refusalByHost(request) { return refusal }
        if http.behindProxy, !http.trustedProxies.contains(request.remoteAddress) {
            return .problem(403, "only the configured proxies may ask this server")
        }
        if !Self.openPaths.contains(request.path),
            let refusal = Self.refusal(policy.judge(request, client: http.client(of: request)))
        {
            return refusal
        }
        return await router.respond(to: request)
    }

    /// What is answered to a token or session that does not open; nil when it does.
    private static func refusal(_ verdict: AccessPolicy.Verdict) -> HTTPResponse? {
        switch verdict {
        case .granted: return nil
        case .missing, .wrong:
            let detail = verdict == .wrong ? "this is not the token" : "send the access token as `Authorization: Bearer TOKEN`"
            var response = HTTPResponse.problem(401, detail)
            response.headers.append(("WWW-Authenticate", "Bearer"))
            return response
        case .limited(let waitS):
            var response = HTTPResponse.problem(429, "too many wrong tokens came from this address; try again in \(waitS) s")
            response.headers.append(("Retry-After", String(waitS)))
            return response
        }
    }

    private static func signIn(_ request: HTTPRequest, _ policy: AccessPolicy, client: String, isSecure: Bool) -> HTTPResponse {
        struct Body: Decodable { let token: String }
        guard policy.asksForToken else { return HTTPResponse(status: 204) }
        guard let body = try? JSONDecoder().decode(Body.self, from: request.body) else {
            return .problem(400, "the body must be {\"token\":\"...\"}")
        }
        let (cookie, verdict) = policy.openSession(token: body.token, client: client, isSecure: isSecure)
        guard let cookie else { return refusal(verdict) ?? .problem(401, "this is not the token") }
        return HTTPResponse(status: 204, headers: [("Set-Cookie", cookie), ("Cache-Control", "no-store")])
    }
}
