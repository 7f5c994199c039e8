/// How the camera turned between two frames, as the shift of far things in the picture.
public struct EgoMotion: Hashable, Sendable {
    /// Shift of far things to the right, in pixels per second: positive while the vehicle turns left.
    public var shiftXPxPerS: Double
    /// Shift of far things downwards, in pixels per second: positive while the nose rises.
    public var shiftYPxPerS: Double
    /// Standard deviation of `shiftXPxPerS`.
    public var shiftXSdPxPerS: Double

    /// All members.
    public init(shiftXPxPerS: Double, shiftYPxPerS: Double, shiftXSdPxPerS: Double = 0) {
        self.shiftXPxPerS = shiftXPxPerS
        self.shiftYPxPerS = shiftYPxPerS
        self.shiftXSdPxPerS = shiftXSdPxPerS
    }

    /// No turn.
    public static let none = EgoMotion(shiftXPxPerS: 0, shiftYPxPerS: 0)
}
