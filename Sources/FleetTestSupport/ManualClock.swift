import FleetModel
import FleetRuntime
import Synchronization

/// A clock that stands still until a test moves it.
public final class ManualClock: FleetClock {
    private let state: Mutex<(wall: Timestamp, monotonic: Double)>

    /// Stands at `wall` and `monotonicS`.
    public init(wall: Timestamp = Timestamp(secondsSinceEpoch: 1_772_352_000), monotonicS: Double = 1000) {
        state = Mutex((wall, monotonicS))
    }

    /// The time of day.
    public func wallTime() -> Timestamp { state.withLock { $0.wall } }
    /// Seconds on the steady clock.
    public func monotonicS() -> Double { state.withLock { $0.monotonic } }

    /// Moves both clocks on.
    public func advance(bySeconds seconds: Double) {
        state.withLock { $0 = ($0.wall.advanced(bySeconds: seconds), $0.monotonic + seconds) }
    }

    /// Sets the time of day, as a synchronisation does; the steady clock stays.
    public func setWallTime(_ wall: Timestamp) { state.withLock { $0.wall = wall } }
}
