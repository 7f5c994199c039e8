import FleetModel

/// Where an outbox lies and how much it may hold.
public struct OutboxSettings: Sendable {
    /// The SQLite file; `PATH.lock` and `PATH.seq` lie beside it.
    public var path: String
    /// Whose alerts they are.
    public var identity: VehicleIdentity
    /// Bound on the payloads that wait, in bytes.
    public var maximumBytes: Int64 = 256 << 20
    /// Bound on the rows that wait.
    public var maximumRows = 200_000
    /// Rows without a receipt that may be under way at once.
    public var window = 100
    /// Further rows that may be under way when they are critical, so that they overtake a backlog.
    public var urgentWindow = 20
    /// Refusals by the broker after which a message that it will never take is moved aside.
    public var refusalLimit = 3

    /// For `identity` at `path`, the rest as above.
    public init(path: String, identity: VehicleIdentity) {
        self.path = path
        self.identity = identity
    }
}
