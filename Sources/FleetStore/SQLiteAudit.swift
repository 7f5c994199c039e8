import FleetModel
import SQLite

extension SQLiteWriter {
    func record(_ entry: AuditEntry) throws {
        try database.run(
            "INSERT INTO audit(at_ms, name, role, client, action, detail) VALUES(?,?,?,?,?,?)",
            .integer(entry.at.millisecondsSinceEpoch), .text(entry.name), .text(entry.role), .text(entry.client),
            .text(entry.action), .text(entry.detail))
    }

    func removeAuditEntries(before oldest: Timestamp) throws -> Int {
        try database.run("DELETE FROM audit WHERE at_ms < ?", .integer(oldest.millisecondsSinceEpoch))
    }
}

extension SQLiteReader {
    func auditEntries(before: Int64?, limit: Int) throws -> AuditList {
        let rows = try database.query(
            "SELECT number, at_ms, name, role, client, action, detail FROM audit WHERE number < ? ORDER BY number DESC LIMIT ?",
            [.integer(before ?? .max), .integer(limit + 1)]
        ) { row in
            AuditEntry(
                number: row.int64(0), at: Timestamp(millisecondsSinceEpoch: row.int64(1)), name: row.string(2), role: row.string(3),
                client: row.string(4), action: row.string(5), detail: row.string(6))
        }
        let page = Array(rows.prefix(limit))
        return AuditList(entries: page, nextBefore: rows.count > limit ? page.last?.number : nil)
    }
}
