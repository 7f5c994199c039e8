import FleetModel
import Synchronization

/// The vehicle's time of day, and what it rests on. Safe from every thread.
///
/// The system clock counts when the kernel says that something keeps it right and it is not before this program was made; else the
/// satellite receiver's time, once it can be believed; else the system clock for want of a better, marked `unsynchronised`. Order never
/// rests on it: events carry boot, monotonic time and sequence number.
public final class VehicleClock: FleetClock {
    /// One moment on both clocks.
    public struct Reading: Hashable, Sendable {
        /// The time of day.
        public var at: Timestamp
        /// The same moment on the monotonic clock, in s.
        public var monotonicS: Double
        /// What `at` rests on.
        public var state: ClockState

        /// All members.
        public init(at: Timestamp, monotonicS: Double, state: ClockState) {
            self.at = at
            self.monotonicS = monotonicS
            self.state = state
        }
    }

    /// An element each time that the time becomes known; one reader.
    public let known: AsyncStream<Reading>
    private let announce: AsyncStream<Reading>.Continuation
    private let system: any FleetClock
    private let kernelState: @Sendable () -> ClockState
    private let earliest: Timestamp
    private let state: Mutex<(satellites: SatelliteTime, last: ClockState)>

    /// Stands on `system`; `kernelState` says whether something keeps that right; no true time is before `earliest`.
    public init(
        system: any FleetClock = SystemClock(), kernelState: @escaping @Sendable () -> ClockState = { KernelClock.state() },
        earliest: Timestamp = SoftwareVersion.earliestTime
    ) {
        (known, announce) = AsyncStream.makeStream(of: Reading.self, bufferingPolicy: .bufferingNewest(1))
        self.system = system
        self.kernelState = kernelState
        self.earliest = earliest
        state = Mutex((SatelliteTime(earliest: earliest), .unsynchronised))
    }

    /// Takes a report of the satellite receiver that arrived at `atS` on the monotonic clock.
    public func observe(_ fixTime: Timestamp?, mode: Int, atS: Double) {
        state.withLock { $0.satellites.observe(fixTime, mode: mode, atS: atS) }
    }

    /// The time now.
    public func reading() -> Reading {
        let (wall, monotonicS, kernel) = (system.wallTime(), system.monotonicS(), kernelState())
        let (reading, isNew) = state.withLock { state in
            let reading: Reading =
                if kernel != .unsynchronised, wall >= earliest {
                    Reading(at: wall, monotonicS: monotonicS, state: kernel)
                } else if let offsetS = state.satellites.offsetS {
                    Reading(at: Timestamp(secondsSinceEpoch: offsetS + monotonicS), monotonicS: monotonicS, state: .gps)
                } else {
                    Reading(at: wall, monotonicS: monotonicS, state: .unsynchronised)
                }
            defer { state.last = reading.state }
            return (reading, state.last == .unsynchronised && reading.state != .unsynchronised)
        }
        if isNew { announce.yield(reading) }
        return reading
    }

    /// See `FleetClock`.
    public func wallTime() -> Timestamp { reading().at }
    /// See `FleetClock`.
    public func monotonicS() -> Double { system.monotonicS() }
}
