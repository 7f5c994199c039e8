import FleetModel

/// A speed limit that applies, as the source states it.
public struct SpeedLimit: Hashable, Sendable {
    /// The limit in the source's own unit.
    public var limit: Speed
    /// Where it comes from.
    public var source: LimitSource
    /// How sure it is, 0...1.
    public var confidence: Double
    /// The lowest limit that a source names, when sources disagree; nil when they agree.
    public var lowest: Speed?
    /// The highest limit that a source names, when sources disagree; nil when they agree.
    public var highest: Speed?
    /// The zone's or road's name, where it has one.
    public var name: String?

    /// `limit` from `source`; sources agree unless `lowest` and `highest` are given.
    public init(
        _ limit: Speed, source: LimitSource, confidence: Double = 1, lowest: Speed? = nil, highest: Speed? = nil,
        name: String? = nil
    ) {
        self.limit = limit
        self.source = source
        self.confidence = confidence
        self.lowest = lowest
        self.highest = highest
        self.name = name
    }
}
