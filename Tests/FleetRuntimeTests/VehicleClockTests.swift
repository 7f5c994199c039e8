import FleetModel
import FleetRuntime
import FleetTestSupport
import Synchronization
import Testing

/// When the satellite receiver's time counts, and which of two times does.
@Suite struct VehicleClockTests {
    static let noon = Timestamp("2026-11-30T12:00:00.000Z") ?? .epoch

    /// A receiver that reports `time` at the monotonic second `atS`, once a second, `count` times.
    static func report(_ satellites: inout SatelliteTime, from time: Timestamp, atS: Double, count: Int, mode: Int = 3) {
        for i in 0..<count { satellites.observe(time.advanced(bySeconds: Double(i)), mode: mode, atS: atS + Double(i)) }
    }

    @Test("T5 The time counts after three consecutive 3D fixes, not before; a fix of less in between starts the row anew")
    func threeFixes() {
        var satellites = SatelliteTime()
        Self.report(&satellites, from: Self.noon, atS: 10, count: 2)
        #expect(satellites.offsetS == nil)
        satellites.observe(Self.noon.advanced(bySeconds: 2), mode: 2, atS: 12)
        Self.report(&satellites, from: Self.noon.advanced(bySeconds: 3), atS: 13, count: 2)
        #expect(satellites.offsetS == nil)
        satellites.observe(Self.noon.advanced(bySeconds: 5), mode: 3, atS: 15)
        #expect(satellites.offsetS == Self.noon.secondsSinceEpoch - 10)
    }

    @Test("T5 Random times before a solid fix are never believed, nor are times that do not run as the clock does")
    func random() {
        var satellites = SatelliteTime()
        for (i, text) in ["2031-05-01T00:00:00Z", "2026-02-01T10:00:00Z", "2040-01-01T00:00:00Z", "2026-02-01T10:00:02Z"]
            .enumerated()
        {
            satellites.observe(Timestamp(text), mode: i % 2 == 0 ? 1 : 3, atS: Double(i))
        }
        // 3D, but two seconds of it to one of ours; then a receiver that repeats one fix.
        for i in 0..<20 { satellites.observe(Self.noon.advanced(bySeconds: Double(2 * i)), mode: 3, atS: 100 + Double(i)) }
        for i in 0..<20 { satellites.observe(Self.noon, mode: 3, atS: 200 + Double(i)) }
        satellites.observe(nil, mode: 3, atS: 300)
        #expect(satellites.offsetS == nil)
    }

    @Test("A fix that is reported several times counts once, and reports may be late by half a second")
    func lateReports() throws {
        var satellites = SatelliteTime()
        for (second, delays) in [(0, [0.1, 0.2]), (1, [0.4]), (2, [0.05, 0.1])] {
            for delay in delays {
                satellites.observe(Self.noon.advanced(bySeconds: Double(second)), mode: 3, atS: 50 + Double(second) + delay)
            }
        }
        let offsetS = try #require(satellites.offsetS)
        // The truth is noon at 50 s; the report with the least delay is 0.05 s late.
        #expect(abs(offsetS - (Self.noon.secondsSinceEpoch - 50.05)) < 0.001)
    }

    @Test(
        "T2 A week number that rolled over is repaired by the program's date, once or twice",
        arguments: [
            ("2007-04-16T12:00:00Z", "2026-11-30T12:00:00Z"), ("1987-08-31T12:00:00Z", "2026-11-30T12:00:00Z"),
            ("2026-11-30T12:00:00Z", "2026-11-30T12:00:00Z"), ("2045-08-01T00:00:00Z", "2045-08-01T00:00:00Z"),
        ])
    func rollover(stated: String, meant: String) throws {
        var satellites = SatelliteTime()
        Self.report(&satellites, from: try #require(Timestamp(stated)), atS: 0, count: 3)
        #expect(satellites.offsetS == Timestamp(meant)?.secondsSinceEpoch)
    }

    @Test("A time more than 1024 weeks after the program's date is none")
    func farFuture() throws {
        var satellites = SatelliteTime()
        Self.report(&satellites, from: try #require(Timestamp("2046-01-01T00:00:00Z")), atS: 0, count: 5)
        #expect(satellites.offsetS == nil)
    }

    @Test("Leap seconds that the receiver hears of later move the time after three fixes; one odd fix does not")
    func leapSeconds() {
        var satellites = SatelliteTime()
        Self.report(&satellites, from: Self.noon.advanced(bySeconds: 18), atS: 0, count: 5)
        let before = satellites.offsetS
        satellites.observe(Self.noon.advanced(bySeconds: 500), mode: 3, atS: 5)
        #expect(satellites.offsetS == before)
        Self.report(&satellites, from: Self.noon.advanced(bySeconds: 6), atS: 6, count: 3)
        #expect(satellites.offsetS == Self.noon.secondsSinceEpoch)
    }

    @Test("A believed time is moved by an hour only by thirty fixes in a row")
    func jump() {
        var satellites = SatelliteTime()
        Self.report(&satellites, from: Self.noon, atS: 0, count: 5)
        let before = satellites.offsetS
        Self.report(&satellites, from: Self.noon.advanced(bySeconds: 3605), atS: 5, count: 29)
        #expect(satellites.offsetS == before)
        Self.report(&satellites, from: Self.noon.advanced(bySeconds: 3634), atS: 34, count: 1)
        #expect(satellites.offsetS == Self.noon.advanced(bySeconds: 3600).secondsSinceEpoch)
    }

    /// What the kernel says, as a test sets it.
    final class Kernel: Sendable {
        private let state = Mutex(ClockState.unsynchronised)
        var value: ClockState {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    @Test("The kernel's word comes first, then the satellites, then the system clock as it is; the moment of knowing is told once")
    func precedence() async {
        let system = ManualClock(wall: Timestamp(secondsSinceEpoch: 100), monotonicS: 100)
        let kernel = Kernel()
        let clock = VehicleClock(system: system, kernelState: { kernel.value })
        #expect(clock.reading() == .init(at: Timestamp(secondsSinceEpoch: 100), monotonicS: 100, state: .unsynchronised))
        for i in 0..<3 { clock.observe(Self.noon.advanced(bySeconds: Double(i)), mode: 3, atS: 98 + Double(i)) }
        #expect(clock.reading() == .init(at: Self.noon.advanced(bySeconds: 2), monotonicS: 100, state: .gps))
        #expect(clock.wallTime() == Self.noon.advanced(bySeconds: 2))
        var known = clock.known.makeAsyncIterator()
        #expect(await known.next()?.state == .gps)
        // Synchronised, says the kernel of a clock at 1970: nobody set that.
        kernel.value = .ntp
        #expect(clock.reading().state == .gps)
        system.setWallTime(Self.noon)
        #expect(clock.reading() == .init(at: Self.noon, monotonicS: 100, state: .ntp))
        system.advance(bySeconds: 50)
        kernel.value = .unsynchronised
        #expect(clock.reading() == .init(at: Self.noon.advanced(bySeconds: 52), monotonicS: 150, state: .gps))
    }
}
