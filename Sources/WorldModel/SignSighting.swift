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
    /// Whether a plate at it says for whom or when it holds; nil where nobody looked: far signs, and such as set no limit.
    public var hasAnnex: Bool?

    /// All members.
    public init(kind: Kind, limit: Speed?, score: Double, box: Box, hasAnnex: Bool? = nil) {
        self.kind = kind
        self.limit = limit
        self.score = score
        self.box = box
        self.hasAnnex = hasAnnex
    }
}
