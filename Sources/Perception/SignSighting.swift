import FleetModel

/// A speed sign that was found and read in one frame.
public struct SignSighting: Hashable, Sendable {
    /// What it says.
    public var reading: SignReading
    /// The number with its unit; nil where there is none.
    public var limit: Speed?
    /// Where it is, in pixels.
    public var box: Box

    /// All members.
    public init(reading: SignReading, limit: Speed?, box: Box) {
        self.reading = reading
        self.limit = limit
        self.box = box
    }
}
