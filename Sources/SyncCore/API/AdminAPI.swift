import FleetStore
import HTTPServer

/// `/api/v1/audit` and `/api/v1/webhooks`: who did what, and what others were told.
struct AdminAPI: Sendable {
    let store: any AlertStore

    func addRoutes(to router: inout HTTPRouter) {
        router.add("GET", "/api/v1/audit", least: .admin, query: ["before", "limit"]) { request, _ in
            await answer {
                .json(
                    try await store.auditEntries(
                        before: try QueryReader.cursor(request, "before"), limit: try QueryReader.limit(request)))
            }
        }
        router.add("GET", "/api/v1/webhooks", least: .admin, query: ["before", "limit"]) { request, _ in
            await answer {
                .json(
                    try await store.webhookDeliveries(
                        before: try QueryReader.cursor(request, "before"), limit: try QueryReader.limit(request)))
            }
        }
    }
}
