/// The id of an alert episode: a UUID in lower case.
///
/// Live alerts take a UUIDv7 (RFC 9562, section 5.7: time-ordered); replays a UUIDv8 (section 5.8) made from a digest, so that
/// the same recording gives the same ids.
public struct AlertID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Lower-case text form, 36 characters.
    public let description: String

    /// Reads a UUID's text form in either case; nil when it is none.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return nil }
        for (i, byte) in bytes.enumerated() {
            if i == 8 || i == 13 || i == 18 || i == 23 {
                guard byte == 45 else { return nil }
            } else {
                guard (48...57).contains(byte) || (97...102).contains(byte) || (65...70).contains(byte) else { return nil }
            }
        }
        description = text.lowercased()
    }

    /// A UUIDv7 at `time` with 74 bits from `generator`.
    public static func v7(at time: Timestamp, using generator: inout some RandomNumberGenerator) -> AlertID {
        let ms = UInt64(max(0, time.millisecondsSinceEpoch))
        var bytes: [UInt8] = (0..<6).map { UInt8(truncatingIfNeeded: ms >> (40 - 8 * UInt64($0))) }
        let (high, low) = (generator.next() as UInt64, generator.next() as UInt64)
        bytes += [UInt8(truncatingIfNeeded: high), UInt8(truncatingIfNeeded: high >> 8)]
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: low >> (8 * UInt64($0))) }
        return AlertID(bytes: bytes, version: 7)
    }

    /// A UUIDv8 whose free bits are the first 16 bytes of `digest`; missing bytes are zero.
    public static func v8(digest: some Sequence<UInt8>) -> AlertID {
        var bytes = Array(digest.prefix(16))
        while bytes.count < 16 { bytes.append(0) }
        return AlertID(bytes: bytes, version: 8)
    }

    private init(bytes: [UInt8], version: UInt8) {
        var b = bytes
        b[6] = (b[6] & 0x0F) | (version << 4)
        b[8] = (b[8] & 0x3F) | 0x80
        let digits = Array("0123456789abcdef")
        var text = ""
        for (i, byte) in b.enumerated() {
            if i == 4 || i == 6 || i == 8 || i == 10 { text.append("-") }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        description = text
    }

    public static func < (a: AlertID, b: AlertID) -> Bool { a.description < b.description }
}

extension AlertID: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = AlertID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a UUID")
        }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
