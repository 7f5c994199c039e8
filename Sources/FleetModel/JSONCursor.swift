/// Reads JSON of a known shape straight from its bytes, forwards, without building anything in between.
///
/// It reads what our own encoder writes and little more. Anything else throws `Unusual`, which says nothing but that the general decoder
/// has to look: that one alone decides what is valid and says what is wrong. The bytes are UTF-8 and no key stands twice (`JSONStructure`).
struct JSONCursor {
    /// The general decoder has to look.
    struct Unusual: Error {}

    private let bytes: UnsafeBufferPointer<UInt8>
    private var at = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Reads an object: `member` is called with each key and reads its value.
    mutating func object(_ member: (inout JSONCursor, String) throws(Unusual) -> Void) throws(Unusual) {
        try take(UInt8(ascii: "{"))
        if next() == UInt8(ascii: "}") { return at += 1 }
        while true {
            let key = try string()
            try take(UInt8(ascii: ":"))
            try member(&self, key)
            guard try goesOn(until: UInt8(ascii: "}")) else { return }
        }
    }

    /// Reads an array of what `element` reads.
    mutating func array<T>(_ element: (inout JSONCursor) throws(Unusual) -> T) throws(Unusual) -> [T] {
        try take(UInt8(ascii: "["))
        var elements: [T] = []
        if next() == UInt8(ascii: "]") {
            at += 1
            return elements
        }
        repeat { elements.append(try element(&self)) } while try goesOn(until: UInt8(ascii: "]"))
        return elements
    }

    /// Nothing but blanks may follow.
    mutating func end() throws(Unusual) {
        _ = next()
        guard at == bytes.count else { throw Unusual() }
    }

    /// Reads a string without escapes.
    mutating func string() throws(Unusual) -> String {
        try take(UInt8(ascii: "\""))
        let start = at
        while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
            guard bytes[at] >= 0x20, bytes[at] != UInt8(ascii: "\\") else { throw Unusual() }
            at += 1
        }
        guard at < bytes.count else { throw Unusual() }
        at += 1
        return String(decoding: bytes[start..<at - 1], as: UTF8.self)
    }

    /// Reads one of the texts of `T`.
    mutating func value<T: RawRepresentable>(_: T.Type) throws(Unusual) -> T where T.RawValue == String {
        guard let value = T(rawValue: try string()) else { throw Unusual() }
        return value
    }

    /// Reads null, if that is what stands here.
    mutating func null() -> Bool {
        guard next() == UInt8(ascii: "n"), at + 4 <= bytes.count, bytes[at + 1] == UInt8(ascii: "u"),
            bytes[at + 2] == UInt8(ascii: "l"),
            bytes[at + 3] == UInt8(ascii: "l")
        else { return false }
        at += 4
        return true
    }

    /// Reads null as nil, else what `read` reads.
    mutating func optional<T>(_ read: (inout JSONCursor) throws(Unusual) -> T) throws(Unusual) -> T? {
        if null() { return nil }
        return try read(&self)
    }

    /// Reads a whole number of at most 18 digits.
    mutating func integer() throws(Unusual) -> Int64 {
        let (mantissa, places, isNegative) = try decimal()
        guard places == 0 else { throw Unusual() }
        return isNegative ? -mantissa : mantissa
    }

    /// Reads a number of at most 15 digits without exponent. Such a number of digits, and the power of ten, are exact in a `Double`, so their
    /// quotient is rounded once and right (W. D. Clinger, "How to read floating point numbers accurately", 1990).
    mutating func double() throws(Unusual) -> Double {
        let (mantissa, places, isNegative) = try decimal()
        guard mantissa < 1_000_000_000_000_000 else { throw Unusual() }
        let value = Double(mantissa) / Self.powers[places]
        return isNegative ? -value : value
    }

    private static let powers: [Double] = (0...18).map { places in (0..<places).reduce(1) { power, _ in power * 10 } }

    private mutating func decimal() throws(Unusual) -> (mantissa: Int64, places: Int, isNegative: Bool) {
        let isNegative = next() == UInt8(ascii: "-")
        if isNegative { at += 1 }
        let start = at
        var mantissa: Int64 = 0
        var point: Int?
        while at < bytes.count {
            let byte = bytes[at]
            if byte == UInt8(ascii: "."), point == nil, at > start {
                point = at
            } else if byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
                mantissa = mantissa &* 10 &+ Int64(byte - UInt8(ascii: "0"))
            } else {
                break
            }
            at += 1
        }
        let whole = (point ?? at) - start
        let places = point.map { at - $0 - 1 } ?? 0
        guard whole > 0, point == nil || places > 0, whole + places <= 18, whole == 1 || bytes[start] != UInt8(ascii: "0") else {
            throw Unusual()
        }
        if at < bytes.count, bytes[at] | 0x20 == UInt8(ascii: "e") { throw Unusual() }
        return (mantissa, places, isNegative)
    }

    /// The byte that comes next, blanks left out; 0 at the end.
    private mutating func next() -> UInt8 {
        while at < bytes.count {
            let byte = bytes[at]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            at += 1
        }
        return 0
    }

    private mutating func take(_ expected: UInt8) throws(Unusual) {
        guard next() == expected else { throw Unusual() }
        at += 1
    }

    /// True after a comma, false after `last`.
    private mutating func goesOn(until last: UInt8) throws(Unusual) -> Bool {
        let byte = next()
        guard byte == UInt8(ascii: ",") || byte == last else { throw Unusual() }
        at += 1
        return byte != last
    }
}
