import FleetModel
import RoadMap

/// A road at a place, as `map lookup` writes it.
struct RoadLine: Encodable {
    /// The limit of one direction.
    struct Limit: Encodable {
        var limit: Speed?
        var limitMps: Double?
        /// True where the map says that there is none.
        var unlimited: Bool
        /// Why it is unknown; null when it is known.
        var reason: String?
        /// What it depends on; null when on nothing.
        var depends: String?
        var lowestMps: Double?
        var highestMps: Double?

        init(_ applied: RoadLimits.Applied) {
            limit = applied.limit.speed
            limitMps = limit?.metresPerSecond.rounded(toPlaces: 3)
            unlimited = applied.limit == .unlimited
            if case .unknown(let gap) = applied.limit { reason = gap.description }
            depends = applied.open
            lowestMps = applied.lowest?.metresPerSecond.rounded(toPlaces: 3)
            highestMps = applied.highest?.metresPerSecond.rounded(toPlaces: 3)
        }
    }

    var way: Int64
    var name: String?
    var highway: String
    var distanceM: Double
    /// `forward` or `backward` with the heading; null without one.
    var direction: String?
    var forward: Limit
    var backward: Limit

    private let words: String

    private enum CodingKeys: String, CodingKey { case way, name, highway, distanceM, direction, forward, backward }

    init(_ road: NearbyRoad) {
        let limits = road.way.limits
        way = road.way.id
        name = road.way.name
        highway = road.way.roadClass.tag
        distanceM = road.distanceM.rounded(toPlaces: 1)
        direction = road.direction.map { $0 == .forward ? "forward" : "backward" }
        let (ahead, behind) = (limits.applied(.forward, at: nil), limits.applied(.backward, at: nil))
        forward = Limit(ahead)
        backward = Limit(behind)
        switch road.direction {
        case .forward: words = Self.words(ahead)
        case .backward: words = Self.words(behind)
        case nil: words = ahead == behind ? Self.words(ahead) : "\(Self.words(ahead)), backwards \(Self.words(behind))"
        }
    }

    private static func words(_ applied: RoadLimits.Applied) -> String {
        applied.limit.description + (applied.isImplicit ? " (by law)" : "") + (applied.open.map { ", " + $0 } ?? "")
    }

    /// `  3.2 m  Hauptstraße (secondary, way 4711)  50 km/h`.
    var text: String {
        let distance = NumberText.decimal(distanceM, 1)
        return String(repeating: " ", count: max(0, 6 - distance.count)) + distance + " m  "
            + "\((name ?? "no name").printable) (\(highway), way \(way))  \(words)"
    }
}
