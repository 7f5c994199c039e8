import FleetModel
import FleetRuntime
import FleetStore
import HTTPServer

/// `/api/v1/vehicles` and what lies below it, and `/api/v1/stats`.
struct VehiclesAPI: Sendable {
    /// Time that statistics go back when nothing is asked for: a week.
    static let defaultSpanS = 7.0 * 86_400
    /// Time that a track goes back when nothing is asked for, and at most: a day, and a month.
    static let trackSpanS = (standard: 86_400.0, maximum: 31 * 86_400.0)

    let store: any AlertStore
    let clock: any FleetClock

    func addRoutes(to router: inout HTTPRouter) {
        router.add("GET", "/api/v1/vehicles", query: ["brief"]) { request, _ in await answer { try await vehicles(request) } }
        router.add("GET", "/api/v1/vehicles/{fleet}/{vehicle}", query: []) { _, parameters in
            await answer { try await vehicle(identity(parameters)) }
        }
        router.add("GET", "/api/v1/vehicles/{fleet}/{vehicle}/track", query: ["since", "until"]) { request, parameters in
            await answer { try await track(request, identity(parameters)) }
        }
        router.add("GET", "/api/v1/stats", query: ["since", "by", "fleet", "vehicle"]) { request, _ in
            await answer { try await statistics(request) }
        }
    }

    private func identity(_ parameters: [String: String]) throws -> VehicleIdentity {
        guard let identity = VehicleIdentity(fleet: parameters["fleet"] ?? "", vehicle: parameters["vehicle"] ?? "") else {
            throw BadQuery(detail: "fleet and vehicle must be 1 to 64 letters, digits, _ and -")
        }
        return identity
    }

    private func vehicles(_ request: HTTPRequest) async throws -> HTTPResponse {
        let isBrief = try QueryReader.flag(request, "brief") ?? false
        let now = clock.wallTime()
        let records = try await store.vehicles()
        guard isBrief else { return .json(VehicleList(vehicles: records.map { VehicleView($0, at: now) }, at: now)) }
        return .json(VehicleBriefList(vehicles: records.map { VehicleBrief($0, at: now) }, at: now))
    }

    private func vehicle(_ identity: VehicleIdentity) async throws -> HTTPResponse {
        guard let record = try await store.vehicle(identity) else {
            return .problem(404, "no vehicle \(identity.fleet)/\(identity.vehicle) was ever heard of")
        }
        let now = clock.wallTime()
        return .json(VehicleList(vehicles: [VehicleView(record, at: now)], at: now))
    }

    private func track(_ request: HTTPRequest, _ identity: VehicleIdentity) async throws -> HTTPResponse {
        let until = try QueryReader.time(request, "until") ?? clock.wallTime().advanced(bySeconds: 1)
        let since = try QueryReader.time(request, "since") ?? until.advanced(bySeconds: -Self.trackSpanS.standard)
        // No more than a month at once, the last one.
        let earliest = max(since, until.advanced(bySeconds: -Self.trackSpanS.maximum))
        return .json(try await store.track(of: identity, since: earliest, until: until))
    }

    private func statistics(_ request: HTTPRequest) async throws -> HTTPResponse {
        let since = try QueryReader.time(request, "since") ?? clock.wallTime().advanced(bySeconds: -Self.defaultSpanS)
        var query = StatisticsQuery(since: since, by: try QueryReader.choice(request, "by", StatisticsGrouping.self) ?? .vehicle)
        query.fleet = try QueryReader.name(request, "fleet")
        query.vehicle = try QueryReader.name(request, "vehicle")
        return .json(StatisticsList(since: since, by: query.grouping, rows: try await store.statistics(query)))
    }
}
