import FleetModel

/// What the store knows of one vehicle.
public struct VehicleRecord: Codable, Hashable, Sendable {
    /// Most that `droppedByVehicle` tells: a vehicle that lies about its gaps cannot make the sum too large for a reader (2⁵³ - 1).
    package static let mostDropped: Int64 = 9_007_199_254_740_991

    /// Sequence numbers that never arrived.
    public struct MissingRange: Codable, Hashable, Sendable {
        /// First missing number.
        public var fromSeq: Int64
        /// Last missing number.
        public var toSeq: Int64
        /// All members.
        public init(fromSeq: Int64, toSeq: Int64) {
            self.fromSeq = fromSeq
            self.toSeq = toSeq
        }
    }

    /// Which vehicle.
    public var identity: VehicleIdentity
    /// Its connection, as last told; nil before the first status.
    public var status: VehicleStatus?
    /// Its last heartbeat; nil before the first.
    public var heartbeat: Heartbeat?
    /// When the last heartbeat was received.
    public var heartbeatReceivedAt: Timestamp?
    /// When anything was last received.
    public var lastSeenAt: Timestamp
    /// Holes in its sequence numbers that nothing explains, at most ten.
    public var missing: [MissingRange]
    /// Ranges that the vehicle itself said it dropped.
    public var droppedByVehicle: Int64

    /// All members.
    public init(
        identity: VehicleIdentity, status: VehicleStatus?, heartbeat: Heartbeat?, heartbeatReceivedAt: Timestamp?,
        lastSeenAt: Timestamp,
        missing: [MissingRange], droppedByVehicle: Int64
    ) {
        self.identity = identity
        self.status = status
        self.heartbeat = heartbeat
        self.heartbeatReceivedAt = heartbeatReceivedAt
        self.lastSeenAt = lastSeenAt
        self.missing = missing
        self.droppedByVehicle = droppedByVehicle
    }
}

/// Whether a vehicle is there, judged when it is looked at.
public enum VehiclePresence: String, Codable, Hashable, Sendable {
    /// Connected, heartbeats come.
    case online
    /// Connected as far as the broker knows, but three heartbeats are missing.
    case stale
    /// Not connected.
    case offline
}

extension VehicleRecord {
    /// Missed heartbeats after which an online vehicle counts as stale.
    public static let missedHeartbeats = 3.0
    /// Bounds on the interval that a heartbeat tells, in s: a vehicle may neither be stale at once nor online for ever.
    static let intervalRangeS = 1.0...60.0

    /// Whether the vehicle is there at `now`.
    public func presence(at now: Timestamp) -> VehiclePresence {
        guard let status, status.state == .online else { return .offline }
        // By this server's clock alone; the vehicle's may be wrong.
        return now.seconds(since: lastSeenAt) > staleAfterS ? .stale : .online
    }

    /// Seconds without a word after which an online vehicle counts as stale.
    public var staleAfterS: Double {
        let interval = min(max(heartbeat?.intervalS ?? 10, Self.intervalRangeS.lowerBound), Self.intervalRangeS.upperBound)
        return Self.missedHeartbeats * interval
    }
}
