import CPostgreSQL
import FoundationEssentials

/// A value that is bound to a statement's `$1`; travels in the server's binary form, so that nothing is ever quoted.
public enum PostgreSQLValue: Sendable {
    case integer(Int64)
    case text(String)
    case bytes(Data)
    /// 16 bytes.
    case uuid([UInt8])
    case integers([Int64])
    case texts([String])
    case blobs([Data])
    /// 16 bytes each.
    case uuids([[UInt8]])

    /// The type's number in the server's catalogue.
    var type: UInt32 {
        switch self {
        case .integer: UInt32(CPG_INT8.rawValue)
        case .text: UInt32(CPG_TEXT.rawValue)
        case .bytes: UInt32(CPG_BYTEA.rawValue)
        case .uuid: UInt32(CPG_UUID.rawValue)
        case .integers: UInt32(CPG_INT8_ARRAY.rawValue)
        case .texts: UInt32(CPG_TEXT_ARRAY.rawValue)
        case .blobs: UInt32(CPG_BYTEA_ARRAY.rawValue)
        case .uuids: UInt32(CPG_UUID_ARRAY.rawValue)
        }
    }

    /// Appends the binary form, big-endian (`src/backend/utils/adt/arrayfuncs.c`, `array_recv`: dimensions, null flag, element type,
    /// length, lower bound, then each element with its length).
    func append(to buffer: inout [UInt8]) {
        switch self {
        case .integer(let value): Self.append(value, &buffer)
        case .text(let value): buffer.append(contentsOf: value.utf8)
        case .bytes(let value): buffer.append(contentsOf: value)
        case .uuid(let value): buffer.append(contentsOf: value)
        case .integers(let values):
            Self.appendHead(CPG_INT8, values.count, &buffer)
            for value in values {
                Self.append(Int32(8), &buffer)
                Self.append(value, &buffer)
            }
        case .texts(let values):
            Self.appendHead(CPG_TEXT, values.count, &buffer)
            for value in values {
                Self.append(Int32(value.utf8.count), &buffer)
                buffer.append(contentsOf: value.utf8)
            }
        case .blobs(let values):
            Self.appendHead(CPG_BYTEA, values.count, &buffer)
            for value in values {
                Self.append(Int32(value.count), &buffer)
                buffer.append(contentsOf: value)
            }
        case .uuids(let values):
            Self.appendHead(CPG_UUID, values.count, &buffer)
            for value in values {
                Self.append(Int32(16), &buffer)
                buffer.append(contentsOf: value)
            }
        }
    }

    private static func appendHead(_ element: CPGType, _ count: Int, _ buffer: inout [UInt8]) {
        append(Int32(count == 0 ? 0 : 1), &buffer)
        append(Int32(0), &buffer)
        append(Int32(element.rawValue), &buffer)
        guard count > 0 else { return }
        append(Int32(count), &buffer)
        append(Int32(1), &buffer)
    }

    private static func append(_ value: some FixedWidthInteger, _ buffer: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { buffer.append(contentsOf: $0) }
    }
}
