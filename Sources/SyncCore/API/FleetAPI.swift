import FleetModel
import FleetRuntime
import FleetStore
import HTTPServer

/// Every route of the service behind its checks: host, proxy, sign-in, then the handler, then the headers that every answer carries.
struct FleetAPI: Sendable {
    /// Headers against being framed, sniffed and fed foreign scripts.
    private static let securityHeaders = [
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
    ]

    /// Nothing but what this server sends; pictures from where the map's tiles come, too.
    private static func contentPolicy(tiles: String?) -> (String, String) {
        let pictures = ["img-src 'self' data:", tiles].compactMap(\.self).joined(separator: " ")
        return (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \(pictures); base-uri 'none'; "
                + "form-action 'self'; frame-ancestors 'none'"
        )
    }

    /// A browser that has seen the server over TLS asks it over nothing else for a year.
    private static let strictTransport = ("Strict-Transport-Security", "max-age=31536000")

    let http: SyncHTTPConfiguration
    private let policy: AccessPolicy
    private let identification: Identification
    private let crossOrigin: CrossOrigin
    private let audit: Audit
    private let router: HTTPRouter
    private let headers: [(String, String)]

    init(
        store: any AlertStore, snapshots: SnapshotFolder, feed: LiveFeed, counters: IngestCounters,
        webhooks: WebhookCounters = WebhookCounters(), policy: AccessPolicy, http: SyncHTTPConfiguration,
        view: SyncViewConfiguration = SyncViewConfiguration(), roads: RoadTiles? = nil, page: WebPage, clock: any FleetClock,
        metrics: @escaping @Sendable () -> AccessMetrics = { AccessMetrics() },
        isBrokerConnected: @escaping @Sendable () -> Bool
    ) {
        self.policy = policy
        self.http = http
        identification = Identification(policy: policy, http: http)
        crossOrigin = CrossOrigin(origins: http.corsOrigins)
        audit = Audit(store: store, http: http, clock: clock)
        headers = Self.securityHeaders + [Self.contentPolicy(tiles: view.tileOrigin)]
        var router = HTTPRouter()
        page.addRoutes(to: &router)
        AlertsAPI(store: store, snapshots: snapshots, feed: feed).addRoutes(to: &router)
        VehiclesAPI(store: store, clock: clock).addRoutes(to: &router)
        ReviewsAPI(store: store, feed: feed, audit: audit, clock: clock, isSignInWanted: identification.isNeeded).addRoutes(
            to: &router)
        ViewAPI(view: view, hasLeaflet: page.hasLeaflet, hasRoads: roads != nil).addRoutes(to: &router)
        RoadsAPI(tiles: roads).addRoutes(to: &router)
        ExportAPI(store: store, audit: audit, clock: clock).addRoutes(to: &router)
        AdminAPI(store: store).addRoutes(to: &router)
        SessionAPI(identification: identification).addRoutes(to: &router)
        HealthAPI(
            store: store, counters: counters, webhooks: webhooks, feed: feed, metrics: metrics, isBrokerConnected: isBrokerConnected
        ).addRoutes(to: &router)
        self.router = router
    }

    /// What is served, for the tests that compare it with its description.
    var routes: [HTTPRouter.Route] { router.routes }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        var response = await checkedResponse(to: request)
        response.headers += headers.map { (name: $0.0, value: $0.1) }
        // Not for localhost, whose other ports serve other programs.
        if request.isSecure, request.headers["host"]?.hasPrefix("localhost") == false {
            response.headers.append(Self.strictTransport)
        }
        return crossOrigin.open(response, to: request)
    }

    private func checkedResponse(to request: HTTPRequest) async -> HTTPResponse {
        if let refusal = policy.refusalByHost(request) { return refusal }
        if http.behindProxy, !http.trustedProxies.contains(request.remoteAddress) {
            return .problem(403, "only the configured proxies may ask this server")
        }
        if let answer = crossOrigin.preflight(request) { return answer }
        var request = request
        if !router.isOpen(request) {
            switch identification.judge(request) {
            case .success(let principal): request.principal = principal
            case .failure(let refusal): return refusal.response
            }
        }
        if let refusal = CrossSiteGuard.refusal(of: request) { return refusal }
        return await router.respond(to: request)
    }
}
