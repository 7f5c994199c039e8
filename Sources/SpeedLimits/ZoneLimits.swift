import FleetModel
import RoadMap
import WorldModel

/// Operator's zones with a limit of their own, some only at certain times. Where several contain the vehicle, the lowest limit applies; of
/// equal limits, the smaller zone. While the time is not known, a zone with times is not in force.
public struct ZoneLimits: SpeedLimitProvider {
    struct Zone: Hashable, Sendable {
        var name: String?
        var limit: Speed
        var polygons: [ZonePolygon]
        /// When it is in force; nil is always.
        var times: WeeklyTimes?

        var extent: Double { polygons.reduce(0) { $0 + $1.extent } }
    }

    private let zones: [Zone]
    private let clock: LocalClock

    init(zones: [Zone], clock: LocalClock) {
        self.clock = clock
        self.zones = zones.sorted { ($0.limit.metresPerSecond, $0.extent) < ($1.limit.metresPerSecond, $1.extent) }
    }

    /// How many zones there are.
    public var count: Int { zones.count }

    public func limit(for ego: EgoState) -> SpeedLimit? {
        guard let place = ego.position else { return nil }
        let time = clock.time(at: ego.fixTime)
        let zone = zones.first { zone in
            guard zone.times == nil || time.map({ zone.times?.contains($0) ?? true }) ?? false else { return false }
            return zone.polygons.contains { $0.contains(place) }
        }
        return zone.map { SpeedLimit($0.limit, source: .zone, name: $0.name) }
    }
}
