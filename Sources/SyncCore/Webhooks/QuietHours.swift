import FleetModel
import Foundation

/// Hours of every day in which nobody wants to be told: `22:00-06:00` of a time zone. What would be told then is told when they end.
public struct QuietHours: Sendable, Hashable {
    /// Minutes since midnight; the end may come before the beginning, on the next day.
    let beginMinute: Int
    let endMinute: Int
    let zone: TimeZone

    /// Reads `22:00-06:00`; nil when it is none, or begin and end are the same.
    init?(_ text: String, zone: TimeZone) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Self.minute(String($0)) }
        guard parts.count == 2, let begin = parts[0], let end = parts[1], begin != end else { return nil }
        (beginMinute, endMinute, self.zone) = (begin, end, zone)
    }

    private static func minute(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.allSatisfy { $0.isASCII && $0.isNumber } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    /// `time` itself, or when the quiet hours end that it lies in. The end is that of the clock on the wall, also where it is put forward
    /// or back in between.
    func whenToTell(_ time: Timestamp) -> Timestamp {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let date = Date(timeIntervalSince1970: time.secondsSinceEpoch)
        let parts = calendar.dateComponents([.hour, .minute], from: date)
        let minute = (parts.hour ?? 0) * 60 + (parts.minute ?? 0)
        let isQuiet =
            beginMinute < endMinute ? (beginMinute..<endMinute).contains(minute) : minute >= beginMinute || minute < endMinute
        guard isQuiet else { return time }
        let end = DateComponents(hour: endMinute / 60, minute: endMinute % 60)
        let next = calendar.nextDate(after: date, matching: end, matchingPolicy: .nextTime)
        return next.map { Timestamp(secondsSinceEpoch: $0.timeIntervalSince1970) } ?? time
    }
}
