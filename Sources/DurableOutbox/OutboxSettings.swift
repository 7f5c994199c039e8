import FleetRuntime
import FleetModel

/// Where an outbox lies and how much it may hold.
public struct OutboxSettings: Sendable {
    /// The SQLite file; `PATH.lock`, `PATH.seq` and `PATH.reserve` lie beside it.
    public var path: String
    /// Whose alerts they are.
    public var identity: VehicleIdentity
    /// Bound on the payloads that wait, in bytes.
    public var maximumBytes: Int64 = 256 << 20
    /// Bound on the rows that wait.
    public var maximumRows = 200_000
    /// Age in s at which what waits is dropped, unless it is critical; counted only where the clock was trusted. 30 days.
    public var maximumAgeS = 30 * 86_400.0
    /// Whether gap events tell of what is dropped; not for a replay, whose numbers are not the vehicle's.
    public var tellsGaps = true
    /// Rows without a receipt that may be under way at once.
    public var window = 100
    /// Further rows that may be under way when they are critical, so that they overtake a backlog.
    public var urgentWindow = 20
    /// Snapshots that may be under way at once. Few: a critical alert must not wait behind megabytes on a slow link.
    public var snapshotWindow = 2
    /// Refusals by the broker after which a message that it will never take is moved aside.
    public var refusalLimit = 3
    /// Connections that end at once when a message is sent alone, without the broker saying why, after which it is moved aside.
    public var silentLossLimit = 10
    /// Bytes set aside on the disk for critical alerts and receipts; at most a sixteenth of the file system. Also the step between the free
    /// bytes at which one severity after the other is no longer accepted.
    public var diskReserveBytes: Int64 = 4 << 20
    /// Free bytes on the file system of a path; nil when they cannot be told.
    public var freeBytes: @Sendable (_ path: String) -> Int64? = { FileSystemSpace.of($0)?.freeBytes }

    /// For `identity` at `path`, the rest as above.
    public init(path: String, identity: VehicleIdentity) {
        self.path = path
        self.identity = identity
    }
}
