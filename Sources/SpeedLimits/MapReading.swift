import FleetModel
import RoadMap

/// What the map says about the place where the vehicle is.
public struct MapReading: Hashable, Sendable {
    /// The limit, as far as the map has it.
    public var limit: StatedLimit
    /// The lowest limit that may apply, when a condition or the road is not sure; nil when nothing is open.
    public var lowest: Speed?
    /// The highest limit that may apply; nil when nothing is open, or nothing bounds it.
    public var highest: Speed?
    /// How sure it is that this limit holds here, 0 to 1.
    public var confidence: Double
    /// The road.
    public var road: MatchedRoad
}
