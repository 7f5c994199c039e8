/// A moment in UTC with millisecond resolution, written as RFC 3339: `2026-03-01T08:15:02.120Z`.
///
/// The wire, the stores and the logs know only this form; local time exists where a person reads it.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted; always within the years 0000 to 9999.
    public let millisecondsSinceEpoch: Int64

    /// The moment `millisecondsSinceEpoch` after 1970-01-01T00:00:00Z, held within the years 0000 to 9999.
    public init(millisecondsSinceEpoch: Int64) {
        self.millisecondsSinceEpoch = min(max(millisecondsSinceEpoch, RFC3339.range.lowerBound), RFC3339.range.upperBound)
    }

    /// The moment `secondsSinceEpoch` after 1970-01-01T00:00:00Z, rounded to a millisecond and held within the years 0000 to 9999.
    public init(secondsSinceEpoch: Double) {
        let bounded = min(max(secondsSinceEpoch.isNaN ? 0 : secondsSinceEpoch, -1e11), 1e12)
        self.init(millisecondsSinceEpoch: Int64((bounded * 1000).rounded()))
    }

    /// Reads RFC 3339. Any offset is converted to UTC; digits past the millisecond are cut; nil when malformed.
    public init?(_ text: String) {
        guard let parsed = RFC3339.parse(Array(text.utf8)) else { return nil }
        millisecondsSinceEpoch = parsed
    }

    /// 1970-01-01T00:00:00.000Z, the start of a recording that does not know its date.
    public static let epoch = Timestamp(millisecondsSinceEpoch: 0)

    /// Seconds since 1970-01-01T00:00:00Z.
    public var secondsSinceEpoch: Double { Double(millisecondsSinceEpoch) / 1000 }

    /// This moment moved by `seconds`, rounded to a millisecond.
    public func advanced(bySeconds seconds: Double) -> Timestamp {
        let moved = (seconds.isNaN ? 0 : seconds) * 1000
        return Timestamp(millisecondsSinceEpoch: millisecondsSinceEpoch + Int64(min(max(moved, -1e15), 1e15).rounded()))
    }

    /// Seconds from `other` to this moment; negative when this one is earlier.
    public func seconds(since other: Timestamp) -> Double { Double(millisecondsSinceEpoch - other.millisecondsSinceEpoch) / 1000 }

    public static func < (a: Timestamp, b: Timestamp) -> Bool { a.millisecondsSinceEpoch < b.millisecondsSinceEpoch }
}

extension Timestamp: CustomStringConvertible {
    /// RFC 3339 in UTC with milliseconds.
    public var description: String { RFC3339.format(millisecondsSinceEpoch) }
}

extension Timestamp: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Timestamp(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an RFC 3339 time")
        }
        self = value
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
