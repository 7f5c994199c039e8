import FleetModel
import FoundationEssentials
import SQLite

/// What is written besides what vehicles send in alerts: reviews, and where vehicles were.
extension SQLiteWriter {
    func add(_ review: AlertReview) throws -> AlertReview? {
        let key: [SQLiteValue] = [.text(review.id.description), .text(review.fleet), .text(review.vehicle)]
        return try database.transaction {
            let known = try database.run(
                "UPDATE alerts SET review=? WHERE id=? AND fleet=? AND vehicle=?", .integer(review.state.number), key[0], key[1],
                key[2])
            guard known > 0 else { return nil }
            try database.run(
                "INSERT INTO reviews(id, fleet, vehicle, state, note, name, at_ms) VALUES(?,?,?,?,?,?,?)", key[0], key[1], key[2],
                .integer(review.state.number), .text(review.note), .text(review.name), .integer(review.at.millisecondsSinceEpoch))
            var stored = review
            stored.number = database.lastInsertRowID
            return stored
        }
    }

    /// Adds a heartbeat to the vehicle's track and mileage, within the batch's transaction; see `Whereabouts`.
    func note(_ place: Whereabouts) throws {
        let (fleet, vehicle): (SQLiteValue, SQLiteValue) = (.text(place.identity.fleet), .text(place.identity.vehicle))
        if let lat = place.latE7, let lon = place.lonE7 {
            try database.run(
                """
                INSERT INTO track(fleet, vehicle, at_ms, lat_e7, lon_e7, speed_mmps) SELECT ?1,?2,?3,?4,?5,?6 WHERE NOT EXISTS (
                    SELECT 1 FROM (SELECT at_ms, lat_e7, lon_e7 FROM track WHERE fleet=?1 AND vehicle=?2 ORDER BY at_ms DESC LIMIT 1)
                    WHERE at_ms > ?3 - \(Whereabouts.spacingMs) OR (at_ms > ?3 - \(Whereabouts.standingMs)
                        AND abs(lat_e7 - ?4) < \(Whereabouts.standingE7) AND abs(lon_e7 - ?5) < \(Whereabouts.standingE7)))
                """, fleet, vehicle, .integer(place.atMs), .integer(lat), .integer(lon), .integer(place.speedMmps))
        }
        if let odometer = place.odometerMm {
            try database.run(
                """
                INSERT INTO mileage(fleet, vehicle, day, odometer_mm, distance_mm) SELECT ?1, ?2, ?3, ?4, coalesce((
                    SELECT CASE WHEN ?4 >= odometer_mm THEN ?4 - odometer_mm ELSE ?4 END
                    FROM mileage WHERE fleet=?1 AND vehicle=?2 ORDER BY day DESC LIMIT 1), 0) WHERE true
                ON CONFLICT DO UPDATE SET odometer_mm = excluded.odometer_mm, distance_mm = distance_mm + excluded.distance_mm
                """, fleet, vehicle, .integer(place.day), .integer(odometer))
        }
    }

    func trimTracks(before oldest: Timestamp) throws -> Int {
        try database.run(
            """
            DELETE FROM track WHERE (fleet, vehicle, at_ms) IN (
                SELECT fleet, vehicle, at_ms FROM track WHERE at_ms < ? ORDER BY at_ms LIMIT \(Retention.trackStep))
            """, .integer(oldest.millisecondsSinceEpoch))
    }
}
