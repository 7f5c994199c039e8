import FleetModel
import FleetRuntime
import FoundationEssentials
import SQLite

/// The one connection that writes an SQLite store.
actor SQLiteWriter {
    private let executor = BlockingExecutor(label: "fleet-store-writer")
    let database: Database
    private let settings: SQLiteStore.Settings

    /// The parts of the indexes that thousands of vehicles write to at the same time.
    private static let cacheKiB = 24 * 1024
    /// 16 MiB of log.
    private static let checkpointPages = 4000

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(path: String, settings: SQLiteStore.Settings) throws {
        self.settings = settings
        var options = Database.Options()
        (options.cacheKiB, options.checkpointPages) = (Self.cacheKiB, Self.checkpointPages)
        database = try Database(path: path, options: options)
        try database.migrate(SQLiteSchema.steps)
    }

    /// The row of `counters`.
    struct Counters: Equatable {
        var cursor: Int64 = 0
        var alerts: Int64 = 0
        var revisions: Int64 = 0
        var alertBytes: Int64 = 0
        var quarantined: Int64 = 0
        var quarantinedBytes: Int64 = 0
    }

    /// Runs `body` within one transaction with the counters, and writes them when it changed them.
    func transaction<T>(_ body: (inout Counters) throws -> T) throws -> T {
        try database.transaction {
            let known = try database.first(
                "SELECT cursor, alerts, revisions, alert_bytes, quarantined, quarantined_bytes FROM counters"
            ) { row in
                Counters(
                    cursor: row.int64(0), alerts: row.int64(1), revisions: row.int64(2), alertBytes: row.int64(3),
                    quarantined: row.int64(4), quarantinedBytes: row.int64(5))
            }
            let before = known ?? Counters()
            var counters = before
            let result = try body(&counters)
            if counters != before {
                try database.run(
                    "UPDATE counters SET cursor=?, alerts=?, revisions=?, alert_bytes=?, quarantined=?, quarantined_bytes=?",
                    .integer(counters.cursor), .integer(counters.alerts), .integer(counters.revisions),
                    .integer(counters.alertBytes),
                    .integer(counters.quarantined), .integer(counters.quarantinedBytes))
            }
            return result
        }
    }

    func store(_ batch: [IncomingItem]) throws -> [StoreOutcome] {
        var digest = BatchDigest(batch, lateAfterS: settings.lateAfterS)
        return try transaction { counters in
            var days = DayBounds()
            for row in digest.alerts {
                let outcome = try storeAlert(row, &counters)
                digest.settle(row, outcome)
                if case .stored(let cursor) = outcome { days.add(row.alert.startedAt, at: cursor) }
            }
            try widen(days)
            for row in digest.gaps { digest.settle(index: row.index, try storeGap(row)) }
            for (identity, ranges) in digest.sequenceRanges() { for range in ranges { try account(for: identity, range) } }
            try storeVehicles(&digest)
            for row in digest.quarantine { try quarantine(row, &counters) }
            try trimQuarantine(&counters)
            return digest.finalOutcomes
        }
    }

    private func storeAlert(_ row: BatchDigest.AlertRow, _ counters: inout Counters) throws -> StoreOutcome {
        let alert = row.alert
        let cursor = counters.cursor + 1
        let (fleet, vehicle): (SQLiteValue, SQLiteValue) = (.text(alert.identity.fleet), .text(alert.identity.vehicle))
        let (id, revision): (SQLiteValue, SQLiteValue) = (.text(alert.id.description), .integer(alert.revision))
        let added = try database.run(
            """
            INSERT INTO revisions(cursor, fleet, vehicle, id, revision, received_ms, late, payload) VALUES(?,?,?,?,?,?,?,?)
            ON CONFLICT DO NOTHING
            """, .integer(cursor), fleet, vehicle, id, revision, .integer(row.receivedAt.millisecondsSinceEpoch),
            .integer(row.isLate ? 1 : 0), .blob(row.payload))
        guard added > 0 else {
            let known = try database.first(
                "SELECT payload FROM revisions WHERE id=? AND revision=? AND fleet=? AND vehicle=?", [id, revision, fleet, vehicle]
            ) { $0.data(0) }
            return known == row.payload ? .duplicate : .conflict
        }
        counters.cursor = cursor
        counters.revisions += 1
        counters.alertBytes += Int64(row.payload.count) + Retention.overheadBytes
        if try show(row, cursor, fleet, vehicle, id) { counters.alerts += 1 }
        return .stored(cursor: cursor)
    }

    /// Makes the revision the one that lists show, unless a higher one is; returns whether the alert is new.
    private func show(
        _ row: BatchDigest.AlertRow, _ cursor: Int64, _ fleet: SQLiteValue, _ vehicle: SQLiteValue, _ id: SQLiteValue
    ) throws -> Bool {
        let alert = row.alert
        let late: SQLiteValue = .integer(row.isLate ? 1 : 0)
        let started: SQLiteValue = .integer(alert.startedAt.millisecondsSinceEpoch)
        let (kind, origin): (SQLiteValue, SQLiteValue) = (.text(alert.kind.rawValue), .text(alert.origin.rawValue))
        let severity: SQLiteValue = .integer(SeverityColumn.number(alert.severity))
        // The first revision overtakes none.
        if alert.revision > 1 {
            let overtaken = try database.run(
                """
                UPDATE alerts SET cursor=?, revision=?, started_ms=?, kind=?, severity=?, origin=?, late=?
                WHERE id=? AND fleet=? AND vehicle=? AND revision < ?
                """, .integer(cursor), .integer(alert.revision), started, kind, severity, origin, late, id, fleet, vehicle,
                .integer(alert.revision))
            if overtaken > 0 { return false }
        }
        return try database.run(
            """
            INSERT INTO alerts(cursor, fleet, vehicle, id, revision, started_ms, kind, severity, origin, late) VALUES(?,?,?,?,?,?,?,?,?,?)
            ON CONFLICT DO NOTHING
            """, .integer(cursor), fleet, vehicle, id, .integer(alert.revision), started, kind, severity, origin, late) > 0
    }

    private func widen(_ days: DayBounds) throws {
        for (day, cursors) in days.cursors {
            try database.run(
                """
                INSERT INTO days(day, first_cursor, last_cursor) VALUES(?,?,?)
                ON CONFLICT DO UPDATE SET first_cursor=min(first_cursor, excluded.first_cursor), last_cursor=max(last_cursor, excluded.last_cursor)
                """, .integer(day), .integer(cursors.lowerBound), .integer(cursors.upperBound))
        }
    }

    private func storeGap(_ row: BatchDigest.GapRow) throws -> StoreOutcome {
        let gap = row.gap
        let added = try database.run(
            "INSERT INTO gaps(fleet, vehicle, id, from_seq, to_seq, reason, received_ms) VALUES(?,?,?,?,?,?,?) ON CONFLICT DO NOTHING",
            .text(gap.identity.fleet), .text(gap.identity.vehicle), .text(gap.id.description), .integer(gap.fromSeq),
            .integer(gap.toSeq), .text(gap.reason.rawValue), .integer(row.receivedAt.millisecondsSinceEpoch))
        return added > 0 ? .stored(cursor: 0) : .duplicate
    }

    private func storeVehicles(_ digest: inout BatchDigest) throws {
        var known: [VehicleIdentity: VehicleChanges.Known] = [:]
        for who in digest.vehicles.asked {
            known[who] = try database.first(
                "SELECT status, session FROM vehicles WHERE fleet=? AND vehicle=?", [.text(who.fleet), .text(who.vehicle)]
            ) { VehicleChanges.Known(status: $0.dataIfPresent(0), session: $0.int64IfPresent(1)) }
        }
        for change in try digest.settleVehicles(known: known) {
            if change.isCleared { _ = try decommission(change.identity) }
            if let place = change.whereabouts { try note(place) }
            guard let seenAt = change.seenAt else { continue }
            try database.run(
                """
                INSERT INTO vehicles(fleet, vehicle, seen_ms, session, status, heartbeat, heartbeat_ms) VALUES(?,?,?,?,?,?,?)
                ON CONFLICT DO UPDATE SET seen_ms=max(seen_ms, excluded.seen_ms), session=coalesce(excluded.session, session),
                    status=coalesce(excluded.status, status), heartbeat=coalesce(excluded.heartbeat, heartbeat),
                    heartbeat_ms=coalesce(excluded.heartbeat_ms, heartbeat_ms)
                """, .text(change.identity.fleet), .text(change.identity.vehicle), .integer(seenAt.millisecondsSinceEpoch),
                .integer(change.session), .blob(change.status), .blob(change.heartbeat),
                .integer(change.heartbeatAt?.millisecondsSinceEpoch))
        }
    }

    func decommission(_ identity: VehicleIdentity) throws -> Bool {
        try database.run("DELETE FROM vehicles WHERE fleet=? AND vehicle=?", .text(identity.fleet), .text(identity.vehicle)) > 0
    }

    /// Adds the range to the vehicle's accounted numbers and joins it with those that it touches.
    private func account(for who: VehicleIdentity, _ range: ClosedRange<Int64>) throws {
        let (fleet, vehicle): (SQLiteValue, SQLiteValue) = (.text(who.fleet), .text(who.vehicle))
        var joined = range
        var touching: [Int64] = []
        // Ranges never overlap: from the highest down, the first that does not touch is followed by none that does.
        try database.forEach(
            "SELECT from_seq, to_seq FROM sequences WHERE fleet=? AND vehicle=? AND from_seq <= ? ORDER BY from_seq DESC",
            [fleet, vehicle, .integer(range.upperBound + 1)]
        ) { row in
            guard row.int64(1) >= range.lowerBound - 1 else { return false }
            touching.append(row.int64(0))
            joined = min(joined.lowerBound, row.int64(0))...max(joined.upperBound, row.int64(1))
            return true
        }
        if touching == [joined.lowerBound] {
            try database.run(
                "UPDATE sequences SET to_seq=? WHERE fleet=? AND vehicle=? AND from_seq=?", .integer(joined.upperBound), fleet,
                vehicle,
                .integer(joined.lowerBound))
            return
        }
        for start in touching {
            try database.run("DELETE FROM sequences WHERE fleet=? AND vehicle=? AND from_seq=?", fleet, vehicle, .integer(start))
        }
        try database.run(
            "INSERT INTO sequences(fleet, vehicle, from_seq, to_seq) VALUES(?,?,?,?)", fleet, vehicle, .integer(joined.lowerBound),
            .integer(joined.upperBound))
    }

    private func quarantine(_ row: BatchDigest.QuarantineRow, _ counters: inout Counters) throws {
        try database.run(
            "INSERT INTO quarantine(received_ms, topic, reason, payload) VALUES(?,?,?,?)",
            .integer(row.receivedAt.millisecondsSinceEpoch), .text(String(row.topic.prefix(512))), .text(row.reason),
            .blob(row.payload))
        counters.quarantined += 1
        counters.quarantinedBytes += row.sizeBytes
    }

    private func trimQuarantine(_ counters: inout Counters) throws {
        while counters.quarantinedBytes > settings.quarantineBytes {
            let oldest = try database.query("SELECT number, length(payload) FROM quarantine ORDER BY number LIMIT 100") {
                (number: $0.int64(0), bytes: $0.int64(1))
            }
            guard let last = oldest.last else { return }
            try database.run("DELETE FROM quarantine WHERE number <= ?", .integer(last.number))
            counters.quarantined -= Int64(oldest.count)
            counters.quarantinedBytes -= oldest.reduce(0) { $0 + $1.bytes + BatchDigest.QuarantineRow.overheadBytes }
        }
    }

    func trim(_ retention: Retention, now: Timestamp) throws -> Int {
        try transaction { counters in
            let oldest = try database.query(
                """
                SELECT a.id, a.fleet, a.vehicle, (SELECT received_ms FROM revisions WHERE cursor = a.cursor), count(*),
                    sum(length(r.payload) + \(Retention.overheadBytes))
                FROM (SELECT * FROM alerts ORDER BY cursor LIMIT \(Retention.step)) a
                JOIN revisions r ON r.id = a.id AND r.fleet = a.fleet AND r.vehicle = a.vehicle GROUP BY a.cursor ORDER BY a.cursor
                """
            ) { row in
                (
                    key: [SQLiteValue.text(row.string(0)), .text(row.string(1)), .text(row.string(2))],
                    receivedAt: Timestamp(millisecondsSinceEpoch: row.int64(3)), revisions: row.int64(4), bytes: row.int64(5)
                )
            }
            let excess = retention.excess(of: oldest.map { ($0.receivedAt, $0.bytes) }, alertBytes: counters.alertBytes, now: now)
            for alert in oldest.prefix(excess) {
                try database.run(
                    "DELETE FROM revisions WHERE id=? AND fleet=? AND vehicle=?", alert.key[0], alert.key[1], alert.key[2])
                for table in ["alerts", "reviews"] {
                    try database.run(
                        "DELETE FROM \(table) WHERE id=? AND fleet=? AND vehicle=?", alert.key[0], alert.key[1], alert.key[2])
                }
                counters.alerts -= 1
                counters.revisions -= alert.revisions
                counters.alertBytes -= alert.bytes
            }
            if let oldest = retention.oldest(now: now) {
                try database.run("DELETE FROM gaps WHERE received_ms < ?", .integer(oldest.millisecondsSinceEpoch))
            }
            if excess > 0 { try database.run("DELETE FROM days WHERE last_cursor < (SELECT min(cursor) FROM alerts)") }
            return excess
        }
    }
}
