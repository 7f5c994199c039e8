import FleetModel
import FleetRuntime
import FleetStore
import HTTPServer

/// Notes who did what over the API.
struct Audit: Sendable {
    let store: any AlertStore
    let http: SyncHTTPConfiguration
    let clock: any FleetClock
    private let log = Log("audit")

    init(store: any AlertStore, http: SyncHTTPConfiguration, clock: any FleetClock) {
        self.store = store
        self.http = http
        self.clock = clock
    }

    /// Adds an entry; throws when the store does not take it.
    func record(_ request: HTTPRequest, action: String, detail: String) async throws {
        let who = request.principal ?? .local
        try await store.record(
            AuditEntry(
                at: clock.wallTime(), name: who.name, role: who.role.rawValue, client: http.client(of: request),
                action: action, detail: String(detail.prefix(500))))
    }

    /// Notes something that has happened: a store that does not take the entry is only told of.
    func note(_ request: HTTPRequest, action: String, detail: String) async {
        do { try await record(request, action: action, detail: detail) } catch {
            log.error("not noted: \((request.principal ?? .local).name), \(action) \(detail): \(error)")
        }
    }
}
