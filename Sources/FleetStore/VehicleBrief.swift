import FleetModel

/// As much of a vehicle as a map and a list of a thousand need.
public struct VehicleBrief: Codable, Hashable, Sendable {
    /// Which fleet.
    public var fleet: String
    /// Which vehicle.
    public var vehicle: String
    /// Whether it is there.
    public var presence: VehiclePresence
    /// When anything was last received.
    public var lastSeenAt: Timestamp
    /// Seconds without a word after which it counts as stale.
    public var staleAfterS: Double
    /// Where the last heartbeat says it is; absent when it does not.
    public var position: AlertPosition?
    /// Own speed in m/s; absent when unknown.
    public var speedMps: Double?
    /// What does not work.
    public var degraded: [Degradation]
    /// Alert messages that wait in the vehicle.
    public var waiting: Int
    /// Messages that never arrived, or that the vehicle dropped.
    public var missing: Int64

    /// `record` as seen at `now`.
    public init(_ record: VehicleRecord, at now: Timestamp) {
        fleet = record.identity.fleet
        vehicle = record.identity.vehicle
        presence = record.presence(at: now)
        lastSeenAt = record.lastSeenAt
        staleAfterS = record.staleAfterS
        position = record.heartbeat?.position
        speedMps = record.heartbeat?.speedMps
        degraded = record.heartbeat?.degraded ?? []
        waiting = record.heartbeat?.queue.alerts ?? 0
        missing = record.missing.reduce(record.droppedByVehicle) { $0 + $1.toSeq - $1.fromSeq + 1 }
    }
}

/// The answer of `/api/v1/vehicles?brief=true`.
public struct VehicleBriefList: Codable, Hashable, Sendable {
    /// Every vehicle, by name.
    public var vehicles: [VehicleBrief]
    /// When they were looked at.
    public var at: Timestamp

    /// All members.
    public init(vehicles: [VehicleBrief], at: Timestamp) {
        self.vehicles = vehicles
        self.at = at
    }
}
