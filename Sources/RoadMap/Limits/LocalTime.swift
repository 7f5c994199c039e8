/// A moment as a clock and a calendar on the road show it; what conditions like `Mo-Fr 07:00-18:00` are about.
public struct LocalTime: Hashable, Sendable {
    /// 1 to 12.
    public var month: Int
    /// 1 to 31.
    public var day: Int
    /// Monday 0 to Sunday 6.
    public var weekday: Int
    /// Minutes since midnight, 0 to 1439.
    public var minute: Int

    /// All members.
    public init(month: Int, day: Int, weekday: Int, minute: Int) {
        self.month = month
        self.day = day
        self.weekday = weekday
        self.minute = minute
    }

    /// The civil time of `seconds` since 1970-01-01 00:00 on the local clock (UTC plus the zone's offset).
    ///
    /// Days to dates by Howard Hinnant's `civil_from_days`.
    public init(localSecondsSinceEpoch seconds: Int64) {
        func floorDivide(_ a: Int64, _ b: Int64) -> Int64 { a >= 0 ? a / b : (a - b + 1) / b }
        let days = floorDivide(seconds, 86_400)
        minute = Int((seconds - days * 86_400) / 60)
        // 1970-01-01 was a Thursday.
        weekday = Int(((days + 3) % 7 + 7) % 7)
        let z = days + 719_468
        let era = floorDivide(z, 146_097)
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        day = Int(dayOfYear - (153 * shifted + 2) / 5 + 1)
        month = Int(shifted < 10 ? shifted + 3 : shifted - 9)
    }

    /// The weekday before.
    var yesterday: Int { (weekday + 6) % 7 }
}
