import FleetModel
import FleetRuntime
import Glibc

/// Times as a person reads them: local, or UTC on request, always said which.
struct TimeText: Sendable {
    /// Whether times are shown in UTC.
    var isUTC: Bool
    /// The moment of looking.
    var now: Timestamp

    /// `2026-03-01 09:15:02`, seconds cut.
    func dateAndTime(_ time: Timestamp) -> String { formatted(time, "%Y-%m-%d %H:%M:%S") }
    /// `2026-03-01 09:15:02 CET`.
    func full(_ time: Timestamp) -> String { dateAndTime(time) + " " + zone(time) }
    /// `09:15:02`.
    func timeOfDay(_ time: Timestamp) -> String { formatted(time, "%H:%M:%S") }
    /// `09:15:02.120`.
    func clock(_ time: Timestamp) -> String {
        let ms = ((time.millisecondsSinceEpoch % 1000) + 1000) % 1000
        return formatted(time, "%H:%M:%S") + "." + String(repeating: "0", count: 3 - String(ms).count) + String(ms)
    }
    /// `CET`, `UTC`, `+05`.
    func zone(_ time: Timestamp) -> String { isUTC || !Self.isZoneKnown ? "UTC" : formatted(time, "%Z") }
    /// What a column of `times` says of its zone: the zone, or `local` where summer and winter time meet.
    func zone(of times: [Timestamp]) -> String {
        let zones = Set((times.isEmpty ? [now] : times).map(zone))
        return zones.count == 1 ? zones.first ?? "UTC" : "local"
    }

    /// `12 s ago`, `3 min ago`, `2 h ago`, `5 d ago`; `now` for the last second and for clocks that are ahead.
    func ago(_ time: Timestamp) -> String {
        let seconds = now.seconds(since: time)
        switch seconds {
        case ..<1: return "now"
        case ..<100: return "\(Int(seconds)) s ago"
        case ..<6000: return "\(Int(seconds / 60)) min ago"
        case ..<172_800: return "\(Int(seconds / 3600)) h ago"
        default: return "\(Int(seconds / 86_400)) d ago"
        }
    }

    /// `4.2 s`, `42 s`, `12 min 5 s`, `3 h 12 min`, `2 d 3 h`.
    static func span(_ seconds: Double) -> String {
        let whole = Int(max(0, min(seconds, 1e10)).rounded())
        switch seconds {
        case ..<9.95: return NumberText.decimal(max(0, seconds), 1) + " s"
        case ..<119.5: return "\(whole) s"
        case ..<3600: return "\(whole / 60) min" + (whole % 60 == 0 ? "" : " \(whole % 60) s")
        case ..<86_400: return "\(whole / 3600) h \(whole % 3600 / 60) min"
        default: return "\(whole / 86_400) d \(whole % 86_400 / 3600) h"
        }
    }

    /// Whether `TZ` means something: the C library takes a name that it does not know for UTC and keeps the name (tzset(3)).
    static let isZoneKnown: Bool = {
        guard let name = getenv("TZ").map({ String(cString: $0) }), !name.isEmpty else { return true }
        // `CET-1CEST` always has an offset; anything else names a file.
        if name.hasPrefix(":") || name.contains(where: \.isNumber) { return true }
        let folder = getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
        return access(name.hasPrefix("/") ? name : folder + "/" + name, R_OK) == 0
    }()

    private func formatted(_ time: Timestamp, _ format: String) -> String {
        let ms = time.millisecondsSinceEpoch
        var seconds = time_t(ms >= 0 ? ms / 1000 : -((-ms + 999) / 1000))
        var parts = tm()
        if isUTC { gmtime_r(&seconds, &parts) } else { localtime_r(&seconds, &parts) }
        var buffer = [CChar](repeating: 0, count: 64)
        let length = strftime(&buffer, buffer.count, format, &parts)
        return String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
