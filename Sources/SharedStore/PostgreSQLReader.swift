import FleetModel
import FleetRuntime
import FleetStore
import FoundationEssentials
import PostgreSQL

/// A connection that only reads.
actor PostgreSQLReader {
    private let executor = BlockingExecutor(label: "fleet-store-reader")
    private let link: PostgreSQLLink
    private var connection: PostgreSQLConnection?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ link: PostgreSQLLink) { self.link = link }

    /// Asks once more on a new connection when the old one turns out to be lost: to read twice is harmless.
    func reading<T>(_ body: (PostgreSQLConnection) throws -> T) throws -> T {
        let isOld = connection != nil
        do { return try link.use(&connection, body) } catch let error as PostgreSQLError where error.isConnectionLost && isOld {
            return try link.use(&connection, body)
        }
    }

    func alerts(_ query: AlertQuery) throws -> AlertPage {
        try reading { connection in
            // Before the rows: what is committed in between is then read twice, never missed.
            let highest = try connection.query("SELECT cursor FROM counters").int64(0, 0)
            let rows = try Self.read(AlertListSQL(newest: query), connection)
            let page = Array(rows.prefix(query.limit))
            return AlertPage(alerts: page, nextCursor: highest, nextBefore: rows.count > page.count ? page.last?.cursor : nil)
        }
    }

    func changes(after cursor: Int64, _ query: AlertQuery) throws -> AlertPage {
        try reading { connection in
            let rows = try Self.read(AlertListSQL(after: cursor, query), connection)
            return AlertPage(alerts: rows, nextCursor: rows.last?.cursor ?? cursor)
        }
    }

    private static func read(_ wanted: AlertListSQL, _ connection: PostgreSQLConnection) throws -> [StoredAlert] {
        var list = wanted
        if let bounds = wanted.bounds {
            let row = try run(bounds, connection)
            guard let first = row.int64IfPresent(0, 0), let last = row.int64IfPresent(0, 1) else { return [] }
            list = wanted.narrowed(to: first...last)
        }
        for probe in list.probes {
            let page = try run(probe, connection)
            if page.count >= list.fullCount { return try storedAlerts(page) }
        }
        let span = try list.spanCount.map { try run($0, connection).int64(0, 0) }
        let isSpanSmall = span.map { $0 <= AlertListSQL.smallSpan } ?? false
        return try storedAlerts(run(list.complete(isSpanSmall: isSpanSmall), connection))
    }

    private static func run(_ statement: AlertListSQL.Statement, _ connection: PostgreSQLConnection) throws -> PostgreSQLResult {
        try connection.query(
            statement.text,
            statement.values.map {
                switch $0 {
                case .integer(let value): .integer(value)
                case .text(let value): .text(value)
                }
            })
    }

    /// Rows of payload, received_ms, late and cursor.
    private static func storedAlerts(_ rows: PostgreSQLResult) throws -> [StoredAlert] {
        try (0..<rows.count).map { row in
            StoredAlert(
                alert: try WireCodec.decodeStoredAlert(from: rows.data(row, 0)),
                receivedAt: Timestamp(millisecondsSinceEpoch: rows.int64(row, 1)), late: rows.int64(row, 2) != 0,
                cursor: rows.int64(row, 3), review: ReviewState(number: rows.int64(row, 4)))
        }
    }

    func history(of id: AlertID) throws -> [StoredAlert] {
        try reading { connection in
            try Self.storedAlerts(
                connection.query(
                    """
                    SELECT r.payload, r.received_ms, r.late, r.cursor, a.review FROM alerts a
                    JOIN revisions r ON r.fleet = a.fleet AND r.vehicle = a.vehicle AND r.id = a.id WHERE a.id = $1 ORDER BY r.revision
                    """, [.uuid(id.bytes)]))
        }
    }

    func vehicles() throws -> [VehicleRecord] { try records("") }

    func vehicle(_ who: VehicleIdentity) throws -> VehicleRecord? {
        try records("WHERE fleet = $1 AND vehicle = $2", [.text(who.fleet), .text(who.vehicle)]).first
    }

    private func records(_ condition: String, _ values: [PostgreSQLValue] = []) throws -> [VehicleRecord] {
        try reading { connection in
            let rows = try connection.query(
                """
                SELECT v.fleet, v.vehicle, v.seen_ms, v.status, v.heartbeat, v.heartbeat_ms,
                    (SELECT least(coalesce(sum(g.to_seq - g.from_seq + 1), 0), \(VehicleRecord.mostDropped))::bigint
                        FROM gaps g WHERE g.fleet = v.fleet AND g.vehicle = v.vehicle)
                FROM vehicles v \(condition) ORDER BY v.fleet COLLATE "C", v.vehicle COLLATE "C"
                """, values)
            let missing = try Self.missing(connection, condition, values)
            return (0..<rows.count).compactMap { row in
                guard let identity = VehicleIdentity(fleet: rows.string(row, 0), vehicle: rows.string(row, 1)) else { return nil }
                return VehicleRecord(
                    identity: identity,
                    status: rows.dataIfPresent(row, 3).flatMap { try? WireCodec.decode(VehicleStatus.self, from: $0) },
                    heartbeat: rows.dataIfPresent(row, 4).flatMap { try? WireCodec.decode(Heartbeat.self, from: $0) },
                    heartbeatReceivedAt: rows.int64IfPresent(row, 5).map(Timestamp.init(millisecondsSinceEpoch:)),
                    lastSeenAt: Timestamp(millisecondsSinceEpoch: rows.int64(row, 2)), missing: missing[identity] ?? [],
                    droppedByVehicle: rows.int64(row, 6))
            }
        }
    }

    /// Of each vehicle that has holes in its numbers the first ten.
    private static func missing(
        _ connection: PostgreSQLConnection, _ condition: String, _ values: [PostgreSQLValue]
    ) throws -> [VehicleIdentity: [VehicleRecord.MissingRange]] {
        let rows = try connection.query(
            """
            SELECT s.fleet, s.vehicle, lower(hole), upper(hole) - 1
            FROM sequences s, LATERAL (SELECT hole FROM unnest(int8multirange(range_merge(s.seen)) - s.seen) hole LIMIT 10) holes
            \(condition) ORDER BY 1, 2, 3
            """, values)
        var missing: [VehicleIdentity: [VehicleRecord.MissingRange]] = [:]
        for row in 0..<rows.count {
            guard let identity = VehicleIdentity(fleet: rows.string(row, 0), vehicle: rows.string(row, 1)) else { continue }
            missing[identity, default: []].append(.init(fromSeq: rows.int64(row, 2), toSeq: rows.int64(row, 3)))
        }
        return missing
    }

    func latestCursor() throws -> Int64 { try reading { try $0.query("SELECT cursor FROM counters").int64(0, 0) } }

    func totals() throws -> StoreTotals {
        try reading { connection in
            let row = try connection.query(
                """
                SELECT alerts, revisions, alert_bytes, (SELECT count(*) FROM vehicles), quarantined, quarantined_bytes, cursor
                FROM counters
                """)
            return StoreTotals(
                alerts: row.int64(0, 0), revisions: row.int64(0, 1), alertBytes: row.int64(0, 2), vehicles: row.int64(0, 3),
                quarantined: row.int64(0, 4), quarantinedBytes: row.int64(0, 5), cursor: row.int64(0, 6))
        }
    }
}
