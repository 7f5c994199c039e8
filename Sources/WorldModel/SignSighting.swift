import FleetModel

/// A speed sign, or what looked like one, as it was found and read in one frame.
public struct SignSighting: Hashable, Sendable {
    /// What it says.
    public enum Kind: Hashable, Sendable {
        /// A limit begins.
        case limit
        /// A limit ends, its number given where it was readable.
        case endOfLimit
        /// All limits end.
        case endOfAll
        /// Another sign, or none: speaks against a track that it falls on.
        case other
    }

    /// What it says.
    public var kind: Kind
    /// The number with its unit; nil where there is none.
    public var limit: Speed?
    /// Calibrated probability that kind and number are right, 0...1.
    public var score: Double
    /// Where it is, in pixels.
    public var box: Box

    /// All members.
    public init(kind: Kind, limit: Speed?, score: Double, box: Box) {
        self.kind = kind
        self.limit = limit
        self.score = score
        self.box = box
    }
}
