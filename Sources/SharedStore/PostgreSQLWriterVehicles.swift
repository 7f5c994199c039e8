import FleetModel
import FleetRuntime
import FleetStore
import FoundationEssentials
import PostgreSQL

/// What a batch says besides alerts.
extension PostgreSQLWriter {
    /// Adds the numbers to those that are accounted for; the server joins ranges that touch.
    func account(_ ranges: [VehicleIdentity: [ClosedRange<Int64>]], _ connection: PostgreSQLConnection) throws {
        guard !ranges.isEmpty else { return }
        let flat = ranges.flatMap { identity, ranges in ranges.map { (identity, $0) } }
        try connection.query(
            """
            INSERT INTO sequences AS s(fleet, vehicle, seen)
            SELECT fleet, vehicle, range_agg(int8range(low, high, '[]'))
            FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) AS u(fleet, vehicle, low, high) GROUP BY fleet, vehicle
            ON CONFLICT (fleet, vehicle) DO UPDATE SET seen = s.seen + excluded.seen
            """,
            [
                .texts(flat.map(\.0.fleet)), .texts(flat.map(\.0.vehicle)), .integers(flat.map(\.1.lowerBound)),
                .integers(flat.map(\.1.upperBound)),
            ])
    }

    func decommission(_ identity: VehicleIdentity) throws -> Bool {
        try link.use(&connection) { connection in
            try connection.query(
                "DELETE FROM vehicles WHERE fleet = $1 AND vehicle = $2", [.text(identity.fleet), .text(identity.vehicle)]
            )
            .changedRows > 0
        }
    }

    func storeVehicles(_ digest: inout BatchDigest, _ connection: PostgreSQLConnection) throws {
        let changes = try digest.settleVehicles(known: known(digest.vehicles.asked, connection))
        let cleared = changes.filter(\.isCleared).map(\.identity)
        if !cleared.isEmpty {
            try connection.query(
                """
                DELETE FROM vehicles v USING unnest($1::text[], $2::text[]) AS u(fleet, vehicle)
                WHERE v.fleet = u.fleet AND v.vehicle = u.vehicle
                """, [.texts(cleared.map(\.fleet)), .texts(cleared.map(\.vehicle))])
        }
        try note(changes.compactMap(\.whereabouts), connection)
        let seen = changes.compactMap { change in change.seenAt.map { (change, $0.millisecondsSinceEpoch) } }
        guard !seen.isEmpty else { return }
        // Arrays hold no NULL here: what is not told is empty or -1.
        try connection.query(
            """
            INSERT INTO vehicles AS v(fleet, vehicle, seen_ms, session, status, heartbeat, heartbeat_ms)
            SELECT fleet, vehicle, seen_ms, nullif(session, -1), nullif(status, ''), nullif(heartbeat, ''), nullif(heartbeat_ms, -1)
            FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bytea[], $6::bytea[], $7::bigint[])
                AS u(fleet, vehicle, seen_ms, session, status, heartbeat, heartbeat_ms)
            ON CONFLICT (fleet, vehicle) DO UPDATE SET seen_ms = greatest(v.seen_ms, excluded.seen_ms),
                session = coalesce(excluded.session, v.session), status = coalesce(excluded.status, v.status),
                heartbeat = coalesce(excluded.heartbeat, v.heartbeat), heartbeat_ms = coalesce(excluded.heartbeat_ms, v.heartbeat_ms)
            """,
            [
                .texts(seen.map(\.0.identity.fleet)), .texts(seen.map(\.0.identity.vehicle)), .integers(seen.map(\.1)),
                .integers(seen.map { $0.0.session ?? -1 }), .blobs(seen.map { $0.0.status ?? Data() }),
                .blobs(seen.map { $0.0.heartbeat ?? Data() }),
                .integers(seen.map { $0.0.heartbeatAt?.millisecondsSinceEpoch ?? -1 }),
            ])
    }

    private func known(
        _ asked: [VehicleIdentity], _ connection: PostgreSQLConnection
    ) throws -> [VehicleIdentity: VehicleChanges.Known] {
        guard !asked.isEmpty else { return [:] }
        let found = try connection.query(
            """
            SELECT v.fleet, v.vehicle, v.status, v.session FROM unnest($1::text[], $2::text[]) AS u(fleet, vehicle)
            JOIN vehicles v ON v.fleet = u.fleet AND v.vehicle = u.vehicle
            """, [.texts(asked.map(\.fleet)), .texts(asked.map(\.vehicle))])
        var known: [VehicleIdentity: VehicleChanges.Known] = [:]
        for row in 0..<found.count {
            guard let who = VehicleIdentity(fleet: found.string(row, 0), vehicle: found.string(row, 1)) else { continue }
            known[who] = VehicleChanges.Known(status: found.dataIfPresent(row, 2), session: found.int64IfPresent(row, 3))
        }
        return known
    }

    func quarantine(
        _ rows: [BatchDigest.QuarantineRow], _ connection: PostgreSQLConnection, _ counters: inout Counters
    ) throws {
        guard !rows.isEmpty else { return }
        try connection.query(
            """
            INSERT INTO quarantine(received_ms, topic, reason, payload)
            SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bytea[])
            """,
            [
                .integers(rows.map(\.receivedAt.millisecondsSinceEpoch)), .texts(rows.map { $0.topic.storable }),
                .texts(rows.map { $0.reason.storable }), .blobs(rows.map(\.payload)),
            ])
        counters.quarantined += Int64(rows.count)
        counters.quarantinedBytes += rows.reduce(0) { $0 + $1.sizeBytes }
        while counters.quarantinedBytes > settings.quarantineBytes {
            let gone = try connection.query(
                """
                DELETE FROM quarantine WHERE number IN (SELECT number FROM quarantine ORDER BY number LIMIT 100)
                RETURNING octet_length(payload)
                """)
            guard gone.count > 0 else { return }
            counters.quarantined -= Int64(gone.count)
            counters.quarantinedBytes -= (0..<gone.count).reduce(0) {
                $0 + gone.int64($1, 0) + BatchDigest.QuarantineRow.overheadBytes
            }
        }
    }
}
