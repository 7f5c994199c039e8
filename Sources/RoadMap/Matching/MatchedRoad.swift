/// The road on which a vehicle is believed to drive.
public struct MatchedRoad: Hashable, Sendable {
    /// A road that the vehicle may be on.
    public struct Candidate: Hashable, Sendable {
        /// The road.
        public var way: MapWay
        /// In which direction it drives there.
        public var direction: RoadLimits.Direction
        /// How likely it is, 0 to 1.
        public var probability: Double
    }

    /// The likeliest road.
    public var way: MapWay
    /// In which direction the vehicle drives on it.
    public var direction: RoadLimits.Direction
    /// How likely it is, 0 to 1.
    public var probability: Double
    /// Metres between the fix and the place on the road.
    public var distanceM: Double
    /// Metres along this road since the last junction with another public road; nil where none is known on it.
    public var sinceJunctionM: Double?
    /// All roads that are worth a thought, the likeliest first; the probabilities add up to 1 at most.
    public var candidates: [Candidate]
}
