import WorldModel

/// Where roads come from: a map file, or in tests a list.
public protocol RoadSource: Sendable {
    /// The roads that touch the square of half side `radiusM` about `place`, in no particular order.
    func ways(around place: GeoPoint, radiusM: Double) throws -> [MapWay]
}
