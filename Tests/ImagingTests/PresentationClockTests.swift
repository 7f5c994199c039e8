import Testing

@testable import Imaging

@Suite("Presentation times")
struct PresentationClockTests {
    private func times(_ reported: [Double], rate: Double? = 10) -> [Double] {
        var clock = PresentationClock(framesPerSecond: rate)
        return reported.map { (clock.time(reportedS: $0) * 1000).rounded() / 1000 }
    }

    @Test(
        "Time starts at 0 and grows, whatever is reported",
        arguments: [
            // As it should be, and with a stream that starts late.
            ([0, 0.1, 0.2], [0, 0.1, 0.2]),
            ([5, 5.1, 5.3], [0, 0.1, 0.3]),
            // A decoding time for the first frame of a video with reordered frames.
            ([-0.2, 0.1, 0.2], [0, 0.1, 0.2]),
            // 0 for the frames still in the decoder at the end: the last step goes on.
            ([0, 0.05, 0.1, 0, 0], [0, 0.05, 0.1, 0.15, 0.2]),
            // One frame, then unknown: the container's rate.
            ([0, 0, 0], [0, 0.1, 0.2]),
            // A frame shown twice at one time, and a sender that starts again.
            ([0, 0.1, 0.1, 0.2], [0, 0.1, 0.2, 0.3]),
            ([7, 7.1, 0.5, 0.6], [0, 0.1, 0.2, 0.3]),
            ([0, 0.1, .nan, 0.3], [0, 0.1, 0.2, 0.3]),
        ])
    func growing(_ reported: [Double], _ expected: [Double]) {
        #expect(times(reported) == expected)
    }

    @Test("Without a rate a frame lasts 40 ms")
    func noRate() {
        #expect(times([0, 0], rate: nil) == [0, 0.04])
        #expect(times([0, 0], rate: 0) == [0, 0.04])
    }
}
