import FleetModel
import SQLite

extension SQLiteWriter {
    func webhookCursor(of rule: String) throws -> Int64 {
        try database.transaction {
            try database.run(
                "INSERT INTO webhook_rules(rule, cursor) SELECT ?, cursor FROM counters WHERE true ON CONFLICT DO NOTHING",
                .text(rule))
            return try database.first("SELECT cursor FROM webhook_rules WHERE rule = ?", [.text(rule)]) { $0.int64(0) } ?? 0
        }
    }

    func enqueue(_ alerts: [(alert: Alert, dueAt: Timestamp)], rule: String, upTo cursor: Int64, now: Timestamp) throws -> Int {
        try database.transaction {
            var added = 0
            for (alert, dueAt) in alerts {
                added += try database.run(
                    """
                    INSERT INTO webhook_deliveries(rule, fleet, vehicle, id, created_ms, state, attempts, due_ms, detail)
                    VALUES(?,?,?,?,?,'waiting',0,?,'') ON CONFLICT DO NOTHING
                    """, .text(rule), .text(alert.identity.fleet), .text(alert.identity.vehicle), .text(alert.id.description),
                    .integer(now.millisecondsSinceEpoch), .integer(dueAt.millisecondsSinceEpoch))
            }
            try database.run(
                "UPDATE webhook_rules SET cursor = max(cursor, ?) WHERE rule = ?", .integer(cursor), .text(rule))
            return added
        }
    }

    func claim(rule: String, now: Timestamp, leaseS: Double, limit: Int) throws -> [WebhookDelivery] {
        // A look that finds nothing takes no lock.
        let isDue = try database.first(
            "SELECT 1 FROM webhook_deliveries WHERE rule = ? AND state = 'waiting' AND due_ms <= ? LIMIT 1",
            [.text(rule), .integer(now.millisecondsSinceEpoch)]
        ) { _ in true }
        guard isDue == true else { return [] }
        return try database.transaction {
            let found = try database.query(
                """
                SELECT \(WebhookColumns.all) FROM webhook_deliveries
                WHERE rule = ? AND state = 'waiting' AND due_ms <= ? ORDER BY due_ms, number LIMIT ?
                """, [.text(rule), .integer(now.millisecondsSinceEpoch), .integer(limit)], WebhookColumns.delivery)
            let lease = now.advanced(bySeconds: leaseS).millisecondsSinceEpoch
            for delivery in found.compactMap(\.self) {
                try database.run(
                    "UPDATE webhook_deliveries SET due_ms = ? WHERE number = ?", .integer(lease), .integer(delivery.number))
            }
            return found.compactMap(\.self)
        }
    }

    func settle(_ delivery: WebhookDelivery) throws {
        try database.run(
            "UPDATE webhook_deliveries SET state=?, attempts=?, due_ms=?, status=?, detail=? WHERE number=?",
            .text(delivery.state.rawValue), .integer(delivery.attempts), .integer(delivery.dueAt.millisecondsSinceEpoch),
            .integer(delivery.status.map(Int64.init)), .text(delivery.detail), .integer(delivery.number))
    }

    func removeWebhookDeliveries(before oldest: Timestamp) throws -> Int {
        try database.run(
            "DELETE FROM webhook_deliveries WHERE created_ms < ? AND state <> 'waiting'", .integer(oldest.millisecondsSinceEpoch))
    }
}

extension SQLiteReader {
    func webhookDeliveries(before: Int64?, limit: Int) throws -> WebhookDeliveryList {
        let rows = try database.query(
            "SELECT \(WebhookColumns.all) FROM webhook_deliveries WHERE number < ? ORDER BY number DESC LIMIT ?",
            [.integer(before ?? .max), .integer(limit + 1)], WebhookColumns.delivery)
        let page = rows.prefix(limit).compactMap(\.self)
        return WebhookDeliveryList(deliveries: page, nextBefore: rows.count > limit ? page.last?.number : nil)
    }
}

/// The columns of `webhook_deliveries` in the order in which they are read.
private enum WebhookColumns {
    static let all = "number, rule, fleet, vehicle, id, created_ms, state, attempts, due_ms, status, detail"

    static func delivery(_ row: borrowing Row) -> WebhookDelivery? {
        guard let alert = AlertID(row.string(4)), let state = WebhookDelivery.State(rawValue: row.string(6)) else { return nil }
        return WebhookDelivery(
            number: row.int64(0), rule: row.string(1), fleet: row.string(2), vehicle: row.string(3), alert: alert,
            createdAt: Timestamp(millisecondsSinceEpoch: row.int64(5)), state: state, attempts: row.int(7),
            dueAt: Timestamp(millisecondsSinceEpoch: row.int64(8)), status: row.int64IfPresent(9).map { Int($0) },
            detail: row.string(10))
    }
}
