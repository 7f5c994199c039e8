import Imaging

/// A frame, its number and its time; owned by one stage at a time.
public struct CapturedFrame: ~Copyable, Sendable {
    /// The picture: three channels.
    public var frame: Frame
    /// Number of the frame, from 0.
    public let index: Int
    /// Seconds since the session began; live: of the monotonic clock at arrival.
    public let timeS: Double

    /// `frame` as number `index` at `timeS`.
    public init(frame: consuming Frame, index: Int, timeS: Double) {
        self.frame = frame
        self.index = index
        self.timeS = timeS
    }

    /// Gives the picture away.
    public consuming func takeFrame() -> Frame { frame }
}
