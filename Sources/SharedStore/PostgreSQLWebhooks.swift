import FleetModel
import FleetStore
import PostgreSQL

extension PostgreSQLWriter {
    func webhookCursor(of rule: String) throws -> Int64 {
        try link.use(&connection) { connection in
            try connection.query(
                "INSERT INTO webhook_rules(rule, cursor) SELECT $1, cursor FROM counters ON CONFLICT DO NOTHING", [.text(rule)])
            return try connection.query("SELECT cursor FROM webhook_rules WHERE rule = $1", [.text(rule)]).int64(0, 0)
        }
    }

    func enqueue(_ alerts: [(alert: Alert, dueAt: Timestamp)], rule: String, upTo cursor: Int64, now: Timestamp) throws -> Int {
        try link.use(&connection) { connection in
            try connection.transaction {
                let added = try connection.query(
                    """
                    INSERT INTO webhook_deliveries(rule, fleet, vehicle, id, created_ms, state, attempts, due_ms, detail)
                    SELECT $1, fleet, vehicle, id, $2, 'waiting', 0, due_ms, ''
                    FROM unnest($3::text[], $4::text[], $5::uuid[], $6::bigint[]) AS u(fleet, vehicle, id, due_ms)
                    ON CONFLICT DO NOTHING
                    """,
                    [
                        .text(rule), .integer(now.millisecondsSinceEpoch), .texts(alerts.map(\.alert.identity.fleet)),
                        .texts(alerts.map(\.alert.identity.vehicle)), .uuids(alerts.map(\.alert.id.bytes)),
                        .integers(alerts.map(\.dueAt.millisecondsSinceEpoch)),
                    ]
                ).changedRows
                try connection.query(
                    "UPDATE webhook_rules SET cursor = greatest(cursor, $1) WHERE rule = $2", [.integer(cursor), .text(rule)])
                return added
            }
        }
    }

    func claim(rule: String, now: Timestamp, leaseS: Double, limit: Int) throws -> [WebhookDelivery] {
        try link.use(&connection) { connection in
            let rows = try connection.query(
                """
                UPDATE webhook_deliveries SET due_ms = $1 WHERE number IN (
                    SELECT number FROM webhook_deliveries WHERE rule = $2 AND state = 'waiting' AND due_ms <= $3
                    ORDER BY due_ms, number LIMIT $4 FOR UPDATE SKIP LOCKED)
                RETURNING \(WebhookColumns.all)
                """,
                [
                    .integer(now.advanced(bySeconds: leaseS).millisecondsSinceEpoch), .text(rule),
                    .integer(now.millisecondsSinceEpoch), .integer(Int64(limit)),
                ])
            return WebhookColumns.deliveries(rows).sorted { $0.number < $1.number }
        }
    }

    func settle(_ delivery: WebhookDelivery) throws {
        try link.use(&connection) { connection in
            _ = try connection.query(
                """
                UPDATE webhook_deliveries SET state = $1, attempts = $2, due_ms = $3, status = nullif($4, -1), detail = $5
                WHERE number = $6
                """,
                [
                    .text(delivery.state.rawValue), .integer(Int64(delivery.attempts)),
                    .integer(delivery.dueAt.millisecondsSinceEpoch), .integer(Int64(delivery.status ?? -1)),
                    .text(delivery.detail.storable), .integer(delivery.number),
                ])
        }
    }

    func removeWebhookDeliveries(before oldest: Timestamp) throws -> Int {
        try link.use(&connection) { connection in
            try connection.query(
                "DELETE FROM webhook_deliveries WHERE created_ms < $1 AND state <> 'waiting'",
                [.integer(oldest.millisecondsSinceEpoch)]
            ).changedRows
        }
    }
}

extension PostgreSQLReader {
    func webhookDeliveries(before: Int64?, limit: Int) throws -> WebhookDeliveryList {
        try reading { connection in
            let rows = try connection.query(
                "SELECT \(WebhookColumns.all) FROM webhook_deliveries WHERE number < $1 ORDER BY number DESC LIMIT $2",
                [.integer(before ?? .max), .integer(Int64(limit) + 1)])
            let page = Array(WebhookColumns.deliveries(rows).prefix(limit))
            return WebhookDeliveryList(deliveries: page, nextBefore: rows.count > limit ? page.last?.number : nil)
        }
    }
}

/// The columns of `webhook_deliveries` in the order in which they are read.
private enum WebhookColumns {
    static let all = "number, rule, fleet, vehicle, id::text, created_ms, state, attempts, due_ms, status, detail"

    static func deliveries(_ rows: PostgreSQLResult) -> [WebhookDelivery] {
        (0..<rows.count).compactMap { row in
            guard let alert = AlertID(rows.string(row, 4)), let state = WebhookDelivery.State(rawValue: rows.string(row, 6))
            else { return nil }
            return WebhookDelivery(
                number: rows.int64(row, 0), rule: rows.string(row, 1), fleet: rows.string(row, 2), vehicle: rows.string(row, 3),
                alert: alert, createdAt: Timestamp(millisecondsSinceEpoch: rows.int64(row, 5)), state: state,
                attempts: Int(rows.int64(row, 7)), dueAt: Timestamp(millisecondsSinceEpoch: rows.int64(row, 8)),
                status: rows.int64IfPresent(row, 9).map { Int($0) }, detail: rows.string(row, 10))
        }
    }
}
