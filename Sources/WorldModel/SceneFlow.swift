/// How points of the scene that do not move by themselves moved in the picture between two frames.
public struct SceneFlow: Hashable, Sendable {
    /// One point: where it was and how far it went, in pixels, right and down.
    public struct Point: Hashable, Sendable {
        public var x: Double
        public var y: Double
        public var dx: Double
        public var dy: Double

        /// All members.
        public init(x: Double, y: Double, dx: Double, dy: Double) {
            self.x = x
            self.y = y
            self.dx = dx
            self.dy = dy
        }
    }

    /// The points; some of them may sit on things that do move, and on the own vehicle.
    public var points: [Point]
    /// Time between the two frames, in s; greater than 0.
    public var intervalS: Double

    /// All members.
    public init(points: [Point], intervalS: Double) {
        self.points = points
        self.intervalS = intervalS
    }
}
