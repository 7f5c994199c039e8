import FleetModel
import Synchronization

/// What the pipeline knows at the moment, written by its thread and read by the heartbeat. Safe from every thread.
public final class VehicleState: Sendable {
    /// The values of one moment.
    public struct Values: Sendable {
        /// Where; nil when unknown.
        public var position: AlertPosition?
        /// Own speed in m/s; nil when unknown.
        public var speedMps: Double?
        /// Metres driven since installation.
        public var odometerM: Double?
        /// The limit that applies; nil when unknown.
        public var limit: Speed?
        /// NMEA mode of the last fix; nil without a receiver.
        public var gpsMode: Int?
        /// Frames replaced before they were looked at, since start.
        public var droppedFrames = 0
        /// Frames looked at and their times since the last heartbeat.
        public var perceptionTimes = PerceptionTimes()
        /// Alerts held back, by gate, since start.
        public var suppressed: [String: Int] = [:]
        /// What the camera, the receiver and the pipeline cannot do.
        public var degraded: Set<DegradedCode> = []
    }

    private let values = Mutex(Values())

    /// Nothing known.
    public init() {}

    /// Changes the values under the lock.
    public func update(_ change: (inout sending Values) -> Void) { values.withLock { change(&$0) } }
    /// Reads, and may reset, under the lock.
    public func read<T: Sendable>(_ body: (inout sending Values) -> sending T) -> T { values.withLock { body(&$0) } }
}
