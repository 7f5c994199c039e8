import FleetModel
import FleetRuntime
import Foundation
import SQLite

/// What can still be read of a broken outbox.
struct Salvage {
    /// Alerts that waited, by their sequence numbers.
    private(set) var alerts: [Int64: PayloadCarver.Found] = [:]
    /// Gap events that waited.
    private(set) var gaps: [GapEvent] = []
    /// Snapshots that waited.
    private(set) var snapshots: [(id: AlertID, takenAt: Timestamp?, jpeg: Data)] = []
    /// Last states of open episodes.
    private(set) var episodes: [Alert] = []
    /// The stored counters; nil where they cannot be read.
    private(set) var seq: Int64?
    private(set) var session: Int64?
    /// Whether every row of the queue could be read.
    private(set) var isComplete = false

    private let identity: VehicleIdentity

    /// Reads the database at `path` row by row round its damage, then its bytes.
    init(path: String, identity: VehicleIdentity) {
        self.identity = identity
        // Opening a database with a log removes what it has taken over from it: the bytes are searched first.
        var carved = PayloadCarver.alerts(inFile: path, of: identity)
        carved += PayloadCarver.alerts(inFile: path + "-wal", of: identity)
        if let database = try? Database(path: path) { read(database) }
        // What a row says counts more than what lies about, and of that the last.
        for found in carved.reversed() where alerts[found.alert.seq] == nil && (!isComplete || found.alert.seq > seq ?? .max) {
            alerts[found.alert.seq] = found
        }
    }

    private mutating func read(_ database: Database) {
        seq = counter("seq", database)
        session = counter("session", database)
        if let rows = try? database.query("SELECT payload FROM episodes", [], { $0.data(0) }) {
            episodes = rows.compactMap { try? WireCodec.decodeAlert(from: $0) }.filter { $0.identity == identity }
        }
        isComplete = true
        readRows(database)
    }

    private func counter(_ key: String, _ database: Database) -> Int64? {
        let value = try? database.first("SELECT value FROM meta WHERE key=?", [.text(key)]) { $0.int64(0) }
        return value.flatMap { SequenceNumber.range.contains($0) ? $0 : nil }
    }

    /// Reads the queue in the order of its keys; behind a place that cannot be read it goes on at the next key that can.
    private mutating func readRows(_ database: Database) {
        var position: Int64 = 0
        while true {
            do {
                guard let next = try take(after: position, from: database) else { return }
                // A broken page may lead back to one that was read.
                guard next > position else { return isComplete = false }
                position = next
            } catch {
                isComplete = false
                guard let readable = Self.readable(after: position, in: database) else { return }
                position = readable
            }
        }
    }

    private mutating func take(after position: Int64, from database: Database) throws -> Int64? {
        try database.first(
            "SELECT number, content, id, revision, payload, digest, dated_ms FROM waiting WHERE number > ? ORDER BY number LIMIT 1",
            [.integer(position)]
        ) { row in
            let (id, revision, payload) = (row.string(2), row.int(3), row.data(4))
            if let content = OutboxRow.Content(rawValue: row.int(1)),
                row.int64IfPresent(5).map({ $0 == RowDigest.of(content, id, revision, payload) }) ?? true
            {
                keep(content, id, payload, takenAt: row.int64IfPresent(6).map(Timestamp.init(millisecondsSinceEpoch:)))
            } else {
                isComplete = false
            }
            return row.int64(0)
        }
    }

    private mutating func keep(_ content: OutboxRow.Content, _ id: String, _ payload: Data, takenAt: Timestamp?) {
        switch content {
        case .alert:
            if let alert = try? WireCodec.decode(Alert.self, from: payload) { alerts[alert.seq] = (alert, payload) }
        case .gap:
            if let gap = try? WireCodec.decode(GapEvent.self, from: payload) { gaps.append(gap) }
        case .snapshot:
            if let id = AlertID(id) { snapshots.append((id, takenAt, payload)) }
        }
    }

    /// The lowest position above `position` from which reading goes on; nil when there is none within a million keys.
    private static func readable(after position: Int64, in database: Database) -> Int64? {
        func canRead(_ step: Int64) -> Bool {
            let sql = "SELECT length(payload) FROM waiting WHERE number > ? ORDER BY number LIMIT 1"
            return (try? database.first(sql, [.integer(position + step)]) { $0.int(0) }) != nil
        }
        var good: Int64 = 1
        while !canRead(good) {
            good *= 2
            if good > 1 << 20 { return nil }
        }
        var bad = good / 2
        while good - bad > 1 {
            let middle = (good + bad) / 2
            if canRead(middle) { good = middle } else { bad = middle }
        }
        return position + good
    }
}
