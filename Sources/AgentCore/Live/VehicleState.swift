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

    /// Rings when `degraded` has changed; rings that nobody has heard are one. For one reader.
    public let degradedChanges: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation
    private let values = Mutex(Values())

    /// Nothing known.
    public init() { (degradedChanges, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1)) }

    /// Changes the values under the lock.
    public func update(_ change: (inout sending Values) -> Void) {
        let hasChanged = values.withLock { values in
            let before = values.degraded
            change(&values)
            return values.degraded != before
        }
        if hasChanged { bell.yield() }
    }
    /// Reads, and may reset, under the lock.
    public func read<T: Sendable>(_ body: (inout sending Values) -> sending T) -> T { values.withLock { body(&$0) } }
}
