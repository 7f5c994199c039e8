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
    }

    /// Names the row within the file.
    public var number: Int64
    /// What it holds.
    public var content: Content
    /// The alert's id, or the gap event's.
    public var id: AlertID
    /// The alert's revision; 1 for a gap event.
    public var revision: Int
    /// The JSON that is sent.
    public var payload: Data
    /// How often it was handed over since the program started, this time included.
    public var attempt: Int

    /// Value of the payload's `schema`.
    public var schema: String { content == .alert ? Alert.schema : GapEvent.schema }
}

/// What became of an alert that was to be stored.
public enum AppendResult: Hashable, Sendable {
    /// It is on disk under this sequence number.
    case stored(seq: Int64)
    /// It is not stored. A gap event will tell when storing works again.
    case failed(OutboxFailure)
}

/// Why the outbox could not do what it was asked for.
public enum OutboxFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// No room, or the disk reports errors.
    case diskTrouble(String)
    /// The payload is larger than anything that is sent.
    case tooLarge(bytes: Int)
    /// Anything else that SQLite reports.
    case store(String)

    /// One line.
    public var description: String {
        switch self {
        case .diskTrouble(let text): "the disk is full or failing: \(text)"
        case .tooLarge(let bytes): "an alert of \(bytes) bytes is larger than \(WireCodec.maximumPayloadBytes)"
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
    /// Rows dropped for want of room since the program started.
    public var dropped = 0
    /// Whether the bound is reached.
    public var isFull = false
    /// Whether the last attempt to store failed.
    public var isDiskTroubled = false

    /// An empty outbox that works.
    public init() {}

    /// What stands in the heartbeat.
    public var queue: Heartbeat.Queue { Heartbeat.Queue(alerts: rows, bytes: bytes) }
}
