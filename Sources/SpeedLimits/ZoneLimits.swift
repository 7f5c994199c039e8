import FleetModel
import WorldModel

/// Operator's zones with a limit of their own. Where several contain the vehicle, the lowest limit applies; of equal limits, the
/// smaller zone.
public struct ZoneLimits: SpeedLimitProvider {
    struct Zone: Hashable, Sendable {
        var name: String?
        var limit: Speed
        var polygons: [ZonePolygon]

        var extent: Double { polygons.reduce(0) { $0 + $1.extent } }
    }

    private let zones: [Zone]

    init(zones: [Zone]) {
        self.zones = zones.sorted { ($0.limit.metresPerSecond, $0.extent) < ($1.limit.metresPerSecond, $1.extent) }
    }

    /// How many zones there are.
    public var count: Int { zones.count }

    public func limit(for ego: EgoState) -> SpeedLimit? {
        guard let place = ego.position else { return nil }
        let zone = zones.first { $0.polygons.contains { $0.contains(place) } }
        return zone.map { SpeedLimit($0.limit, source: .zone, name: $0.name) }
    }
}
