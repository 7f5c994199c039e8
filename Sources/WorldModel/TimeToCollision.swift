/// Seconds until the image of a thing that keeps its closing speed would fill the view: size divided by growth.
public struct TimeToCollision: Hashable, Sendable {
    /// The estimate in s, from the camera; greater than 0.
    public var seconds: Double
    /// Its standard deviation in s (first order).
    public var sdS: Double

    /// `seconds` ± `sdS`.
    public init(seconds: Double, sdS: Double) {
        self.seconds = seconds
        self.sdS = sdS
    }
}
