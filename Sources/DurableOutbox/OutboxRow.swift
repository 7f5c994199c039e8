import FleetModel
import FleetRuntime
import FoundationEssentials

/// One thing that waits for its receipt.
public struct OutboxRow: Hashable, Sendable {
    /// What a row holds.
    public enum Content: Int, Hashable, Sendable {
        /// A revision of an alert.
        case alert = 0
        /// A gap event.
        case gap = 1
        /// An alert's picture.
        case snapshot = 2
    }

    /// Names the row within the file.
    public var number: Int64
    /// What it holds.
    public var content: Content
    /// The alert's id, or the gap event's; of a snapshot the id of its alert.
    public var id: AlertID
    /// The alert's revision; 1 for a gap event, 0 for a snapshot.
    public var revision: Int
    /// What is sent: JSON, or a JPEG.
    public var payload: Data
    /// How often it was handed over since the program started, this time included.
    public var attempt: Int

    /// Value of the payload's `schema`; nil for a snapshot.
    public var schema: String? {
        switch content {
        case .alert: Alert.schema
        case .gap: GapEvent.schema
        case .snapshot: nil
        }
    }
}

/// What became of an alert that was to be stored.
public enum AppendResult: Hashable, Sendable {
    /// It is on disk under this sequence number.
    case stored(seq: Int64)
    /// It is not stored; a gap event tells of its number.
    case failed(OutboxFailure)
}

/// Why the outbox could not do what it was asked for.
public enum OutboxFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// No room, or the disk reports errors.
    case diskTrouble(String)
    /// The disk is nearly full, and what is left is kept for more important ones.
    case noRoom
    /// The payload is larger than anything that is sent.
    case tooLarge(bytes: Int, limit: Int)
    /// Anything else that SQLite reports.
    case store(String)

    /// One line.
    public var description: String {
        switch self {
        case .diskTrouble(let text): "the disk is full or failing: \(text)"
        case .noRoom: "the room that is left is kept for more important alerts"
        case .tooLarge(let bytes, let limit): "\(bytes) bytes are more than the \(limit) that are sent"
        case .store(let text): text
        }
    }
}

/// How an outbox stands.
public struct OutboxStatus: Hashable, Sendable {
    /// Rows that wait.
    public var rows = 0
    /// Their payloads in bytes.
    public var bytes: Int64 = 0
    /// Rows in the table of rejected ones.
    public var rejected = 0
    /// Rows dropped for want of room or for their age since the program started.
    public var dropped = 0
    /// Alerts and snapshots that were not accepted, because the disk is full, since the program started.
    public var refused = 0
    /// Whether the bound is reached.
    public var isFull = false
    /// Whether the disk is too full for everything to be accepted, or the last attempt to store failed.
    public var isDiskTroubled = false

    /// An empty outbox that works.
    public init() {}

    /// What stands in the heartbeat.
    public var queue: Heartbeat.Queue { Heartbeat.Queue(alerts: rows, bytes: bytes) }
}
