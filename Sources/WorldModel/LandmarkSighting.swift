import FleetModel

/// A picture template that was found in a frame.
public struct LandmarkSighting: Hashable, Sendable {
    /// The template's name.
    public var name: String
    /// Normalised correlation, -1...1.
    public var score: Double
    /// Where it is, relative to the frame.
    public var box: Box

    /// All members.
    public init(name: String, score: Double, box: Box) {
        self.name = name
        self.score = score
        self.box = box
    }
}
