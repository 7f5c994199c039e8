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
        """,
        """
        -- dated_ms: the row's time where the clock was trusted; unset_boot: the boot whose clock was not, so that the time can be filled in.
        ALTER TABLE waiting ADD COLUMN lane INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE waiting ADD COLUMN importance INTEGER NOT NULL DEFAULT 10;
        ALTER TABLE waiting ADD COLUMN dated_ms INTEGER;
        ALTER TABLE waiting ADD COLUMN unset_boot TEXT;
        ALTER TABLE waiting ADD COLUMN digest INTEGER;
        UPDATE waiting SET lane = 0 WHERE content = 0 AND severity = 3;
        UPDATE waiting SET importance = 2 + 2 * severity + (phase <> 'update') WHERE content = 0;
        DROP INDEX waiting_order;
        CREATE INDEX waiting_lane ON waiting(lane, number);
        CREATE INDEX waiting_unset ON waiting(unset_boot) WHERE unset_boot IS NOT NULL;
        """,
    ]

    /// A file up to this size is checked with its indices when it is opened; of a larger one the structure alone, which takes a fraction.
    private static let fullCheckBytes: Int64 = 32 << 20

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

    /// What waits: kept in step with the table. The bounds apply to alerts and snapshots; gap events are fewer than alerts by nature, and
    /// counting them would let them push alerts out.
    private(set) var load: [OutboxRow.Content: Load] = [:]
    var bounded: Load {
        let (alerts, snapshots) = (load[.alert, default: Load()], load[.snapshot, default: Load()])
        return Load(rows: alerts.rows + snapshots.rows, bytes: alerts.bytes + snapshots.bytes)
    }
    var rows: Int { load.values.reduce(0) { $0 + $1.rows } }
    var bytes: Int64 { load.values.reduce(0) { $0 + $1.bytes } }

    /// Opens `path` and checks its structure. The log is moved into the database when it has `logBytes`, and keeps that much of the disk.
    /// Throws `SQLiteError`.
    init(path: String, logBytes: Int64) throws {
        database = try Database(path: path)
        // Sorting must not need a disk that may be full; what is deleted must not be found again when a broken file is searched.
        try database.execute(
            """
            PRAGMA temp_store=MEMORY; PRAGMA secure_delete=FAST; PRAGMA wal_autocheckpoint=\(logBytes / 4096);
            PRAGMA journal_size_limit=\(logBytes)
            """)
        let finding = try database.sizeBytes <= Self.fullCheckBytes ? database.integrityCheck() : database.quickCheck()
        if let finding { throw SQLiteError(code: .corrupt, operation: "check", message: finding, path: path) }
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

    /// The payload of the oldest alert that waits, else of an episode without an end; nil without either.
    func anyAlertPayload() throws -> Data? {
        let oldest = try database.first(
            "SELECT payload FROM waiting WHERE content=? ORDER BY number LIMIT 1", [.integer(OutboxRow.Content.alert.rawValue)]
        ) { $0.data(0) }
        return try oldest ?? database.first("SELECT payload FROM episodes LIMIT 1") { $0.data(0) }
    }

    /// Bytes of the file that are free for new rows without taking more of the disk.
    func reusableBytes() throws -> Int64 { try database.first("PRAGMA freelist_count") { $0.int64(0) * 4096 } ?? 0 }

    /// Moves the log into the database as far as the disk has room; the log keeps its own, to be used again from its beginning.
    func moveLog() { _ = try? database.first("PRAGMA wal_checkpoint(PASSIVE)") { $0.int(0) } }

    // MARK: counters

    func counter(_ key: String) throws -> Int64 {
        try database.first("SELECT value FROM meta WHERE key=?", [.text(key)]) { $0.int64(0) } ?? 0
    }

    func setCounter(_ key: String, _ value: Int64) throws {
        try database.run(
            "INSERT INTO meta VALUES (?,?) ON CONFLICT(key) DO UPDATE SET value=excluded.value", .text(key), .integer(value))
    }

    // MARK: rows

    /// Number and sequence number under which a revision waits; nil when it does not.
    func find(_ id: AlertID, revision: Int) throws -> (number: Int64, seq: Int64?)? {
        try database.first(
            "SELECT number, seq FROM waiting WHERE id=? AND revision=?", [.text(id.description), .integer(revision)]
        ) {
            ($0.int64(0), $0.int64IfPresent(1))
        }
    }

    func insert(_ alert: Alert, payload: Data) throws {
        let isDated = alert.clock != .unsynchronised
        // A critical alert goes at once, whatever it says of the year.
        let lane: Lane =
            alert.severity == .critical
            ? .urgent : isDated || alert.origin == .replay || alert.at >= SoftwareVersion.earliestTime ? .normal : .held
        try insert(
            NewRow(
                content: .alert, id: alert.id, revision: alert.revision, seq: alert.seq, phase: alert.phase,
                severity: alert.severity,
                lane: lane, importance: Importance.of(alert.severity, alert.phase),
                datedAt: isDated ? alert.at : nil, unsetBoot: isDated || alert.origin == .replay ? nil : alert.boot,
                payload: payload))
        try note(episode: alert, payload: payload)
    }

    /// Keeps the last state of an episode without an end.
    func note(episode alert: Alert, payload: Data) throws {
        if alert.phase == .end {
            try database.run("DELETE FROM episodes WHERE id=?", .text(alert.id.description))
        } else {
            try database.run("INSERT OR REPLACE INTO episodes VALUES (?,?)", .text(alert.id.description), .blob(payload))
        }
    }

    func insert(_ gap: GapEvent, payload: Data) throws {
        try insert(
            NewRow(
                content: .gap, id: gap.id, revision: 1, severity: .warning, lane: .normal, importance: Importance.gap,
                payload: payload))
    }

    /// Stores an alert's picture; a second one of the same alert takes the place of the first.
    func insert(snapshot jpeg: Data, of id: AlertID, takenAt: Timestamp?) throws {
        _ = try delete(id, revision: 0)
        try insert(
            NewRow(
                content: .snapshot, id: id, revision: 0, severity: .info, lane: .snapshot, importance: Importance.snapshot,
                datedAt: takenAt, payload: jpeg))
    }

    private struct NewRow {
        var content: OutboxRow.Content
        var id: AlertID
        var revision: Int
        var seq: Int64?
        var phase: AlertPhase?
        var severity: Severity
        var lane: Lane
        var importance: Int
        var datedAt: Timestamp?
        var unsetBoot: String?
        var payload: Data
    }

    private func insert(_ row: NewRow) throws {
        let id = row.id.description
        try database.run(
            """
            INSERT INTO waiting(content, id, revision, seq, phase, severity, lane, importance, dated_ms, unset_boot, digest, payload)
            VALUES (?,?,?,?,?,?,?,?,?,?,?,?)
            """,
            .integer(row.content.rawValue), .text(id), .integer(row.revision), .integer(row.seq), .text(row.phase?.rawValue),
            .integer(Severity.allCases.firstIndex(of: row.severity) ?? 0), .integer(row.lane.rawValue), .integer(row.importance),
            .integer(row.datedAt?.millisecondsSinceEpoch), .text(row.unsetBoot),
            .integer(RowDigest.of(row.content, id, row.revision, row.payload)), .blob(row.payload))
        load[row.content, default: Load()].add(row.payload.count)
    }

    // MARK: handing over

    enum RowChoice { case skip, stop, take(attempt: Int) }

    /// The rows of `lane` in their order, as long as `wants` says so; `damaged` are those whose bytes are not what was stored. `isAtEnd`
    /// says whether every row was asked about.
    func choose(from lane: Lane, _ wants: (_ number: Int64) -> RowChoice) throws -> Chosen {
        var chosen = Chosen()
        let direction = lane == .urgent ? "DESC" : "ASC"
        try database.forEach(
            "SELECT number, content, id, revision, payload, digest FROM waiting WHERE lane=? ORDER BY number \(direction)",
            [.integer(lane.rawValue)]
        ) { row in
            switch wants(row.int64(0)) {
            case .skip: return true
            case .stop:
                chosen.isAtEnd = false
                return false
            case .take(let attempt): chosen.take(row, attempt: attempt)
            }
            return true
        }
        return chosen
    }

    struct Chosen {
        var rows: [OutboxRow] = []
        var damaged: [Int64] = []
        var isAtEnd = true

        mutating func add(_ more: Chosen) {
            rows += more.rows
            damaged += more.damaged
            isAtEnd = isAtEnd && more.isAtEnd
        }

        mutating func take(_ row: borrowing Row, attempt: Int) {
            let (number, text, revision, payload) = (row.int64(0), row.string(2), row.int(3), row.data(4))
            guard let content = OutboxRow.Content(rawValue: row.int(1)), let id = AlertID(text),
                row.int64IfPresent(5).map({ $0 == RowDigest.of(content, text, revision, payload) }) ?? true
            else { return damaged.append(number) }
            rows.append(
                OutboxRow(number: number, content: content, id: id, revision: revision, payload: payload, attempt: attempt))
        }
    }

    /// One row by its number; nil when it is gone or damaged.
    func row(_ number: Int64, attempt: Int) throws -> OutboxRow? {
        var chosen = Chosen()
        try database.forEach(
            "SELECT number, content, id, revision, payload, digest FROM waiting WHERE number=?", [.integer(number)]
        ) {
            chosen.take($0, attempt: attempt)
            return true
        }
        return chosen.rows.first
    }

    /// The lane of a row; nil when it is gone.
    func lane(of number: Int64) throws -> Lane? {
        try database.first("SELECT lane FROM waiting WHERE number=?", [.integer(number)]) { $0.int(0) }.flatMap(Lane.init)
    }

    /// Deletes the row of a revision; returns its number, nil when there is none.
    func delete(_ id: AlertID, revision: Int) throws -> Int64? {
        guard let found = try find(id, revision: revision) else { return nil }
        _ = try delete(number: found.number)
        return found.number
    }

    /// Deletes a row; returns its sequence number where it had one.
    func delete(number: Int64) throws -> Int64? {
        let found = try database.first("SELECT content, length(payload), seq FROM waiting WHERE number=?", [.integer(number)]) {
            (content: OutboxRow.Content(rawValue: $0.int(0)) ?? .alert, bytes: $0.int(1), seq: $0.int64IfPresent(2))
        }
        guard let found, try database.run("DELETE FROM waiting WHERE number=?", .integer(number)) == 1 else { return nil }
        load[found.content, default: Load()].add(found.bytes, sign: -1)
        return found.seq
    }

    // MARK: episodes

    /// The last state of every episode that has no end.
    func openEpisodes() throws -> [Alert] {
        try database.query("SELECT payload FROM episodes ORDER BY id") { $0.data(0) }
            .compactMap { try? WireCodec.decode(Alert.self, from: $0) }
    }
}
