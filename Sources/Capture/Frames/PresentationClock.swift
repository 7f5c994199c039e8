/// Turns a container's presentation times into times that start at 0 and grow.
///
/// OpenCV reports 0 for the frames that the decoder gives out last (it flushes them without a packet), and some containers carry
/// no times at all; there the clock goes on by the step before, or at the stated rate.
struct PresentationClock {
    /// Where the container states no rate: the rate of most dashcams.
    static let assumedFramesPerSecond = 30.0

    private var firstS: Double?
    private var latestS: Double?
    private var stepS: Double

    /// A clock for a video of `framesPerSecond`, if it states them.
    init(framesPerSecond: Double?) { stepS = 1 / (framesPerSecond ?? Self.assumedFramesPerSecond) }

    /// The time of the next frame, whose container says `presentedS`.
    mutating func time(of presentedS: Double) -> Double {
        let first = firstS ?? presentedS
        firstS = first
        var time = presentedS - first
        if let latestS {
            if time > latestS { stepS = time - latestS } else { time = latestS + stepS }
        }
        latestS = time
        return time
    }
}
