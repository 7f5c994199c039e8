import FleetModel
import FleetRuntime
import FleetStore
import HTTPServer

/// `/api/v1/vehicles` and `/api/v1/stats`.
struct VehiclesAPI: Sendable {
    /// Time that statistics go back when nothing is asked for: a week.
    static let defaultSpanS = 7.0 * 86_400

    let store: any AlertStore
    let clock: any FleetClock

    func addRoutes(to router: inout HTTPRouter) {
        router.add("GET", "/api/v1/vehicles", query: []) { _, _ in await answer { try await vehicles() } }
        router.add("GET", "/api/v1/stats", query: ["since", "by"]) { request, _ in await answer { try await statistics(request) } }
    }

    private func vehicles() async throws -> HTTPResponse {
        let now = clock.wallTime()
        return .json(VehicleList(vehicles: try await store.vehicles().map { VehicleView($0, at: now) }, at: now))
    }

    private func statistics(_ request: HTTPRequest) async throws -> HTTPResponse {
        let since = try QueryReader.time(request, "since") ?? clock.wallTime().advanced(bySeconds: -Self.defaultSpanS)
        let grouping = try QueryReader.choice(request, "by", StatisticsGrouping.self) ?? .vehicle
        return .json(StatisticsList(since: since, by: grouping, rows: try await store.statistics(since: since, by: grouping)))
    }
}
