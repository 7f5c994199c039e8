import FleetRuntime
import Testing

@testable import FleetLoad

@Suite struct SmallPartsTests {
    @Test func `a due queue gives what is due, the earliest first`() {
        var queue = DueQueue<Int>()
        for number in [5, 3, 9, 1, 7, 3, 8] { queue.add(number, atS: Double(number)) }
        var taken: [Int] = []
        while let next = queue.take(dueBy: 7.5) { taken.append(next) }
        #expect(taken == [1, 3, 3, 5, 7])
        #expect(queue.nextS == 8 && queue.count == 2)
    }

    @Test func `percentiles are right to 2 %`() {
        var times = LatencyHistogram()
        for number in 1...1000 { times.add(Double(number) / 1000) }
        for (share, expected) in [(0.5, 0.5), (0.9, 0.9), (0.99, 0.99), (1, 1)] {
            #expect(abs((times.percentile(share) ?? 0) / expected - 1) < 0.021)
        }
        #expect(LatencyHistogram().percentile(0.5) == nil)
        times.add(1e9)
        #expect(times.maximumS == 1e9)
    }

    @Test func `faults are read by name, and nonsense is refused in words`() throws {
        #expect(try FaultMix("drop=0.5,malformed=3").malformed == 3)
        for text in ["", "drop", "drop=2", "drop=-1", "drop=nan", "fire=0.1", "drop=0.1,", "malformed=101"] {
            #expect(throws: UserError.self, "\(text)") { try FaultMix(text) }
        }
    }
}
