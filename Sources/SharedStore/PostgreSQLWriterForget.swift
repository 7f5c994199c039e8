import FleetModel
import FleetStore
import PostgreSQL

extension PostgreSQLWriter {
    /// One step of `AlertStore.forget`. What is deleted stays in the tables' files until VACUUM has been there, and in the server's own
    /// write-ahead log and its archive for as long as those are kept.
    func forget(_ who: VehicleIdentity, before: Timestamp?) throws -> Int {
        try transaction { connection, counters in
            let vehicle: [PostgreSQLValue] = [.text(who.fleet), .text(who.vehicle)]
            let alerts = try connection.query(
                """
                SELECT a.id, count(*), sum(octet_length(r.payload) + \(Retention.overheadBytes))::bigint FROM
                    (SELECT * FROM alerts WHERE fleet = $1 AND vehicle = $2 AND started_ms < $3 LIMIT \(Retention.step)) a
                JOIN revisions r ON r.fleet = a.fleet AND r.vehicle = a.vehicle AND r.id = a.id GROUP BY a.id
                """, vehicle + [.integer(before?.millisecondsSinceEpoch ?? .max)])
            if alerts.count > 0 {
                let ids: PostgreSQLValue = .uuids((0..<alerts.count).map { Array(alerts.data($0, 0)) })
                for table in ["revisions", "alerts", "reviews", "webhook_deliveries"] {
                    try connection.query(
                        "DELETE FROM \(table) WHERE fleet = $1 AND vehicle = $2 AND id = ANY($3::uuid[])", vehicle + [ids])
                }
                counters.alerts -= Int64(alerts.count)
                for row in 0..<alerts.count {
                    counters.revisions -= alerts.int64(row, 1)
                    counters.alertBytes -= alerts.int64(row, 2)
                }
            } else if let before {
                try connection.query(
                    "DELETE FROM track WHERE fleet = $1 AND vehicle = $2 AND at_ms < $3",
                    vehicle + [.integer(before.millisecondsSinceEpoch)])
            } else {
                try forgetTheRest(of: who, connection, &counters)
            }
            return alerts.count
        }
    }

    private func forgetTheRest(
        of who: VehicleIdentity, _ connection: PostgreSQLConnection, _ counters: inout Counters
    ) throws {
        for table in ["vehicles", "sequences", "gaps", "reviews", "track", "mileage", "webhook_deliveries"] {
            try connection.query(
                "DELETE FROM \(table) WHERE fleet = $1 AND vehicle = $2", [.text(who.fleet), .text(who.vehicle)])
        }
        let gone = try connection.query(
            "DELETE FROM quarantine WHERE starts_with(topic, $1) RETURNING octet_length(payload)",
            [.text("fleet/v1/\(who.fleet)/\(who.vehicle)/")])
        counters.quarantined -= Int64(gone.count)
        counters.quarantinedBytes -= (0..<gone.count).reduce(0) {
            $0 + gone.int64($1, 0) + BatchDigest.QuarantineRow.overheadBytes
        }
    }
}
