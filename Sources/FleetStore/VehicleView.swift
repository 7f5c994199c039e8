import FleetModel

/// A vehicle as the API shows it: presence judged at the moment of looking.
public struct VehicleView: Codable, Hashable, Sendable {
    /// Which fleet.
    public var fleet: String
    /// Which vehicle.
    public var vehicle: String
    /// Whether it is there.
    public var presence: VehiclePresence
    /// When anything was last received.
    public var lastSeenAt: Timestamp
    /// Seconds without a word after which it counts as stale.
    public var staleAfterS: Double?
    /// Its connection, as last told.
    public var status: VehicleStatus?
    /// Its last heartbeat.
    public var heartbeat: Heartbeat?
    /// When that was received.
    public var heartbeatReceivedAt: Timestamp?
    /// Holes in its sequence numbers.
    public var missing: [VehicleRecord.MissingRange]
    /// Events that the vehicle itself said it dropped.
    public var droppedByVehicle: Int64

    /// `record` as seen at `now`.
    public init(_ record: VehicleRecord, at now: Timestamp) {
        fleet = record.identity.fleet
        vehicle = record.identity.vehicle
        presence = record.presence(at: now)
        lastSeenAt = record.lastSeenAt
        staleAfterS = record.staleAfterS
        status = record.status
        heartbeat = record.heartbeat
        heartbeatReceivedAt = record.heartbeatReceivedAt
        missing = record.missing
        droppedByVehicle = record.droppedByVehicle
    }
}

/// The answer of `/api/v1/vehicles`.
public struct VehicleList: Codable, Hashable, Sendable {
    /// Every vehicle, by name.
    public var vehicles: [VehicleView]
    /// When they were looked at.
    public var at: Timestamp

    /// All members.
    public init(vehicles: [VehicleView], at: Timestamp) {
        self.vehicles = vehicles
        self.at = at
    }
}

/// The answer of `/api/v1/stats`.
public struct StatisticsList: Codable, Hashable, Sendable {
    /// From when on.
    public var since: Timestamp
    /// What the rows are.
    public var by: StatisticsGrouping
    /// The rows, by group.
    public var rows: [StatisticsRow]

    /// All members.
    public init(since: Timestamp, by: StatisticsGrouping, rows: [StatisticsRow]) {
        self.since = since
        self.by = by
        self.rows = rows
    }
}
