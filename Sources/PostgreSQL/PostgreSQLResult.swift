import CPostgreSQL
import FoundationEssentials

/// What a statement returned, in binary form; freed with the object. Rows and columns count from 0. Not for use from two threads.
public final class PostgreSQLResult {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { PQclear(handle) }

    /// Number of rows.
    public var count: Int { Int(PQntuples(handle)) }
    /// Rows that an INSERT, UPDATE or DELETE changed.
    public var changedRows: Int { Int(String(cString: PQcmdTuples(handle))) ?? 0 }

    /// Whether the value is NULL.
    public func isNull(_ row: Int, _ column: Int) -> Bool { PQgetisnull(handle, Int32(row), Int32(column)) != 0 }

    /// A `bigint`, `integer`, `smallint` or `boolean`; 0 for NULL.
    public func int64(_ row: Int, _ column: Int) -> Int64 {
        let bytes = self.bytes(row, column)
        guard let first = bytes.first, bytes.count <= 8 else { return 0 }
        // A boolean is one byte, 0 or 1; integers are signed.
        var value: Int64 = bytes.count > 1 && first & 0x80 != 0 ? -1 : 0
        for byte in bytes { value = value << 8 | Int64(byte) }
        return value
    }

    /// A `text`; empty for NULL.
    public func string(_ row: Int, _ column: Int) -> String { String(decoding: bytes(row, column), as: UTF8.self) }
    /// Bytes, copied; empty for NULL.
    public func data(_ row: Int, _ column: Int) -> Data { Data(bytes(row, column)) }

    /// An integer, or nil for NULL.
    public func int64IfPresent(_ row: Int, _ column: Int) -> Int64? { isNull(row, column) ? nil : int64(row, column) }
    /// Bytes, or nil for NULL.
    public func dataIfPresent(_ row: Int, _ column: Int) -> Data? { isNull(row, column) ? nil : data(row, column) }

    private func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(handle, Int32(row), Int32(column)), count: Int(PQgetlength(handle, Int32(row), Int32(column))))
    }
}
