import FleetModel
import FleetRuntime
import FoundationEssentials

/// Tells whether a row still says what was stored: SQLite checks its pages' structure, not their content.
enum RowDigest {
    /// The first eight bytes of SHA-256 over what the row is and its payload.
    static func of(_ content: OutboxRow.Content, _ id: String, _ revision: Int, _ payload: Data) -> Int64 {
        var hash = SHA256()
        hash.update(Data("\(content.rawValue) \(id) \(revision)\n".utf8))
        hash.update(payload)
        return hash.finish().prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }
}
