import FleetModel
import FleetRuntime
import Glibc

/// A moment on the command line: a span back from now (`24h`), an RFC 3339 time, or a day (`2026-03-01`).
struct MomentArgument: Sendable {
    let now: Timestamp
    /// Whether a bare day begins at midnight UTC instead of local midnight.
    let isUTC: Bool

    func moment(_ option: String, _ text: String) throws -> Timestamp {
        if let span = Quantity.seconds(text) { return now.advanced(bySeconds: -span) }
        if let time = Timestamp(text) { return time }
        if let midnight = Timestamp(text + "T00:00:00Z") { return isUTC ? midnight : localMidnight(midnight) }
        throw UserError(
            .usage, "\(option) \(text.shortened): give a span (30min, 24h, 7d), a day (2026-03-01) or a time (2026-03-01T08:15:02Z)"
        )
    }

    private func localMidnight(_ midnight: Timestamp) -> Timestamp {
        var seconds = time_t(midnight.millisecondsSinceEpoch / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        parts.tm_isdst = -1
        return Timestamp(secondsSinceEpoch: Double(mktime(&parts)))
    }
}
