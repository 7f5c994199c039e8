import Testing

@testable import Capture

struct PresentationClockTests {
    @Test("Times start at 0, and where they do not grow the clock goes on by the step before")
    func flushedFrames() {
        var clock = PresentationClock(framesPerSecond: 10)
        #expect([5.0, 5.25, 5.5, 0, 0, 6.5].map { clock.time(of: $0) } == [0, 0.25, 0.5, 0.75, 1, 1.5])
    }

    @Test("A container without times runs at its stated rate", arguments: [(10.0 as Double?, 0.1), (nil, 1.0 / 30)])
    func noTimes(framesPerSecond: Double?, stepS: Double) {
        var clock = PresentationClock(framesPerSecond: framesPerSecond)
        #expect((0..<3).map { _ in clock.time(of: 0) } == [0, stepS, 2 * stepS])
    }
}
