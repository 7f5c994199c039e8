import WorldModel

/// A source of speed limits: what applies where the vehicle is.
public protocol SpeedLimitProvider: Sendable {
    /// The limit that applies to a vehicle in the state `ego`; nil when this source does not know one. Unknown is an answer: the
    /// limit of the last place is never kept.
    mutating func limit(for ego: EgoState) -> SpeedLimit?

    /// Takes note of a sign that the vehicle has just passed in the state `ego`. Sources that do not live by signs pay no heed.
    mutating func observe(_ sign: AdoptedSign, ego: EgoState)
}

extension SpeedLimitProvider {
    public mutating func observe(_ sign: AdoptedSign, ego: EgoState) {}
}
