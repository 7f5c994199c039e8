/// Times of the week and the year in the spelling of OpenStreetMap's `opening_hours`, as far as limits use it:
/// `Mo-Fr 07:00-18:00`, `22:00-06:00`, `Mo,We 08:00-12:00,14:00-16:00; Sa`, `Apr-Oct`, `Dec 20-Jan 6 Mo-Su`, `24/7`.
///
/// Public and school holidays, sunrise and sunset, weeks and years are read as "cannot be told".
public struct WeeklyTimes: Hashable, Sendable {
    fileprivate struct Rule: Hashable {
        /// Pairs of month and day, both ends within; empty is all the year.
        var dates: [ClosedSpan] = []
        /// Monday 0; empty is every day.
        var weekdays: Set<Int> = []
        /// Minutes since midnight; an end before the start is on the next day; empty is all day.
        var minutes: [(from: Int, to: Int)] = []

        static func == (a: Rule, b: Rule) -> Bool {
            a.dates == b.dates && a.weekdays == b.weekdays && a.minutes.elementsEqual(b.minutes, by: ==)
        }
        func hash(into hasher: inout Hasher) {
            hasher.combine(dates)
            hasher.combine(weekdays)
        }
    }

    /// Days of the year as month × 100 + day; an end before the start runs over the new year.
    fileprivate struct ClosedSpan: Hashable {
        var from: Int
        var to: Int

        func contains(_ date: Int) -> Bool { from <= to ? (from...to).contains(date) : date >= from || date <= to }
    }

    private var rules: [Rule] = []

    /// Nil when `text` is not such a time, or holds more than can be told.
    public init?(_ text: String) {
        guard text.utf8.count <= 1024 else { return nil }
        for part in text.split(separator: ";") {
            guard let rule = Self.rule(MaxspeedValue.trimmed(part)) else { return nil }
            rules.append(rule)
        }
        guard !rules.isEmpty else { return nil }
    }

    /// Whether `time` lies within.
    public func contains(_ time: LocalTime) -> Bool { rules.contains { $0.contains(time) } }

    private static func rule(_ text: String) -> Rule? {
        if text == "24/7" { return Rule() }
        var rule = Rule()
        var words = text.split(separator: " ").flatMap { split($0) }[...]
        while let word = words.first, let month = month(word) {
            // `Apr-Oct`, `Apr 15-Oct 3`, `Jun`.
            words.removeFirst()
            guard let span = dates(from: month, word, &words) else { return nil }
            rule.dates.append(span)
        }
        if let word = words.first, let days = weekdays(word) {
            rule.weekdays = days
            words.removeFirst()
        }
        for word in words {
            for piece in word.split(separator: ",") {
                guard let span = minutes(piece) else { return nil }
                rule.minutes.append(span)
            }
        }
        return rule.dates.isEmpty && rule.weekdays.isEmpty && rule.minutes.isEmpty ? nil : rule
    }

    /// Takes `Mo-Fr:` and the like apart from what follows; a trailing comma is dropped.
    private static func split(_ word: Substring) -> [Substring] {
        let clean = word.drop { $0 == "," }
        let trimmed = clean.last == "," || clean.last == ":" ? clean.dropLast() : clean
        return trimmed.isEmpty ? [] : [trimmed]
    }

    private static let monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let dayNames = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]

    /// The month with which `word` begins.
    private static func month(_ word: Substring) -> Int? {
        monthNames.firstIndex(of: String(word.prefix(3))).map { $0 + 1 }
    }

    /// The dates that begin in `month`; `word` is `Apr`, `Apr-Oct`, and numbers may follow in `words`.
    private static func dates(from month: Int, _ word: Substring, _ words: inout ArraySlice<Substring>) -> ClosedSpan? {
        let rest = word.dropFirst(3)
        if rest.isEmpty {
            // `Apr`, `Apr 15`, `Apr 15-Oct 3`, `Apr 15-20`
            guard let next = words.first, let first = next.first, first.isNumber, !next.contains(":") else {
                return ClosedSpan(from: month * 100 + 1, to: month * 100 + 31)
            }
            words.removeFirst()
            let ends = next.split(separator: "-", omittingEmptySubsequences: false)
            guard let day = Int(ends[0]), (1...31).contains(day), ends.count <= 2 else { return nil }
            guard ends.count == 2 else { return ClosedSpan(from: month * 100 + day, to: month * 100 + day) }
            if let last = Int(ends[1]) {
                return (1...31).contains(last) ? ClosedSpan(from: month * 100 + day, to: month * 100 + last) : nil
            }
            guard let lastMonth = Self.month(ends[1]), ends[1].count == 3, let text = words.first, let last = Int(text) else {
                return nil
            }
            words.removeFirst()
            return ClosedSpan(from: month * 100 + day, to: lastMonth * 100 + last)
        }
        guard rest.first == "-", rest.count == 4, let last = Self.month(rest.dropFirst()) else { return nil }
        return ClosedSpan(from: month * 100 + 1, to: last * 100 + 31)
    }

    /// `Mo`, `Mo-Fr`, `Mo,We,Fr-Su`; nil for anything else.
    private static func weekdays(_ word: Substring) -> Set<Int>? {
        var days: Set<Int> = []
        for piece in word.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = piece.split(separator: "-", omittingEmptySubsequences: false).map { dayNames.firstIndex(of: String($0)) }
            guard let first = ends[0], ends.count <= 2, let last = ends.count == 2 ? ends[1] : first else { return nil }
            var day = first
            days.insert(day)
            while day != last {
                day = (day + 1) % 7
                days.insert(day)
            }
        }
        return days.isEmpty ? nil : days
    }

    private static func minutes(_ text: Substring) -> (from: Int, to: Int)? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let from = minute(ends[0]), let to = minute(ends[1]), from < 24 * 60 else { return nil }
        return (from, to)
    }

    private static func minute(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2, let hours = Int(parts[0]),
            let minutes = Int(parts[1]), (0...48).contains(hours), (0..<60).contains(minutes)
        else { return nil }
        return hours * 60 + minutes
    }
}

extension WeeklyTimes.Rule {
    fileprivate func contains(_ time: LocalTime) -> Bool {
        guard dates.isEmpty || dates.contains(where: { $0.contains(time.month * 100 + time.day) }) else { return false }
        func applies(on weekday: Int) -> Bool { weekdays.isEmpty || weekdays.contains(weekday) }
        guard !minutes.isEmpty else { return applies(on: time.weekday) }
        return minutes.contains { span in
            if span.from < span.to, span.to <= 24 * 60 {
                return applies(on: time.weekday) && (span.from..<span.to).contains(time.minute)
            }
            // Over midnight: the evening belongs to the day, the morning to the day before.
            let end = span.to > 24 * 60 ? span.to - 24 * 60 : span.to
            return (applies(on: time.weekday) && time.minute >= span.from) || (applies(on: time.yesterday) && time.minute < end)
        }
    }
}
