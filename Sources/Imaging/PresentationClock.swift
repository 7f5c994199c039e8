/// Makes of the times that OpenCV reports the times of the frames: the first frame is at 0 and time only grows.
///
/// OpenCV 4.6 reports the decoding time instead of the presentation time where the latter is 0 (negative for the first frame of a video
/// with reordered frames), and 0 for the frames that the decoder still holds when the file ends. A stream's time jumps back
/// when its sender starts again. In all these cases the step between the frames goes on as it was.
struct PresentationClock {
    private var firstS: Double?
    private var lastS = 0.0
    private var stepS: Double
    /// Added to the reported time, so that it goes on after a jump back.
    private var shiftS = 0.0

    /// `framesPerSecond` gives the step until two frames have shown it; nil means 25.
    init(framesPerSecond: Double?) {
        stepS = 1 / (framesPerSecond.map { $0 > 0 ? $0 : 25 } ?? 25)
    }

    /// Time in s of the next frame, which OpenCV reports as `reportedS`.
    mutating func time(reportedS: Double) -> Double {
        guard let firstS else {
            // A decoding time: the presentation time is the stream's start.
            firstS = max(0, reportedS)
            return 0
        }
        var timeS = reportedS - firstS + shiftS
        if reportedS == 0 || !reportedS.isFinite {
            timeS = lastS + stepS
        } else if timeS <= lastS {
            shiftS += lastS + stepS - timeS
            timeS = lastS + stepS
        } else {
            stepS = timeS - lastS
        }
        lastS = timeS
        return timeS
    }
}
