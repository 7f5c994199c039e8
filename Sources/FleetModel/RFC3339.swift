/// Reading and writing RFC 3339 without a calendar library: exact, allocation-light, the same on every machine.
///
/// Day arithmetic after Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms" (proleptic Gregorian calendar).
enum RFC3339 {
    /// 0000-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z in milliseconds since 1970: what four digits of a year can say.
    static let range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    static func format(_ milliseconds: Int64) -> String {
        let days = floorDivide(milliseconds, 86_400_000)
        let inDay = milliseconds - days * 86_400_000
        let (year, month, day) = civil(fromDays: days)
        let second = inDay / 1000
        return pad(year, 4) + "-" + pad(month, 2) + "-" + pad(day, 2) + "T" + pad(second / 3600, 2) + ":" + pad(second / 60 % 60, 2)
            + ":" + pad(second % 60, 2) + "." + pad(inDay % 1000, 3) + "Z"
    }

    static func parse(_ text: [UInt8]) -> Int64? {
        var at = 0
        func number(_ digits: Int) -> Int64? {
            guard at + digits <= text.count else { return nil }
            var value: Int64 = 0
            for byte in text[at..<at + digits] {
                guard (48...57).contains(byte) else { return nil }
                value = value * 10 + Int64(byte - 48)
            }
            at += digits
            return value
        }
        func skip(_ allowed: StaticString) -> Bool {
            guard at < text.count else { return false }
            let found = allowed.withUTF8Buffer { $0.contains(text[at]) }
            if found { at += 1 }
            return found
        }
        guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2), skip("Tt "),
            let hour = number(2), skip(":"), let minute = number(2), skip(":"), let second = number(2),
            // Second 60 is a leap second; it is read as the last second before it, as POSIX time has no name for it.
            (1...12).contains(month), day >= 1, day <= length(ofMonth: month, year: year), hour < 24, minute < 60, second <= 60
        else { return nil }
        guard let millisecond = fraction(text, &at) else { return nil }
        var offsetMinutes: Int64 = 0
        if !skip("Zz") {
            guard at < text.count, text[at] == 43 || text[at] == 45 else { return nil }
            let sign: Int64 = text[at] == 45 ? -1 : 1
            at += 1
            guard let hours = number(2), skip(":"), let minutes = number(2), hours < 24, minutes < 60 else { return nil }
            offsetMinutes = sign * (hours * 60 + minutes)
        }
        guard at == text.count else { return nil }
        let seconds =
            days(fromYear: year, month: month, day: day) * 86_400 + hour * 3600 + (minute - offsetMinutes) * 60 + min(second, 59)
        let milliseconds = seconds * 1000 + millisecond
        return range.contains(milliseconds) ? milliseconds : nil
    }

    /// The digits after an optional point, as milliseconds; nil when the point has no digit behind it.
    private static func fraction(_ text: [UInt8], _ at: inout Int) -> Int64? {
        guard at < text.count, text[at] == 46 else { return 0 }
        at += 1
        let start = at
        var value: Int64 = 0
        while at < text.count, (48...57).contains(text[at]) {
            if at - start < 3 { value = value * 10 + Int64(text[at] - 48) }
            at += 1
        }
        guard at > start else { return nil }
        for _ in 0..<max(0, 3 - (at - start)) { value *= 10 }
        return value
    }

    private static func length(ofMonth month: Int64, year: Int64) -> Int64 {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func floorDivide(_ a: Int64, _ b: Int64) -> Int64 { a >= 0 ? a / b : -((-a + b - 1) / b) }

    private static func days(fromYear year: Int64, month: Int64, day: Int64) -> Int64 {
        let y = month <= 2 ? year - 1 : year
        let era = floorDivide(y, 400)
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let z = days + 719_468
        let era = floorDivide(z, 146_097)
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let mp = (5 * dayOfYear + 2) / 153
        let month = mp + (mp < 10 ? 3 : -9)
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * mp + 2) / 5 + 1)
    }

    private static func pad(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
