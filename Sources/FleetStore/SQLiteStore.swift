import FleetModel
import FleetRuntime
import FoundationEssentials
import SQLite

/// The embedded store: one SQLite file, one writer, on a queue of its own because SQLite blocks.
public actor SQLiteStore: AlertStore {
    /// How the store behaves.
    public struct Settings: Sendable {
        /// Seconds after which an arriving alert counts as late.
        public var lateAfterS = 60.0
        /// Bound on the bytes in quarantine; the oldest go.
        public var quarantineBytes: Int64 = 64 << 20
        /// Only read; the file must exist.
        public var isReadOnly = false

        /// The values above.
        public init() {}
    }

    private let executor = BlockingExecutor(label: "fleet-store")
    let database: Database
    let settings: Settings

    /// The store's own queue: nothing that waits for the disk runs on the cooperative pool.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens or makes the store at `path` and brings its tables up to date. Throws `UserError` in one line.
    public init(path: String, settings: Settings = Settings()) throws {
        self.settings = settings
        do {
            if settings.isReadOnly {
                database = try Database(path: path, options: .reading)
            } else {
                database = try Database(path: path)
                try database.migrate(SQLiteSchema.steps)
            }
        } catch let error as SQLiteError {
            throw Self.userError(error)
        }
    }

    static func userError(_ error: SQLiteError) -> UserError {
        if error.isBusy { return UserError(.unavailable, "\(error.path): another program holds the store; stop it first") }
        if error.isCorruption {
            return UserError(
                .badData,
                "\(error.path): not a store of fleet-sync, or damaged (\(error.message)); restore a backup or move the file aside")
        }
        if error.code.primary == .cannotOpen {
            return UserError(.noInput, "\(error.path): cannot be opened (\(error.message)); check path and permissions")
        }
        return UserError(.ioError, error.description)
    }

    /// See `AlertStore`.
    public func store(_ batch: [IncomingItem]) throws -> [StoreOutcome] {
        try database.transaction {
            let outcomes = try batch.map(storeOne)
            try trimQuarantine()
            return outcomes
        }
    }

    private func storeOne(_ item: IncomingItem) throws -> StoreOutcome {
        switch item {
        case .alert(let alert, let payload, let receivedAt):
            try see(alert.identity, receivedAt)
            return try storeAlert(alert, payload, receivedAt)
        case .gap(let gap, _, let receivedAt):
            try see(gap.identity, receivedAt)
            return try storeGap(gap, receivedAt)
        case .status(let status, let receivedAt):
            try see(status.identity, receivedAt)
            return try storeStatus(status)
        case .heartbeat(let heartbeat, let payload, let receivedAt):
            try see(heartbeat.identity, receivedAt)
            try database.run(
                "UPDATE vehicles SET heartbeat=?, heartbeat_ms=? WHERE fleet=? AND vehicle=?", .blob(payload),
                .integer(receivedAt.millisecondsSinceEpoch), .text(heartbeat.identity.fleet), .text(heartbeat.identity.vehicle))
            return .stored(cursor: 0)
        case .quarantine(let topic, let payload, let reason, let receivedAt):
            try quarantine(topic, payload, reason, receivedAt)
            return .stored(cursor: 0)
        }
    }

    private func see(_ who: VehicleIdentity, _ at: Timestamp) throws {
        try database.run(
            "INSERT INTO vehicles(fleet, vehicle, seen_ms) VALUES(?,?,?) ON CONFLICT DO UPDATE SET seen_ms=max(seen_ms, excluded.seen_ms)",
            .text(who.fleet), .text(who.vehicle), .integer(at.millisecondsSinceEpoch))
    }

    private func storeAlert(_ alert: Alert, _ payload: Data, _ receivedAt: Timestamp) throws -> StoreOutcome {
        let who = alert.identity
        let key: [SQLiteValue] = [.text(who.fleet), .text(who.vehicle), .text(alert.id.description), .integer(alert.revision)]
        let known = try database.first("SELECT payload FROM revisions WHERE fleet=? AND vehicle=? AND id=? AND revision=?", key) {
            $0.data(0)
        }
        if let known {
            if known == payload { return .duplicate }
            let topic = Topic.alert(who).name
            try quarantine(topic, payload, "revision \(alert.revision) of \(alert.id) is there with other bytes", receivedAt)
            return .conflict
        }
        let late = receivedAt.seconds(since: alert.at) > settings.lateAfterS
        try database.run(
            "INSERT INTO revisions(fleet, vehicle, id, revision, received_ms, late, payload) VALUES(?,?,?,?,?,?,?)", key[0], key[1],
            key[2],
            key[3], .integer(receivedAt.millisecondsSinceEpoch), .integer(late ? 1 : 0), .blob(payload))
        let cursor = database.lastInsertRowID
        // A revision that was overtaken changes nothing that a list shows.
        try database.run(
            """
            INSERT INTO alerts(fleet, vehicle, id, revision, cursor, started_ms, kind, severity, origin) VALUES(?,?,?,?,?,?,?,?,?)
            ON CONFLICT DO UPDATE SET revision=excluded.revision, cursor=excluded.cursor, started_ms=excluded.started_ms,
                kind=excluded.kind, severity=excluded.severity, origin=excluded.origin WHERE excluded.revision > revision
            """, key[0], key[1], key[2], key[3], .integer(cursor), .integer(alert.startedAt.millisecondsSinceEpoch),
            .text(alert.kind.rawValue), .integer(SeverityColumn.number(alert.severity)), .text(alert.origin.rawValue))
        if alert.origin == .live { try account(for: who, alert.seq, alert.seq) }
        return .stored(cursor: cursor)
    }

    private func storeGap(_ gap: GapEvent, _ receivedAt: Timestamp) throws -> StoreOutcome {
        let who = gap.identity
        let added = try database.run(
            "INSERT INTO gaps(fleet, vehicle, id, from_seq, to_seq, reason, received_ms) VALUES(?,?,?,?,?,?,?) ON CONFLICT DO NOTHING",
            .text(who.fleet), .text(who.vehicle), .text(gap.id.description), .integer(gap.fromSeq), .integer(gap.toSeq),
            .text(gap.reason.rawValue), .integer(receivedAt.millisecondsSinceEpoch))
        guard added > 0 else { return .duplicate }
        try account(for: who, gap.fromSeq, gap.toSeq)
        return .stored(cursor: 0)
    }

    private func storeStatus(_ status: VehicleStatus) throws -> StoreOutcome {
        let payload = try WireCodec.encode(status)
        let changed = try database.run(
            "UPDATE vehicles SET status=?, session=? WHERE fleet=? AND vehicle=? AND (session IS NULL OR session <= ?)",
            .blob(payload),
            .integer(status.session), .text(status.identity.fleet), .text(status.identity.vehicle), .integer(status.session))
        return changed > 0 ? .stored(cursor: 0) : .superseded
    }

    /// Adds the range to the vehicle's accounted numbers and joins it with those that it touches.
    private func account(for who: VehicleIdentity, _ from: Int64, _ to: Int64) throws {
        let key: [SQLiteValue] = [.text(who.fleet), .text(who.vehicle)]
        let touching = try database.query(
            "SELECT from_seq, to_seq FROM sequences WHERE fleet=? AND vehicle=? AND from_seq <= ? AND to_seq >= ?",
            key + [.integer(to + 1), .integer(from - 1)]
        ) { ($0.int64(0), $0.int64(1)) }
        if touching.count == 1, touching[0].0 <= from, touching[0].1 >= to { return }
        for range in touching {
            try database.run("DELETE FROM sequences WHERE fleet=? AND vehicle=? AND from_seq=?", key[0], key[1], .integer(range.0))
        }
        let joined = (touching.map(\.0).min().map { min($0, from) } ?? from, touching.map(\.1).max().map { max($0, to) } ?? to)
        try database.run(
            "INSERT INTO sequences(fleet, vehicle, from_seq, to_seq) VALUES(?,?,?,?)", key[0], key[1], .integer(joined.0),
            .integer(joined.1))
    }

    private func quarantine(_ topic: String, _ payload: Data, _ reason: String, _ receivedAt: Timestamp) throws {
        try database.run(
            "INSERT INTO quarantine(received_ms, topic, reason, payload) VALUES(?,?,?,?)",
            .integer(receivedAt.millisecondsSinceEpoch),
            .text(String(topic.prefix(512))), .text(reason), .blob(payload))
    }

    private func trimQuarantine() throws {
        while try quarantinedBytes() > settings.quarantineBytes {
            try database.run("DELETE FROM quarantine WHERE number IN (SELECT number FROM quarantine ORDER BY number LIMIT 100)")
        }
    }

    func quarantinedBytes() throws -> Int64 {
        try database.first("SELECT total(length(payload)) FROM quarantine") { $0.int64(0) } ?? 0
    }
}
