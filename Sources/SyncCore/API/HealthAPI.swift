import FleetStore
import FoundationEssentials
import HTTPServer

/// `/healthz`, `/readyz` and `/metrics`.
struct HealthAPI: Sendable {
    let store: any AlertStore
    let counters: IngestCounters
    let webhooks: WebhookCounters
    let feed: LiveFeed
    let metrics: @Sendable () -> AccessMetrics
    let isBrokerConnected: @Sendable () -> Bool

    func addRoutes(to router: inout HTTPRouter) {
        router.addOpen("GET", "/healthz", query: []) { _, _ in .data(Data("ok\n".utf8), type: "text/plain") }
        router.addOpen("GET", "/readyz", query: []) { _, _ in
            if let problem = await Readiness(store: store, counters: counters, isBrokerConnected: isBrokerConnected).problem() {
                return .problem(503, problem)
            }
            return .data(Data("ready\n".utf8), type: "text/plain")
        }
        router.add("GET", "/metrics", query: []) { _, _ in
            await answer {
                let text =
                    MetricsPage.text(
                        try await store.totals(), counters.current, streams: feed.readerCount, brokerConnected: isBrokerConnected())
                    + MetricsPage.text(webhooks.current) + metrics().text
                return .data(Data(text.utf8), type: "text/plain; version=0.0.4")
            }
        }
    }
}
