import FleetModel
import FleetRuntime
import FoundationEssentials
import SQLite

extension SQLiteStore {
    /// See `AlertStore`.
    public func alerts(_ query: AlertQuery) throws -> AlertPage {
        var clause = WhereClause(query)
        if let before = query.before { clause.add("a.cursor < ?", .integer(before)) }
        // Before the rows: what another process commits in between is then read twice, never missed.
        let highest = try latestCursor()
        let rows = try read(clause, "ORDER BY a.cursor DESC", limit: query.limit + 1)
        let page = Array(rows.prefix(query.limit))
        return AlertPage(alerts: page, nextCursor: highest, nextBefore: rows.count > page.count ? page.last?.cursor : nil)
    }

    /// See `AlertStore`.
    public func changes(after cursor: Int64, _ query: AlertQuery) throws -> AlertPage {
        var clause = WhereClause(query)
        clause.add("a.cursor > ?", .integer(cursor))
        let rows = try read(clause, "ORDER BY a.cursor", limit: query.limit)
        return AlertPage(alerts: rows, nextCursor: rows.last?.cursor ?? cursor)
    }

    private func read(_ clause: WhereClause, _ order: String, limit: Int) throws -> [StoredAlert] {
        try database.query(
            """
            SELECT r.payload, r.received_ms, r.late, r.cursor FROM alerts a JOIN revisions r ON r.cursor = a.cursor
            \(clause.text) \(order) LIMIT ?
            """, clause.values + [.integer(limit)], Self.storedAlert)
    }

    /// See `AlertStore`.
    public func history(of id: AlertID) throws -> [StoredAlert] {
        try database.query(
            """
            SELECT r.payload, r.received_ms, r.late, r.cursor FROM alerts a
            JOIN revisions r ON r.fleet = a.fleet AND r.vehicle = a.vehicle AND r.id = a.id WHERE a.id = ? ORDER BY r.revision
            """, [.text(id.description)], Self.storedAlert)
    }

    private static func storedAlert(_ row: borrowing Row) throws -> StoredAlert {
        StoredAlert(
            alert: try WireCodec.decode(Alert.self, from: row.data(0)), receivedAt: Timestamp(millisecondsSinceEpoch: row.int64(1)),
            late: row.int64(2) != 0, cursor: row.int64(3))
    }

    /// See `AlertStore`.
    public func vehicles() throws -> [VehicleRecord] {
        let rows = try database.query(
            "SELECT fleet, vehicle, seen_ms, status, heartbeat, heartbeat_ms FROM vehicles ORDER BY fleet, vehicle"
        ) { row in (row.string(0), row.string(1), row.int64(2), row.dataIfPresent(3), row.dataIfPresent(4), row.int64IfPresent(5)) }
        return try rows.compactMap { fleet, vehicle, seen, status, heartbeat, heartbeatMs in
            guard let identity = VehicleIdentity(fleet: fleet, vehicle: vehicle) else { return nil }
            return VehicleRecord(
                identity: identity, status: status.flatMap { try? WireCodec.decode(VehicleStatus.self, from: $0) },
                heartbeat: heartbeat.flatMap { try? WireCodec.decode(Heartbeat.self, from: $0) },
                heartbeatReceivedAt: heartbeatMs.map(Timestamp.init(millisecondsSinceEpoch:)),
                lastSeenAt: Timestamp(millisecondsSinceEpoch: seen), missing: try missing(identity),
                droppedByVehicle: try dropped(identity))
        }
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
            "SELECT total(to_seq - from_seq + 1) FROM gaps WHERE fleet=? AND vehicle=?", [.text(who.fleet), .text(who.vehicle)]
        ) { $0.int64(0) } ?? 0
    }

    /// See `AlertStore`.
    public func statistics(since: Timestamp, by grouping: StatisticsGrouping) throws -> [StatisticsRow] {
        let group =
            switch grouping {
            case .vehicle: "fleet || '/' || vehicle"
            case .kind: "kind"
            case .day: "strftime('%Y-%m-%d', started_ms / 1000, 'unixepoch')"
            }
        return try database.query(
            """
            SELECT \(group) AS g, count(*), sum(severity=0), sum(severity=1), sum(severity=2), sum(severity=3)
            FROM alerts WHERE started_ms >= ? AND origin = 'live' GROUP BY g ORDER BY g
            """, [.integer(since.millisecondsSinceEpoch)]
        ) {
            StatisticsRow(
                group: $0.string(0), alerts: $0.int(1), info: $0.int(2), caution: $0.int(3), warning: $0.int(4), critical: $0.int(5)
            )
        }
    }

    /// See `AlertStore`.
    public func latestCursor() throws -> Int64 { try database.first("SELECT max(cursor) FROM revisions") { $0.int64(0) } ?? 0 }

    /// See `AlertStore`.
    public func totals() throws -> StoreTotals {
        func count(_ sql: String) throws -> Int64 { try database.first(sql) { $0.int64(0) } ?? 0 }
        return StoreTotals(
            alerts: try count("SELECT count(*) FROM alerts"), revisions: try count("SELECT count(*) FROM revisions"),
            vehicles: try count("SELECT count(*) FROM vehicles"), quarantined: try count("SELECT count(*) FROM quarantine"),
            quarantinedBytes: try quarantinedBytes(), cursor: try latestCursor())
    }

    /// See `AlertStore`.
    public func decommission(_ identity: VehicleIdentity) throws -> Bool {
        try database.run("DELETE FROM vehicles WHERE fleet=? AND vehicle=?", .text(identity.fleet), .text(identity.vehicle)) > 0
    }

    /// See `AlertStore`.
    public func backup(to path: String) throws {
        do { try database.backup(to: path) } catch let error as SQLiteError { throw Self.userError(error) }
    }
}

/// Severities as numbers that sort.
enum SeverityColumn {
    static func number(_ severity: Severity) -> Int { Severity.allCases.firstIndex(of: severity) ?? 0 }
}

/// The conditions of a list of alerts and the values of their question marks.
private struct WhereClause {
    private var conditions: [String] = []
    private(set) var values: [SQLiteValue] = []

    init(_ query: AlertQuery) {
        if let since = query.since { add("a.started_ms >= ?", .integer(since.millisecondsSinceEpoch)) }
        if let until = query.until { add("a.started_ms < ?", .integer(until.millisecondsSinceEpoch)) }
        if let fleet = query.fleet { add("a.fleet = ?", .text(fleet)) }
        if let vehicle = query.vehicle { add("a.vehicle = ?", .text(vehicle)) }
        if let kind = query.kind { add("a.kind = ?", .text(kind.rawValue)) }
        if let severity = query.severity { add("a.severity >= ?", .integer(SeverityColumn.number(severity))) }
    }

    mutating func add(_ condition: String, _ value: SQLiteValue) {
        conditions.append(condition)
        values.append(value)
    }

    var text: String { conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ") }
}
