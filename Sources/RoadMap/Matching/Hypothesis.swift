/// One place where the vehicle may be: a road, a direction and metres along it.
struct Hypothesis: Hashable, Sendable {
    /// OpenStreetMap's number of the road; outlives the network.
    var wayID: Int64
    /// The road's number in the network of the moment.
    var road: Int
    var direction: RoadLimits.Direction
    /// Metres from the way's beginning.
    var along: Double
    /// Variance of `along`, m².
    var variance = 25.0
    /// Natural logarithm of its weight.
    var logWeight = 0.0
}
