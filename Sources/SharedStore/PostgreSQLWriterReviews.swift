import FleetModel
import FleetStore
import FoundationEssentials
import PostgreSQL

/// What is written besides what vehicles send in alerts: reviews, and where vehicles were.
extension PostgreSQLWriter {
    /// Under the lock that orders commits, so that no reader of reviews skips one that commits late.
    func add(_ review: AlertReview) throws -> AlertReview? {
        let key: [PostgreSQLValue] = [.uuid(review.id.bytes), .text(review.fleet), .text(review.vehicle)]
        return try link.use(&connection) { connection in
            try connection.transaction {
                try connection.query("SELECT pg_advisory_xact_lock($1)", [.integer(PostgreSQLSchema.cursorLock)])
                let known = try connection.query(
                    "UPDATE alerts SET review = $4 WHERE id = $1 AND fleet = $2 AND vehicle = $3",
                    key + [.integer(review.state.number)])
                guard known.changedRows > 0 else { return nil }
                var stored = review
                stored.number = try connection.query(
                    """
                    INSERT INTO reviews(id, fleet, vehicle, state, note, name, at_ms) VALUES($1,$2,$3,$4,$5,$6,$7) RETURNING number
                    """,
                    key + [
                        .integer(review.state.number), .text(review.note), .text(review.name),
                        .integer(review.at.millisecondsSinceEpoch),
                    ]
                ).int64(0, 0)
                try connection.query("SELECT pg_notify('\(PostgreSQLSchema.channel)', '')")
                return stored
            }
        }
    }

    /// Adds heartbeats to their vehicles' tracks and mileage, within the batch's transaction; see `Whereabouts`.
    func note(_ places: [Whereabouts], _ connection: PostgreSQLConnection) throws {
        let positioned = places.filter { $0.latE7 != nil && $0.lonE7 != nil }
        if !positioned.isEmpty {
            try connection.query(
                """
                INSERT INTO track(fleet, vehicle, at_ms, lat_e7, lon_e7, speed_mmps)
                SELECT u.fleet, u.vehicle, u.at_ms, u.lat_e7, u.lon_e7, nullif(u.speed_mmps, -1)
                FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
                    AS u(fleet, vehicle, at_ms, lat_e7, lon_e7, speed_mmps)
                WHERE NOT EXISTS (
                    SELECT 1 FROM (SELECT at_ms, lat_e7, lon_e7 FROM track t WHERE t.fleet = u.fleet AND t.vehicle = u.vehicle
                        ORDER BY at_ms DESC LIMIT 1) AS last
                    WHERE last.at_ms > u.at_ms - \(Whereabouts.spacingMs) OR (last.at_ms > u.at_ms - \(Whereabouts.standingMs)
                        AND abs(last.lat_e7 - u.lat_e7) < \(Whereabouts.standingE7)
                        AND abs(last.lon_e7 - u.lon_e7) < \(Whereabouts.standingE7)))
                ON CONFLICT DO NOTHING
                """,
                names(positioned) + [
                    .integers(positioned.map(\.atMs)), .integers(positioned.map { $0.latE7 ?? 0 }),
                    .integers(positioned.map { $0.lonE7 ?? 0 }), .integers(positioned.map { $0.speedMmps ?? -1 }),
                ])
        }
        let driven = places.filter { $0.odometerMm != nil }
        guard !driven.isEmpty else { return }
        try connection.query(
            """
            INSERT INTO mileage AS m(fleet, vehicle, day, odometer_mm, distance_mm)
            SELECT u.fleet, u.vehicle, u.day, u.odometer_mm, coalesce((
                SELECT CASE WHEN u.odometer_mm >= k.odometer_mm THEN u.odometer_mm - k.odometer_mm ELSE u.odometer_mm END
                FROM mileage k WHERE k.fleet = u.fleet AND k.vehicle = u.vehicle ORDER BY k.day DESC LIMIT 1), 0)
            FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) AS u(fleet, vehicle, day, odometer_mm)
            ON CONFLICT (fleet, vehicle, day) DO UPDATE SET odometer_mm = excluded.odometer_mm,
                distance_mm = m.distance_mm + excluded.distance_mm
            """,
            names(driven) + [.integers(driven.map(\.day)), .integers(driven.map { $0.odometerMm ?? 0 })])
    }

    private func names(_ places: [Whereabouts]) -> [PostgreSQLValue] {
        [.texts(places.map(\.identity.fleet)), .texts(places.map(\.identity.vehicle))]
    }

    func trimTracks(before oldest: Timestamp) throws -> Int {
        try link.use(&connection) { connection in
            Int(
                try connection.query(
                    """
                    DELETE FROM track t USING (
                        SELECT fleet, vehicle, at_ms FROM track WHERE at_ms < $1 ORDER BY at_ms LIMIT \(Retention.trackStep)) o
                    WHERE t.fleet = o.fleet AND t.vehicle = o.vehicle AND t.at_ms = o.at_ms
                    """, [.integer(oldest.millisecondsSinceEpoch)]
                ).changedRows)
        }
    }
}
