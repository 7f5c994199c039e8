import FleetModel
import FleetRuntime
import FleetStore
import FoundationEssentials
import PostgreSQL

/// The one connection of this instance that writes. Every batch is one transaction under the lock that orders all instances' commits.
actor PostgreSQLWriter {
    private let executor = BlockingExecutor(label: "fleet-store-writer")
    let link: PostgreSQLLink
    let settings: PostgreSQLStore.Settings
    var connection: PostgreSQLConnection?
    private let log = Log("store")

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ link: PostgreSQLLink, _ settings: PostgreSQLStore.Settings) {
        self.link = link
        self.settings = settings
    }

    /// How the row of `counters` changes, and the cursor that it holds.
    struct Counters {
        var cursor: Int64
        var quarantinedBytes: Int64
        var alerts: Int64 = 0
        var revisions: Int64 = 0
        var alertBytes: Int64 = 0
        var quarantined: Int64 = 0
    }

    func store(_ batch: [IncomingItem]) throws -> [StoreOutcome] {
        do { return try storeTogether(batch) } catch let error as PostgreSQLError where !error.passes {
            // Something in it is what the server will never take; it must not hold up the rest for ever.
            return try batch.map { try storeAlone($0) }
        }
    }

    private func storeAlone(_ item: IncomingItem) throws -> StoreOutcome {
        do { return try storeTogether([item])[0] } catch let error as PostgreSQLError where !error.passes {
            log.error("the server refuses an item, which goes into quarantine: \(error)")
            guard let refused = item.asQuarantined(because: "the store refuses it: \(error.message)") else { return .duplicate }
            _ = try storeTogether([refused])
            return .conflict
        }
    }

    private func storeTogether(_ batch: [IncomingItem]) throws -> [StoreOutcome] {
        // Outside the lock: other instances need not wait for this.
        var digest = BatchDigest(batch, lateAfterS: settings.lateAfterS)
        return try transaction { connection, counters in
            try storeAlerts(&digest, connection, &counters)
            for row in digest.gaps { digest.settle(index: row.index, try storeGap(row, connection)) }
            try account(digest.sequenceRanges(), connection)
            try storeVehicles(&digest, connection)
            try quarantine(digest.quarantine, connection, &counters)
            return digest.finalOutcomes
        }
    }

    /// Runs `body` under the lock that orders commits, with the counters, and announces the commit to all instances.
    func transaction<T>(_ body: (PostgreSQLConnection, inout Counters) throws -> T) throws -> T {
        try link.use(&connection) { connection in
            try connection.transaction {
                try connection.query("SELECT pg_advisory_xact_lock($1)", [.integer(PostgreSQLSchema.cursorLock)])
                // A statement of its own: only one that begins after the lock was given sees what the last holder committed.
                let row = try connection.query("SELECT cursor, quarantined_bytes FROM counters")
                let before = Counters(cursor: row.int64(0, 0), quarantinedBytes: row.int64(0, 1))
                var counters = before
                let result = try body(connection, &counters)
                try connection.query(
                    """
                    UPDATE counters SET cursor = $1, quarantined_bytes = $2, alerts = alerts + $3, revisions = revisions + $4,
                        alert_bytes = alert_bytes + $5, quarantined = quarantined + $6
                    """,
                    [
                        .integer(counters.cursor), .integer(counters.quarantinedBytes), .integer(counters.alerts),
                        .integer(counters.revisions), .integer(counters.alertBytes), .integer(counters.quarantined),
                    ])
                if counters.cursor != before.cursor { try connection.query("SELECT pg_notify('\(PostgreSQLSchema.channel)', '')") }
                return result
            }
        }
    }

    private func storeAlerts(_ digest: inout BatchDigest, _ connection: PostgreSQLConnection, _ counters: inout Counters) throws {
        let rows = digest.alerts
        guard !rows.isEmpty else { return }
        let before = counters.cursor
        let key = AlertColumns(rows.map(\.alert))
        let added = try connection.query(
            """
            INSERT INTO revisions(fleet, vehicle, id, revision, cursor, received_ms, late, payload)
            SELECT fleet, vehicle, id, revision, $8 + place, received_ms, late <> 0, payload
            FROM unnest($1::text[], $2::text[], $3::uuid[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bytea[])
                WITH ORDINALITY AS u(fleet, vehicle, id, revision, received_ms, late, payload, place)
            ON CONFLICT DO NOTHING RETURNING cursor
            """,
            key.values + [
                .integers(rows.map(\.receivedAt.millisecondsSinceEpoch)), .integers(rows.map { $0.isLate ? 1 : 0 }),
                .blobs(rows.map(\.payload)), .integer(before),
            ])
        var isAdded = [Bool](repeating: false, count: rows.count)
        for row in 0..<added.count { isAdded[Int(added.int64(row, 0) - before) - 1] = true }
        var fresh: [(row: BatchDigest.AlertRow, cursor: Int64)] = []
        for (place, row) in rows.enumerated() where isAdded[place] {
            let cursor = before + Int64(place) + 1
            digest.settle(row, .stored(cursor: cursor))
            fresh.append((row, cursor))
            counters.alertBytes += Int64(row.payload.count) + Retention.overheadBytes
        }
        if let last = fresh.last { counters.cursor = last.cursor }
        counters.revisions += Int64(fresh.count)
        counters.alerts += try show(digest.newest(among: fresh), connection)
        try widenDays(of: fresh, connection)
        let known = zip(rows, isAdded).filter { !$0.1 }.map(\.0)
        for (row, isSame) in zip(known, try areSame(known, connection)) { digest.settle(row, isSame ? .duplicate : .conflict) }
    }

    /// Makes the revisions those that lists show, unless a higher one is; returns how many alerts are new.
    private func show(_ rows: [(row: BatchDigest.AlertRow, cursor: Int64)], _ connection: PostgreSQLConnection) throws -> Int64 {
        guard !rows.isEmpty else { return 0 }
        let alerts = rows.map(\.row.alert)
        let shown = try connection.query(
            """
            INSERT INTO alerts AS a(fleet, vehicle, id, revision, cursor, started_ms, kind, severity, origin, late)
            SELECT * FROM unnest($1::text[], $2::text[], $3::uuid[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::bigint[],
                $9::text[], $10::bigint[])
            ON CONFLICT (fleet, vehicle, id) DO UPDATE SET revision = excluded.revision, cursor = excluded.cursor,
                started_ms = excluded.started_ms, kind = excluded.kind, severity = excluded.severity, origin = excluded.origin,
                late = excluded.late
            WHERE excluded.revision > a.revision
            RETURNING xmax = 0
            """,
            AlertColumns(alerts).values + [
                .integers(rows.map(\.cursor)), .integers(alerts.map(\.startedAt.millisecondsSinceEpoch)),
                .texts(alerts.map(\.kind.rawValue)), .integers(alerts.map { Int64(SeverityColumn.number($0.severity)) }),
                .texts(alerts.map(\.origin.rawValue)), .integers(rows.map { $0.row.isLate ? 1 : 0 }),
            ])
        // A row that an INSERT made has no older version that somebody replaced.
        return (0..<shown.count).reduce(0) { $0 + shown.int64($1, 0) }
    }

    private func widenDays(of rows: [(row: BatchDigest.AlertRow, cursor: Int64)], _ connection: PostgreSQLConnection) throws {
        var days = DayBounds()
        for (row, cursor) in rows { days.add(row.alert.startedAt, at: cursor) }
        guard !days.cursors.isEmpty else { return }
        let bounds = Array(days.cursors)
        try connection.query(
            """
            INSERT INTO days AS d(day, first_cursor, last_cursor) SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])
            ON CONFLICT (day) DO UPDATE SET first_cursor = least(d.first_cursor, excluded.first_cursor),
                last_cursor = greatest(d.last_cursor, excluded.last_cursor)
            """,
            [.integers(bounds.map(\.key)), .integers(bounds.map(\.value.lowerBound)), .integers(bounds.map(\.value.upperBound))])
    }

    /// Whether the stored bytes of revisions that are there already are those that came.
    private func areSame(_ rows: [BatchDigest.AlertRow], _ connection: PostgreSQLConnection) throws -> [Bool] {
        guard !rows.isEmpty else { return [] }
        let answer = try connection.query(
            """
            SELECT coalesce((SELECT r.payload = u.payload FROM revisions r
                WHERE r.fleet = u.fleet AND r.vehicle = u.vehicle AND r.id = u.id AND r.revision = u.revision), false)
            FROM unnest($1::text[], $2::text[], $3::uuid[], $4::bigint[], $5::bytea[])
                WITH ORDINALITY AS u(fleet, vehicle, id, revision, payload, place) ORDER BY place
            """, AlertColumns(rows.map(\.alert)).values + [.blobs(rows.map(\.payload))])
        return (0..<answer.count).map { answer.int64($0, 0) != 0 }
    }

    private func storeGap(_ row: BatchDigest.GapRow, _ connection: PostgreSQLConnection) throws -> StoreOutcome {
        let gap = row.gap
        let added = try connection.query(
            "INSERT INTO gaps(fleet, vehicle, id, from_seq, to_seq, reason, received_ms) VALUES($1,$2,$3,$4,$5,$6,$7) ON CONFLICT DO NOTHING",
            [
                .text(gap.identity.fleet), .text(gap.identity.vehicle), .uuid(gap.id.bytes), .integer(gap.fromSeq),
                .integer(gap.toSeq),
                .text(gap.reason.rawValue), .integer(row.receivedAt.millisecondsSinceEpoch),
            ])
        return added.changedRows > 0 ? .stored(cursor: 0) : .duplicate
    }

    func trim(_ retention: Retention, now: Timestamp) throws -> Int {
        try transaction { connection, counters in
            let alertBytes = try connection.query("SELECT alert_bytes FROM counters").int64(0, 0)
            let oldest = try connection.query(
                """
                SELECT a.fleet, a.vehicle, a.id, max(r.received_ms) FILTER (WHERE r.cursor = a.cursor), count(*),
                    sum(octet_length(r.payload) + \(Retention.overheadBytes))::bigint
                FROM (SELECT * FROM alerts ORDER BY cursor LIMIT \(Retention.step)) a
                JOIN revisions r ON r.fleet = a.fleet AND r.vehicle = a.vehicle AND r.id = a.id
                GROUP BY a.cursor, a.fleet, a.vehicle, a.id ORDER BY a.cursor
                """)
            let ages = (0..<oldest.count).map { (Timestamp(millisecondsSinceEpoch: oldest.int64($0, 3)), oldest.int64($0, 5)) }
            let excess = retention.excess(of: ages, alertBytes: alertBytes, now: now)
            if let oldest = retention.oldest(now: now) {
                try connection.query("DELETE FROM gaps WHERE received_ms < $1", [.integer(oldest.millisecondsSinceEpoch)])
            }
            guard excess > 0 else { return 0 }
            let keys: [PostgreSQLValue] = [
                .texts((0..<excess).map { oldest.string($0, 0) }), .texts((0..<excess).map { oldest.string($0, 1) }),
                .uuids((0..<excess).map { Array(oldest.data($0, 2)) }),
            ]
            for table in ["revisions", "alerts", "reviews"] {
                try connection.query(
                    """
                    DELETE FROM \(table) t USING unnest($1::text[], $2::text[], $3::uuid[]) AS u(fleet, vehicle, id)
                    WHERE t.fleet = u.fleet AND t.vehicle = u.vehicle AND t.id = u.id
                    """, keys)
            }
            try connection.query("DELETE FROM days WHERE last_cursor < (SELECT min(cursor) FROM alerts)")
            counters.alerts -= Int64(excess)
            for row in 0..<excess {
                counters.revisions -= oldest.int64(row, 4)
                counters.alertBytes -= oldest.int64(row, 5)
            }
            return excess
        }
    }
}
