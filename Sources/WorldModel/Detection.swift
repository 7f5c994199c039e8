import FleetModel

/// One road user seen in one frame.
public struct Detection: Hashable, Sendable {
    /// What it is.
    public var roadUser: RoadUserClass
    /// The detector's confidence, 0...1.
    public var score: Double
    /// Where it is: pixels of the full frame, clipped to it.
    public var box: Box

    /// A road user of class `roadUser` at `box` (pixels) with confidence `score`.
    public init(roadUser: RoadUserClass, score: Double, box: Box) {
        self.roadUser = roadUser
        self.score = score
        self.box = box
    }
}
