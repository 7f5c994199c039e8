import FleetModel
import FleetStore
import PostgreSQL

extension PostgreSQLWriter {
    func record(_ entry: AuditEntry) throws {
        try link.use(&connection) { connection in
            _ = try connection.query(
                "INSERT INTO audit(at_ms, name, role, client, action, detail) VALUES($1,$2,$3,$4,$5,$6)",
                [
                    .integer(entry.at.millisecondsSinceEpoch), .text(entry.name.storable), .text(entry.role),
                    .text(entry.client.storable), .text(entry.action.storable), .text(entry.detail.storable),
                ])
        }
    }

    func removeAuditEntries(before oldest: Timestamp) throws -> Int {
        try link.use(&connection) { connection in
            try connection.query("DELETE FROM audit WHERE at_ms < $1", [.integer(oldest.millisecondsSinceEpoch)]).changedRows
        }
    }
}

extension PostgreSQLReader {
    func auditEntries(before: Int64?, limit: Int) throws -> AuditList {
        try reading { connection in
            let rows = try connection.query(
                """
                SELECT number, at_ms, name, role, client, action, detail FROM audit WHERE number < $1 ORDER BY number DESC LIMIT $2
                """, [.integer(before ?? .max), .integer(Int64(limit) + 1)])
            let page = (0..<min(limit, rows.count)).map { row in
                AuditEntry(
                    number: rows.int64(row, 0), at: Timestamp(millisecondsSinceEpoch: rows.int64(row, 1)),
                    name: rows.string(row, 2),
                    role: rows.string(row, 3), client: rows.string(row, 4), action: rows.string(row, 5), detail: rows.string(row, 6)
                )
            }
            return AuditList(entries: page, nextBefore: rows.count > limit ? page.last?.number : nil)
        }
    }
}
