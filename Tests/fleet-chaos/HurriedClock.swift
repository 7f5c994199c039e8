import FleetModel
import FleetRuntime

/// The computer's clocks, the steady one faster: 30 s until a resend are over in 3 s, and a run with many lost receipts ends in minutes.
struct HurriedClock: FleetClock {
    /// How many times faster.
    let factor: Double

    func wallTime() -> Timestamp { WallClock.now() }
    func monotonicS() -> Double { MonotonicTime.now() * factor }
}
