import CSQLite
import FoundationEssentials

/// The columns of the row on which a statement stands; lives only within the closure that it is handed to.
///
/// Columns count from 0 in the order of the SELECT. Reading converts as SQLite does: a text read as a number gives its leading number.
public struct Row: ~Copyable {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { self.statement = statement }

    /// Whether the column is NULL.
    public func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
    /// An integer; 0 for NULL.
    public func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }
    /// An integer held within `Int`; 0 for NULL.
    public func int(_ column: Int32) -> Int { Int(clamping: int64(column)) }
    /// A number; 0 for NULL.
    public func double(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }
    /// A text, invalid UTF-8 repaired; empty for NULL.
    public func string(_ column: Int32) -> String {
        guard let bytes = sqlite3_column_text(statement, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
    /// Bytes, copied; empty for NULL.
    public func data(_ column: Int32) -> Data {
        guard let bytes = sqlite3_column_blob(statement, column) else { return Data() }
        return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, column)))
    }

    /// An integer, or nil for NULL.
    public func int64IfPresent(_ column: Int32) -> Int64? { isNull(column) ? nil : int64(column) }
    /// A number, or nil for NULL.
    public func doubleIfPresent(_ column: Int32) -> Double? { isNull(column) ? nil : double(column) }
    /// A text, or nil for NULL.
    public func stringIfPresent(_ column: Int32) -> String? { isNull(column) ? nil : string(column) }
    /// Bytes, or nil for NULL.
    public func dataIfPresent(_ column: Int32) -> Data? { isNull(column) ? nil : data(column) }
}
