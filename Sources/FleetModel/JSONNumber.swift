/// Reads the text of a JSON number.
enum JSONNumber {
    /// The nearest double; nil when none is near (1e400).
    static func double(_ text: ArraySlice<UInt8>) -> Double? {
        if let simple = simpleDouble(text) { return simple }
        guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }

    /// A number with at most 15 digits and no exponent: an exact integer divided by an exact power of ten, rounded once (W. Clinger, "How
    /// to read floating point numbers accurately", 1990). Nil for others.
    private static func simpleDouble(_ text: ArraySlice<UInt8>) -> Double? {
        guard text.count <= 17 else { return nil }
        var mantissa: UInt64 = 0
        var digits = 0
        var places = 0
        var isFraction = false
        for byte in text {
            switch byte {
            case 48...57:
                mantissa = mantissa * 10 + UInt64(byte - 48)
                digits += 1
                if isFraction { places += 1 }
            case UInt8(ascii: "."): isFraction = true
            case UInt8(ascii: "-"): continue
            default: return nil
            }
        }
        guard digits <= 15 else { return nil }
        let magnitude = Double(mantissa) / powersOfTen[places]
        return text.first == UInt8(ascii: "-") ? -magnitude : magnitude
    }

    private static let powersOfTen: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15]

    /// The whole number, written as one or as a decimal without a remainder (1.0, 1e3); nil when it does not fit.
    static func integer<T: FixedWidthInteger>(_ text: ArraySlice<UInt8>, as type: T.Type) -> T? {
        let isNegative = text.first == UInt8(ascii: "-")
        var value: T = 0
        for byte in isNegative ? text.dropFirst() : text {
            guard (48...57).contains(byte) else { return double(text).flatMap { T(exactly: $0) } }
            let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
            let digit = T(byte - 48)
            let (sum, overflowAgain) =
                isNegative ? tenfold.subtractingReportingOverflow(digit) : tenfold.addingReportingOverflow(digit)
            guard !overflow, !overflowAgain else { return nil }
            value = sum
        }
        return value
    }
}
