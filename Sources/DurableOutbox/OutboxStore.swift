import FleetModel
import FleetRuntime
import FoundationEssentials
import SQLite

/// The outbox's tables. Owned by the actor; every call may block on the disk.
final class OutboxStore {
    private static let migrations = [
        """
        CREATE TABLE meta(key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        INSERT INTO meta VALUES ('seq', 0), ('session', 0);
        CREATE TABLE waiting(
            number INTEGER PRIMARY KEY AUTOINCREMENT, content INTEGER NOT NULL, id TEXT NOT NULL, revision INTEGER NOT NULL,
            seq INTEGER, phase TEXT, severity INTEGER NOT NULL, payload BLOB NOT NULL, UNIQUE(id, revision));
        CREATE INDEX waiting_order ON waiting(severity = 3 DESC, number);
        CREATE TABLE rejected(
            number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, revision INTEGER NOT NULL, payload BLOB NOT NULL,
            reason TEXT NOT NULL, at TEXT NOT NULL);
        CREATE TABLE episodes(id TEXT PRIMARY KEY, payload BLOB NOT NULL) WITHOUT ROWID;
        """
    ]

    /// Rows that are kept of the rejected ones; older ones go, they are counted and were reported.
    private static let keptRejected = 1000

    let database: Database
    /// A number of rows and their payloads' bytes.
    struct Load {
        var rows = 0
        var bytes: Int64 = 0

        mutating func add(_ bytes: Int, sign: Int = 1) {
            rows += sign
            self.bytes += Int64(sign * bytes)
        }
    }

    /// The alerts and the gap events that wait: kept in step with the table. The bounds apply to alerts; gap events are fewer than
    /// alerts by nature, and counting them would let them push alerts out.
    private(set) var load: [OutboxRow.Content: Load] = [:]
    var alerts: Load { load[.alert, default: Load()] }
    var rows: Int { load.values.reduce(0) { $0 + $1.rows } }
    var bytes: Int64 { load.values.reduce(0) { $0 + $1.bytes } }

    /// Opens `path` and checks its structure. Throws `SQLiteError`.
    init(path: String) throws {
        database = try Database(path: path)
        if let finding = try database.quickCheck() {
            throw SQLiteError(code: .corrupt, operation: "quick_check", message: finding, path: path)
        }
        try database.migrate(Self.migrations)
        try recount()
    }

    /// Reads the counts from the table.
    func recount() throws {
        load = [:]
        try database.forEach("SELECT content, count(*), sum(length(payload)) FROM waiting GROUP BY content") { row in
            load[OutboxRow.Content(rawValue: row.int(0)) ?? .alert] = Load(rows: row.int(1), bytes: row.int64(2))
            return true
        }
    }

    func transaction<T>(_ body: () throws -> T) throws -> T {
        let before = load
        do { return try database.transaction(body) } catch {
            load = before
            throw error
        }
    }

    // MARK: counters

    func counter(_ key: String) throws -> Int64 {
        try database.first("SELECT value FROM meta WHERE key=?", [.text(key)]) { $0.int64(0) } ?? 0
    }

    func setCounter(_ key: String, _ value: Int64) throws {
        try database.run(
            "INSERT INTO meta VALUES (?,?) ON CONFLICT(key) DO UPDATE SET value=excluded.value", .text(key), .integer(value))
    }

    // MARK: rows

    /// The sequence number under which a revision waits; nil when it does not.
    func seq(of id: AlertID, revision: Int) throws -> Int64? {
        try database.first("SELECT seq FROM waiting WHERE id=? AND revision=?", [.text(id.description), .integer(revision)]) {
            $0.int64(0)
        }
    }

    func insert(_ alert: Alert, payload: Data) throws {
        try insert(.alert, alert.id, alert.revision, seq: alert.seq, phase: alert.phase, severity: alert.severity, payload)
        if alert.phase == .end {
            try database.run("DELETE FROM episodes WHERE id=?", .text(alert.id.description))
        } else {
            try database.run("INSERT OR REPLACE INTO episodes VALUES (?,?)", .text(alert.id.description), .blob(payload))
        }
    }

    func insert(_ gap: GapEvent, payload: Data) throws {
        try insert(.gap, gap.id, 1, seq: nil, phase: nil, severity: .warning, payload)
    }

    private func insert(
        _ content: OutboxRow.Content, _ id: AlertID, _ revision: Int, seq: Int64?, phase: AlertPhase?, severity: Severity,
        _ payload: Data
    ) throws {
        try database.run(
            "INSERT INTO waiting(content, id, revision, seq, phase, severity, payload) VALUES (?,?,?,?,?,?,?)",
            .integer(content.rawValue), .text(id.description), .integer(revision), .integer(seq), .text(phase?.rawValue),
            .integer(Severity.allCases.firstIndex(of: severity) ?? 0), .blob(payload))
        load[content, default: Load()].add(payload.count)
    }

    /// Critical rows first, then the oldest, as long as `wants` says so.
    func forEachInOrder(_ wants: (_ number: Int64, _ isUrgent: Bool) -> RowChoice) throws -> [OutboxRow] {
        var chosen: [OutboxRow] = []
        try database.forEach(
            "SELECT number, severity = 3, content, id, revision, payload FROM waiting ORDER BY severity = 3 DESC, number"
        ) { row in
            switch wants(row.int64(0), row.int(1) == 1) {
            case .skip: return true
            case .stop: return false
            case .take(let attempt):
                guard let id = AlertID(row.string(3)) else { return true }
                chosen.append(
                    OutboxRow(
                        number: row.int64(0), content: OutboxRow.Content(rawValue: row.int(2)) ?? .alert, id: id,
                        revision: row.int(4),
                        payload: row.data(5), attempt: attempt))
                return true
            }
        }
        return chosen
    }

    enum RowChoice { case skip, stop, take(attempt: Int) }

    /// Deletes the row of a revision; returns its number, nil when there is none.
    func delete(_ id: AlertID, revision: Int) throws -> Int64? {
        let found = try database.first(
            "SELECT number, content, length(payload) FROM waiting WHERE id=? AND revision=?",
            [.text(id.description), .integer(revision)]
        ) { (number: $0.int64(0), content: OutboxRow.Content(rawValue: $0.int(1)) ?? .alert, bytes: $0.int(2)) }
        guard let found else { return nil }
        try delete(number: found.number, found.content, bytes: found.bytes)
        return found.number
    }

    private func delete(number: Int64, _ content: OutboxRow.Content, bytes: Int) throws {
        guard try database.run("DELETE FROM waiting WHERE number=?", .integer(number)) == 1 else { return }
        load[content, default: Load()].add(bytes, sign: -1)
    }

    /// Moves a row to the table of rejected ones; false when it does not wait.
    func reject(_ id: AlertID, revision: Int, reason: String, at now: Timestamp) throws -> Int64? {
        try database.run(
            "INSERT INTO rejected(id, revision, payload, reason, at) SELECT id, revision, payload, ?, ? FROM waiting WHERE id=? AND revision=?",
            .text(reason), .text(now.description), .text(id.description), .integer(revision))
        try database.run("DELETE FROM rejected WHERE number <= (SELECT max(number) FROM rejected) - ?", .integer(Self.keptRejected))
        return try delete(id, revision: revision)
    }

    func rejectedCount() throws -> Int { try database.first("SELECT count(*) FROM rejected") { $0.int(0) } ?? 0 }

    /// The rejected rows, newest first.
    func rejected(limit: Int) throws -> [RejectedRow] {
        try database.query("SELECT id, revision, reason, at FROM rejected ORDER BY number DESC LIMIT ?", [.integer(limit)]) {
            RejectedRow(id: $0.string(0), revision: $0.int(1), reason: $0.string(2), at: $0.string(3))
        }
    }

    /// The last state of every episode that has no end.
    func openEpisodes() throws -> [Alert] {
        try database.query("SELECT payload FROM episodes ORDER BY id") { $0.data(0) }
            .compactMap { try? WireCodec.decode(Alert.self, from: $0) }
    }

    func forgetEpisodes() throws { try database.run("DELETE FROM episodes") }

    // MARK: room

    /// What is dropped first, in this order: superseded updates, other updates, then whole rows by rising severity; the oldest first.
    /// Gap events are never dropped.
    private static let droppingOrder = """
        SELECT number, seq, length(payload) FROM waiting AS w WHERE content = 0
        ORDER BY CASE WHEN phase <> 'update' THEN 2
            WHEN EXISTS (SELECT 1 FROM waiting AS later WHERE later.id = w.id AND later.revision > w.revision) THEN 0 ELSE 1 END,
            severity, number
        """

    /// Drops alerts until at most `bytes` and `rows` of them wait; returns the numbers and sequence numbers of what went.
    func drop(toBytes byteBound: Int64, rows rowBound: Int) throws -> [(number: Int64, seq: Int64)] {
        var victims: [(number: Int64, seq: Int64, bytes: Int)] = []
        var left = alerts
        try database.forEach(Self.droppingOrder) { row in
            guard left.rows > rowBound || left.bytes > byteBound else { return false }
            victims.append((row.int64(0), row.int64(1), row.int(2)))
            left.add(row.int(2), sign: -1)
            return true
        }
        for victim in victims { try delete(number: victim.number, .alert, bytes: victim.bytes) }
        return victims.map { ($0.number, $0.seq) }
    }

    /// Gap events that wait, with the numbers of their rows.
    func gaps() throws -> [(number: Int64, gap: GapEvent)] {
        try database.query("SELECT number, payload FROM waiting WHERE content = 1 ORDER BY number") { ($0.int64(0), $0.data(1)) }
            .compactMap { number, payload in (try? WireCodec.decode(GapEvent.self, from: payload)).map { (number, $0) } }
    }
}

/// One entry of the table of rejected rows.
public struct RejectedRow: Hashable, Sendable {
    /// The alert's id.
    public var id: String
    /// Its revision.
    public var revision: Int
    /// Why it was rejected.
    public var reason: String
    /// When.
    public var at: String
}
