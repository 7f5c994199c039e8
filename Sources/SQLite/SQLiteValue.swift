import FoundationEssentials

/// A value that is bound to a statement's `?`.
public enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)

    /// `value`, or NULL.
    public static func integer(_ value: Int64?) -> SQLiteValue { value.map { .integer($0) } ?? .null }
    /// `value`, or NULL.
    public static func integer(_ value: Int) -> SQLiteValue { .integer(Int64(value)) }
    /// `value`, or NULL.
    public static func real(_ value: Double?) -> SQLiteValue { value.map { .real($0) } ?? .null }
    /// `value`, or NULL.
    public static func text(_ value: String?) -> SQLiteValue { value.map { .text($0) } ?? .null }
    /// `value`, or NULL.
    public static func blob(_ value: Data?) -> SQLiteValue { value.map { .blob($0) } ?? .null }
}

extension SQLiteValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByNilLiteral {
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(stringLiteral value: String) { self = .text(value) }
    public init(floatLiteral value: Double) { self = .real(value) }
    public init(nilLiteral: ()) { self = .null }
}
