import CSQLite
import FoundationEssentials

/// A compiled statement. Owned by one `Database`, which keeps it for the next use of the same text.
final class Statement {
    let sql: String
    private let handle: OpaquePointer
    private unowned let database: Database

    /// Compiles `sql`, which holds exactly one statement.
    init(_ sql: String, in database: Database) throws {
        self.sql = sql
        self.database = database
        var compiled: OpaquePointer?
        var rest = 0
        let code = sql.withCString { text in
            var tail: UnsafePointer<CChar>?
            let code = sqlite3_prepare_v3(database.handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, &tail)
            rest = tail.map { strspnWhitespace($0) } ?? 0
            return code
        }
        guard code == SQLITE_OK else { throw database.error(code, sql) }
        guard let compiled else { throw database.misuse("an empty statement", sql) }
        handle = compiled
        guard rest == 0 else { throw database.misuse("more than one statement", sql) }
    }

    deinit { sqlite3_finalize(handle) }

    func bind(_ values: [SQLiteValue]) throws {
        guard values.count == Int(sqlite3_bind_parameter_count(handle)) else {
            throw database.misuse("\(values.count) values for \(sqlite3_bind_parameter_count(handle)) parameters", sql)
        }
        for (i, value) in values.enumerated() {
            let index = Int32(i + 1)
            let code =
                switch value {
                case .null: sqlite3_bind_null(handle, index)
                case .integer(let v): sqlite3_bind_int64(handle, index, v)
                case .real(let v): sqlite3_bind_double(handle, index, v)
                case .text(let v): bind(text: v, at: index)
                case .blob(let v): v.withUnsafeBytes { csqlite_bind_blob(handle, index, $0.baseAddress, UInt64($0.count)) }
                }
            guard code == SQLITE_OK else { throw database.error(code, sql) }
        }
    }

    private func bind(text: String, at index: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { csqlite_bind_text(handle, index, $0.baseAddress, UInt64($0.count)) }
        }
    }

    /// Moves to the next row; false when there is none.
    func step() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        throw database.error(code, sql)
    }

    func withRow<T>(_ body: (borrowing Row) throws -> T) rethrows -> T { try body(Row(handle)) }

    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }
}

/// Bytes that are left in `text` after blanks and semicolons.
private func strspnWhitespace(_ text: UnsafePointer<CChar>) -> Int {
    var at = text
    while [9, 10, 13, 32, 59].contains(at.pointee) { at += 1 }
    var count = 0
    while at[count] != 0 { count += 1 }
    return count
}
