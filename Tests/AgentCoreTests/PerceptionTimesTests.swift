import AgentCore
import Testing

@Suite struct PerceptionTimesTests {
    @Test("Frames per second are those of the time that passed, also when a heartbeat comes late")
    func rate() {
        var times = PerceptionTimes(startS: 100)
        #expect(PerceptionTimes().framesPerSecond(atS: 5) == nil)
        for _ in 0..<60 { times.add(milliseconds: 5) }
        #expect(times.framesPerSecond(atS: 106) == 10)
        _ = times.take(atS: 106)
        for _ in 0..<3000 { times.add(milliseconds: 5) }
        #expect(times.framesPerSecond(atS: 206) == 30)
    }

    @Test("Median and 99th percentile are of the times since the last look")
    func percentiles() {
        var times = PerceptionTimes(startS: 0)
        for i in 1...100 { times.add(milliseconds: Double(i)) }
        let taken = times.take(atS: 1)
        #expect(taken?.p50 == 51 && taken?.p99 == 100)
        #expect(times.take(atS: 2) == nil)
    }
}
