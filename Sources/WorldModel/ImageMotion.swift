/// How the picture inside a track's box grew and moved between two frames, measured from the picture itself.
public struct ImageMotion: Hashable, Sendable {
    /// Natural logarithm of size now over size before.
    public var logScale: Double
    /// Standard deviation of `logScale`.
    public var logScaleSd: Double
    /// Movement of the box's centre to the right, in pixels.
    public var shiftX: Double
    /// Movement of the box's centre downwards, in pixels.
    public var shiftY: Double
    /// Time between the two frames, in s; greater than 0.
    public var intervalS: Double

    /// All members.
    public init(logScale: Double, logScaleSd: Double, shiftX: Double, shiftY: Double, intervalS: Double) {
        self.logScale = logScale
        self.logScaleSd = logScaleSd
        self.shiftX = shiftX
        self.shiftY = shiftY
        self.intervalS = intervalS
    }
}
