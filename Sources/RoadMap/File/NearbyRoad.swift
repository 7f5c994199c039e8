import Glibc
import WorldModel

/// A road near a place, as a look-up without a track finds it.
public struct NearbyRoad: Hashable, Sendable {
    /// The road.
    public var way: MapWay
    /// Metres to its line.
    public var distanceM: Double
    /// The direction that goes with the heading; nil without one.
    public var direction: RoadLimits.Direction?
    /// Degrees between heading and road; nil without a heading.
    public var headingOffDeg: Double?

    /// Metres that a degree of difference in heading counts as much as, when roads are put in order.
    private static let metresPerDegree = 0.5

    private var order: Double { distanceM + Self.metresPerDegree * (headingOffDeg ?? 0) }

    /// The roads within `radiusM` of `place`, those first that fit best in distance and heading (degrees clockwise from north).
    public static func roads(in source: any RoadSource, at place: GeoPoint, headingDeg: Double?, radiusM: Double) throws
        -> [NearbyRoad]
    {
        let ways = try source.ways(around: place, radiusM: radiusM)
        let plane = MapPlane(about: place)
        let here = plane.point(place)
        return ways.compactMap { way -> NearbyRoad? in
            let road = RoadNetwork.Road(way, on: plane)
            let nearest = road.nearest(to: here)
            guard nearest.distanceM <= radiusM else { return nil }
            var near = NearbyRoad(way: way, distanceM: nearest.distanceM)
            if let headingDeg {
                let tangent = road.place(at: nearest.along).tangent
                let east = sin(headingDeg * .pi / 180)
                let north = cosine(headingDeg * .pi / 180)
                let angle = atan2(abs(tangent.x * north - tangent.y * east), tangent.x * east + tangent.y * north) * 180 / .pi
                let isForward = road.allows(.backward) ? angle <= 90 : road.allows(.forward)
                near.direction = isForward ? .forward : .backward
                near.headingOffDeg = isForward ? angle : 180 - angle
            }
            return near
        }
        .sorted { ($0.order, $0.way.id) < ($1.order, $1.way.id) }
    }
}
