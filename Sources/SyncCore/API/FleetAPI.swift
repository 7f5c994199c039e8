import FleetModel
import FleetRuntime
import FleetStore
import FoundationEssentials
import HTTPServer
import Synchronization

/// Every route of the service behind its checks: host, sign-in, then the handler, then the headers that every answer carries.
struct FleetAPI: Sendable {
    /// Paths that are answered without a token: the page itself (it holds no data), sign-in and health.
    private static let openPaths: Set<String> = ["/", "/app.js", "/style.css", "/api/v1/session", "/healthz", "/readyz"]

    /// Headers against being framed, sniffed and fed foreign scripts.
    private static let securityHeaders = [
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        ),
    ]

    let policy: AccessPolicy
    let http: SyncHTTPConfiguration
    private let router: HTTPRouter

    init(
        store: any AlertStore, feed: LiveFeed, counters: IngestCounters, policy: AccessPolicy, http: SyncHTTPConfiguration,
        page: WebPage,
        clock: any FleetClock, isBrokerConnected: @escaping @Sendable () -> Bool
    ) {
        self.policy = policy
        self.http = http
        var router = HTTPRouter()
        page.addRoutes(to: &router)
        AlertsAPI(store: store, feed: feed).addRoutes(to: &router)
        VehiclesAPI(store: store, clock: clock).addRoutes(to: &router)
        router.add("POST", "/api/v1/session") { request, _ in
            Self.signIn(request, policy, isSecure: request.isSecure || http.behindProxy)
        }
        router.add("GET", "/healthz") { _, _ in .data(Data("ok\n".utf8), type: "text/plain") }
        router.add("GET", "/readyz") { _, _ in
            guard (try? await store.totals()) != nil else { return .problem(503, "the store does not answer") }
            return isBrokerConnected()
                ? .data(Data("ready\n".utf8), type: "text/plain") : .problem(503, "no connection to the broker")
        }
        router.add("GET", "/metrics") { _, _ in
            await answer {
                let text = MetricsPage.text(
                    try await store.totals(), counters.current, streams: feed.readerCount, brokerConnected: isBrokerConnected())
                return .data(Data(text.utf8), type: "text/plain; version=0.0.4")
            }
        }
        self.router = router
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        var response = await checkedResponse(to: request)
        response.headers += Self.securityHeaders.map { (name: $0.0, value: $0.1) }
        return response
    }

    private func checkedResponse(to request: HTTPRequest) async -> HTTPResponse {
        if let refusal = policy.refusalByHost(request) { return refusal }
        if http.behindProxy, !http.trustedProxies.contains(request.remoteAddress) {
            return .problem(403, "only the configured proxies may ask this server")
        }
        if !Self.openPaths.contains(request.path), !policy.isAuthorised(request) {
            var response = HTTPResponse.problem(401, "send the access token as `Authorization: Bearer TOKEN`")
            response.headers.append(("WWW-Authenticate", "Bearer"))
            return response
        }
        return await router.respond(to: request)
    }

    private static func signIn(_ request: HTTPRequest, _ policy: AccessPolicy, isSecure: Bool) -> HTTPResponse {
        struct Body: Decodable { let token: String }
        guard policy.asksForToken else { return HTTPResponse(status: 204) }
        guard let body = try? JSONDecoder().decode(Body.self, from: request.body) else {
            return .problem(400, "the body must be {\"token\":\"...\"}")
        }
        guard let cookie = policy.openSession(token: body.token, isSecure: isSecure) else {
            return .problem(401, "this is not the token")
        }
        return HTTPResponse(status: 204, headers: [("Set-Cookie", cookie)])
    }
}
