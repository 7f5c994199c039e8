import FleetModel
import SQLite

extension SQLiteWriter {
    /// One step of `AlertStore.forget`. Debian's SQLite overwrites what it deletes (`SQLITE_SECURE_DELETE`); so does every other one here. At
    /// the end the write-ahead log, which may still hold it, is emptied.
    func forget(_ who: VehicleIdentity, before: Timestamp?) throws -> Int {
        try database.execute("PRAGMA secure_delete=ON")
        let (fleet, vehicle): (SQLiteValue, SQLiteValue) = (.text(who.fleet), .text(who.vehicle))
        let count = try transaction { counters in
            let alerts = try database.query(
                """
                SELECT a.id, count(*), sum(length(r.payload) + \(Retention.overheadBytes)) FROM
                    (SELECT * FROM alerts WHERE fleet = ? AND vehicle = ? AND started_ms < ? LIMIT \(Retention.step)) a
                JOIN revisions r ON r.id = a.id AND r.fleet = a.fleet AND r.vehicle = a.vehicle GROUP BY a.id
                """, [fleet, vehicle, .integer(before?.millisecondsSinceEpoch ?? .max)]
            ) { (id: SQLiteValue.text($0.string(0)), revisions: $0.int64(1), bytes: $0.int64(2)) }
            for alert in alerts {
                for table in ["revisions", "alerts", "reviews", "webhook_deliveries"] {
                    try database.run("DELETE FROM \(table) WHERE id=? AND fleet=? AND vehicle=?", alert.id, fleet, vehicle)
                }
                counters.alerts -= 1
                counters.revisions -= alert.revisions
                counters.alertBytes -= alert.bytes
            }
            if alerts.isEmpty {
                if let before {
                    try database.run(
                        "DELETE FROM track WHERE fleet=? AND vehicle=? AND at_ms < ?", fleet, vehicle,
                        .integer(before.millisecondsSinceEpoch))
                } else {
                    try forgetTheRest(of: who, &counters)
                }
            }
            return alerts.count
        }
        if count == 0 { try database.checkpoint() }
        return count
    }

    private func forgetTheRest(of who: VehicleIdentity, _ counters: inout Counters) throws {
        for table in ["vehicles", "sequences", "gaps", "reviews", "track", "mileage", "webhook_deliveries"] {
            try database.run("DELETE FROM \(table) WHERE fleet=? AND vehicle=?", .text(who.fleet), .text(who.vehicle))
        }
        // Names hold `_`, which is a wildcard of LIKE: the beginning is compared as it is.
        let prefix = "fleet/v1/\(who.fleet)/\(who.vehicle)/"
        let condition = "substr(topic, 1, \(prefix.utf8.count)) = ?"
        let found = try database.first(
            "SELECT count(*), coalesce(sum(length(payload) + \(BatchDigest.QuarantineRow.overheadBytes)), 0) FROM quarantine WHERE \(condition)",
            [.text(prefix)]
        ) { (rows: $0.int64(0), bytes: $0.int64(1)) }
        try database.run("DELETE FROM quarantine WHERE \(condition)", .text(prefix))
        counters.quarantined -= found?.rows ?? 0
        counters.quarantinedBytes -= found?.bytes ?? 0
    }
}
