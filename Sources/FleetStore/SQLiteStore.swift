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
        /// The one service on this store: a second one would not hear of what the first takes in. Others may still read and write a row.
        public var isSole = false

        /// The values above.
        public init() {}
    }

    private let executor = BlockingExecutor(label: "fleet-store")
    /// Held as long as the store is open.
    private let lock: StoreLock?
    let database: Database
    let settings: Settings
    /// What a row of the quarantine takes besides its payload, in bytes; keeps even empty messages within the bound.
    private static let quarantineRowBytes: Int64 = 256
    /// Bytes in quarantine, counted along; nil when they have to be summed up anew.
    private var quarantineSize: Int64?

    /// The store's own queue: nothing that waits for the disk runs on the cooperative pool.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens or makes the store at `path` and brings its tables up to date. Throws `UserError` in one line.
    public init(path: String, settings: Settings = Settings()) throws {
        self.settings = settings
        lock = settings.isSole ? try Self.takeLock(path) : nil
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

    private static func takeLock(_ path: String) throws -> StoreLock {
        do throws(StoreLock.Failure) { return try StoreLock(path: path + ".lock") } catch {
            if error.isTaken { throw UserError(.unavailable, "\(path): another fleet-sync serves this store; stop it first") }
            throw UserError(.ioError, "\(error.path): cannot be made (\(error.message)); check folder and permissions")
        }
    }

    static func userError(_ error: SQLiteError) -> UserError {
        if error.isBusy { return UserError(.unavailable, "\(error.path): another program holds the store; stop it first") }
        if error.isCorruption || error.isForeign {
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
        do {
            return try database.transaction {
                let outcomes = try batch.map(storeOne)
                try trimQuarantine()
                return outcomes
            }
        } catch {
            // What was counted in this transaction is not there.
            quarantineSize = nil
            throw error
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
            return try storeStatus(status, receivedAt)
        case .statusCleared(let who):
            return try decommission(who) ? .stored(cursor: 0) : .duplicate
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

    /// Notes when the vehicle was last heard of, and that it exists.
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

    private func storeStatus(_ status: VehicleStatus, _ receivedAt: Timestamp) throws -> StoreOutcome {
        let who = status.identity
        let payload = try WireCodec.encode(status)
        let known = try database.first(
            "SELECT status, session FROM vehicles WHERE fleet=? AND vehicle=?", [.text(who.fleet), .text(who.vehicle)]
        ) { ($0.dataIfPresent(0), $0.int64IfPresent(1)) }
        // Retained: every connection of this service brings it again, and that says nothing new of the vehicle.
        if let known, known.0 == payload { return .duplicate }
        if let session = known?.1, session > status.session { return .superseded }
        // A last will is the broker's word, not the vehicle's.
        try see(who, status.reason == .lost ? min(status.connectedAt, receivedAt) : receivedAt)
        try database.run(
            "UPDATE vehicles SET status=?, session=? WHERE fleet=? AND vehicle=?", .blob(payload), .integer(status.session),
            .text(who.fleet), .text(who.vehicle))
        return .stored(cursor: 0)
    }

    /// Adds the range to the vehicle's accounted numbers and joins it with those that it touches.
    private func account(for who: VehicleIdentity, _ from: Int64, _ to: Int64) throws {
        let key: [SQLiteValue] = [.text(who.fleet), .text(who.vehicle)]
        var joined = (from: from, to: to)
        var touching: [Int64] = []
        // Ranges never overlap: from the highest down, the first that does not touch is followed by none that does.
        try database.forEach(
            "SELECT from_seq, to_seq FROM sequences WHERE fleet=? AND vehicle=? AND from_seq <= ? ORDER BY from_seq DESC",
            key + [.integer(to + 1)]
        ) { row in
            guard row.int64(1) >= from - 1 else { return false }
            touching.append(row.int64(0))
            joined = (min(joined.from, row.int64(0)), max(joined.to, row.int64(1)))
            return true
        }
        for start in touching {
            try database.run("DELETE FROM sequences WHERE fleet=? AND vehicle=? AND from_seq=?", key[0], key[1], .integer(start))
        }
        try database.run(
            "INSERT INTO sequences(fleet, vehicle, from_seq, to_seq) VALUES(?,?,?,?)", key[0], key[1], .integer(joined.from),
            .integer(joined.to))
    }

    private func quarantine(_ topic: String, _ payload: Data, _ reason: String, _ receivedAt: Timestamp) throws {
        let size = try quarantinedBytes() + Self.quarantineRowBytes + Int64(payload.count)
        try database.run(
            "INSERT INTO quarantine(received_ms, topic, reason, payload) VALUES(?,?,?,?)",
            .integer(receivedAt.millisecondsSinceEpoch), .text(String(topic.prefix(512))), .text(reason), .blob(payload))
        quarantineSize = size
    }

    private func trimQuarantine() throws {
        while let size = quarantineSize, size > settings.quarantineBytes {
            let oldest = "FROM quarantine ORDER BY number LIMIT 100"
            try database.run("DELETE FROM quarantine WHERE number IN (SELECT number \(oldest))")
            quarantineSize = nil
            _ = try quarantinedBytes()
        }
    }

    /// Bytes in quarantine: payloads, and for every row a share for topic, reason and the row itself.
    func quarantinedBytes() throws -> Int64 {
        if let quarantineSize { return quarantineSize }
        let size =
            try database.first("SELECT total(length(payload)) + count(*) * \(Self.quarantineRowBytes) FROM quarantine") {
                $0.int64(0)
            } ?? 0
        quarantineSize = size
        return size
    }
}
