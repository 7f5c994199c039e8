import FleetModel

/// A speed sign that the own vehicle has just passed and that holds for it: told once, when the sign leaves the picture.
public struct AdoptedSign: Hashable, Sendable {
    /// What the sign orders.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A limit from here on.
        case limit
        /// A limit for all roads of a zone, until its end sign; turning into another road does not end it.
        case zone
        /// A limit that holds for some vehicles or at some times only: for lorries, when wet, in certain hours. A plate at the sign says so; what it
        /// says is not read, so nobody knows whether the limit holds.
        case restricted
        /// A limit shown by lamps; it may be another one at the next passage of the same place.
        case variable
        /// The end of a limit; `limit` is the one that ends, nil where its number could not be read.
        case endOfLimit
        /// The end of all limits that signs have set.
        case endOfAll
    }

    /// What it orders.
    public var kind: Kind
    /// The number on the sign with its unit; nil where the kind has none.
    public var limit: Speed?
    /// How sure the readings together are that kind and number are right, 0...1.
    public var confidence: Double
    /// When it was last seen, in s: the time of the frame, on the clock of `WorldState.timeS`.
    public var timeS: Double
    /// Where it was last seen, in pixels of the frame.
    public var box: Box
    /// In how many frames it was read.
    public var readings: Int

    /// All members.
    public init(kind: Kind, limit: Speed?, confidence: Double, timeS: Double, box: Box, readings: Int) {
        self.kind = kind
        self.limit = limit
        self.confidence = confidence
        self.timeS = timeS
        self.box = box
        self.readings = readings
    }
}
