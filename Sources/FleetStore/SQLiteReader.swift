import FleetModel
import FleetRuntime
import FoundationEssentials
import SQLite

/// A connection that only reads an SQLite store; what it reads is one consistent state, whatever is written meanwhile.
actor SQLiteReader {
    private let executor = BlockingExecutor(label: "fleet-store-reader")
    let database: Database
    /// See `AlertStore`.
    let shareKey: String

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The tables are those of an older program: only one that writes can bring them up to date.
    struct OldSchema: Error { let version: Int }

    init(path: String) throws {
        database = try Database(path: path, options: .reading)
        let version = try database.schemaVersion
        guard version >= SQLiteSchema.steps.count else { throw OldSchema(version: version) }
        shareKey = try database.first("SELECT share_key FROM counters") { $0.string(0) } ?? ""
    }

    func alerts(_ query: AlertQuery) throws -> AlertPage {
        // Before the rows: what another process commits in between is then read twice, never missed.
        let highest = try latestCursor()
        let rows = try read(AlertListSQL(newest: query))
        let page = Array(rows.prefix(query.limit))
        return AlertPage(alerts: page, nextCursor: highest, nextBefore: rows.count > page.count ? page.last?.cursor : nil)
    }

    func changes(after cursor: Int64, _ query: AlertQuery) throws -> AlertPage {
        let rows = try read(AlertListSQL(after: cursor, query))
        return AlertPage(alerts: rows, nextCursor: rows.last?.cursor ?? cursor)
    }

    private func read(_ wanted: AlertListSQL) throws -> [StoredAlert] {
        var list = wanted
        if let bounds = wanted.bounds {
            let cursors = try run(bounds) { row in
                row.int64IfPresent(0).flatMap { first in row.int64IfPresent(1).map { last in first...last } }
            }
            guard let cursors = cursors.first ?? nil else { return [] }
            list = wanted.narrowed(to: cursors)
        }
        for probe in list.probes {
            let page = try run(probe, Self.storedAlert)
            if page.count >= list.fullCount { return page }
        }
        let span = try list.spanCount.flatMap { try run($0) { $0.int64(0) }.first }
        return try run(list.complete(isSpanSmall: span.map { $0 <= AlertListSQL.smallSpan } ?? false), Self.storedAlert)
    }

    private func run<T>(_ statement: AlertListSQL.Statement, _ make: (borrowing Row) throws -> T) throws -> [T] {
        let values: [SQLiteValue] = statement.values.map {
            switch $0 {
            case .integer(let value): .integer(value)
            case .text(let value): .text(value)
            }
        }
        return try database.query(statement.text, values, make)
    }

    func history(of id: AlertID) throws -> [StoredAlert] {
        try database.query(
            """
            SELECT r.payload, r.received_ms, r.late, r.cursor, a.review FROM alerts a
            JOIN revisions r ON r.id = a.id AND r.fleet = a.fleet AND r.vehicle = a.vehicle WHERE a.id = ? ORDER BY r.revision
            """, [.text(id.description)], Self.storedAlert)
    }

    private static func storedAlert(_ row: borrowing Row) throws -> StoredAlert {
        StoredAlert(
            alert: try WireCodec.decodeStoredAlert(from: row.data(0)), receivedAt: Timestamp(millisecondsSinceEpoch: row.int64(1)),
            late: row.int64(2) != 0, cursor: row.int64(3), review: ReviewState(number: row.int64(4)))
    }

    func vehicles() throws -> [VehicleRecord] {
        try database.query("SELECT \(Self.vehicleColumns) FROM vehicles ORDER BY fleet, vehicle", [], Self.known)
            .compactMap { try $0.flatMap(record) }
    }

    func vehicle(_ who: VehicleIdentity) throws -> VehicleRecord? {
        try database.first(
            "SELECT \(Self.vehicleColumns) FROM vehicles WHERE fleet=? AND vehicle=?", [.text(who.fleet), .text(who.vehicle)],
            Self.known
        ).flatMap(\.self).map(record)
    }

    private static let vehicleColumns = "fleet, vehicle, seen_ms, status, heartbeat, heartbeat_ms"

    /// A vehicle without what is known of its sequence numbers.
    private static func known(_ row: borrowing Row) -> VehicleRecord? {
        guard let identity = VehicleIdentity(fleet: row.string(0), vehicle: row.string(1)) else { return nil }
        return VehicleRecord(
            identity: identity, status: row.dataIfPresent(3).flatMap { try? WireCodec.decode(VehicleStatus.self, from: $0) },
            heartbeat: row.dataIfPresent(4).flatMap { try? WireCodec.decode(Heartbeat.self, from: $0) },
            heartbeatReceivedAt: row.int64IfPresent(5).map(Timestamp.init(millisecondsSinceEpoch:)),
            lastSeenAt: Timestamp(millisecondsSinceEpoch: row.int64(2)), missing: [], droppedByVehicle: 0)
    }

    private func record(_ known: VehicleRecord) throws -> VehicleRecord {
        var record = known
        record.missing = try missing(known.identity)
        record.droppedByVehicle = try dropped(known.identity)
        return record
    }

    private func missing(_ who: VehicleIdentity) throws -> [VehicleRecord.MissingRange] {
        let ranges = try database.query(
            "SELECT from_seq, to_seq FROM sequences WHERE fleet=? AND vehicle=? ORDER BY from_seq LIMIT 11",
            [.text(who.fleet), .text(who.vehicle)]
        ) { ($0.int64(0), $0.int64(1)) }
        return zip(ranges, ranges.dropFirst()).map { VehicleRecord.MissingRange(fromSeq: $0.1 + 1, toSeq: $1.0 - 1) }
    }

    private func dropped(_ who: VehicleIdentity) throws -> Int64 {
        try database.first(
            "SELECT min(total(to_seq - from_seq + 1), \(VehicleRecord.mostDropped)) FROM gaps WHERE fleet=? AND vehicle=?",
            [.text(who.fleet), .text(who.vehicle)]
        ) { $0.int64(0) } ?? 0
    }

    func latestCursor() throws -> Int64 { try database.first("SELECT cursor FROM counters") { $0.int64(0) } ?? 0 }

    func totals() throws -> StoreTotals {
        let vehicles = try database.first("SELECT count(*) FROM vehicles") { $0.int64(0) } ?? 0
        let counted = try database.first(
            "SELECT alerts, revisions, alert_bytes, quarantined, quarantined_bytes, cursor FROM counters"
        ) { row in
            StoreTotals(
                alerts: row.int64(0), revisions: row.int64(1), alertBytes: row.int64(2), vehicles: vehicles,
                quarantined: row.int64(3),
                quarantinedBytes: row.int64(4), cursor: row.int64(5))
        }
        return counted
            ?? StoreTotals(
                alerts: 0, revisions: 0, alertBytes: 0, vehicles: vehicles, quarantined: 0, quarantinedBytes: 0, cursor: 0)
    }

    func backup(to path: String) throws { try database.backup(to: path) }
}
