import FleetModel
import FleetStore

/// An alert in a few words, for a line of a list.
struct AlertWords: Sendable {
    /// Confidence below which a limit is called unconfirmed.
    static let confirmedFrom = 0.9

    let speed: SpeedText

    /// What happened: `63 km/h in 50 (default), max 66, 9 s`, `car ahead, TTC 1.6 s min`.
    func what(_ stored: StoredAlert) -> String {
        var text = details(stored.alert)
        if stored.alert.endReason == .interrupted { text += ", interrupted" }
        if stored.late { text += ", came late" }
        if stored.alert.origin == .replay { text += " [replay]" }
        return text
    }

    private func details(_ alert: Alert) -> String {
        switch alert.kind {
        case .overspeed: alert.overspeed.map { overspeed($0, alert.speedMps) } ?? "no details"
        case .collision: alert.collision.map(collision) ?? "no details"
        case .headway: alert.headway.map(headway) ?? "no details"
        case .landmark: alert.landmark.map { "\($0.name) seen, score \(NumberText.decimal($0.score, 2))" } ?? "no details"
        }
    }

    private func overspeed(_ details: OverspeedDetails, _ speedMps: Double?) -> String {
        let now = speedMps.map(speed.text) ?? "? \(speed.unit.rawValue)"
        var text = "\(now) in \(shortLimit(details)) (\(details.source.rawValue))"
        text += ", max \(speed.whole(details.maxSpeedMps)), \(TimeText.span(details.durationS))"
        return details.confidence < Self.confirmedFrom ? text + ", unconfirmed" : text
    }

    /// The number on the sign; with its unit where that is not the reader's.
    private func shortLimit(_ details: OverspeedDetails) -> String {
        let limit = details.limit.unit == speed.unit ? NumberText.short(details.limit.value) : speed.limit(details.limit)
        return details.limitMinMps.map { "\(speed.whole($0)) to \(limit)" } ?? limit
    }

    private func collision(_ details: CollisionDetails) -> String {
        var text = "\(details.roadUser.rawValue) ahead"
        if let ttc = details.minTtcS { text += ", TTC \(NumberText.decimal(ttc, 1)) s min" }
        if let distance = details.distanceM { text += ", \(NumberText.decimal(distance, 0)) m" }
        return text
    }

    private func headway(_ details: HeadwayDetails) -> String {
        let lead = details.leadSpeedMps.map { ", lead \(speed.text($0))" } ?? ""
        return "\(NumberText.decimal(details.timeHeadwayS, 1)) s behind\(lead)"
    }

    /// How long it lasted: `9.0 s`; with `>` while it goes on.
    static func lasted(_ alert: Alert) -> String {
        if let end = alert.endedAt { return TimeText.span(end.seconds(since: alert.startedAt)) }
        return ">" + TimeText.span(alert.at.seconds(since: alert.startedAt))
    }
}

extension NumberText {
    /// Without a point where there is nothing behind it: `50`, `12.5`.
    static func short(_ value: Double) -> String {
        value == value.rounded() ? decimal(value, 0) : decimal(value, 1)
    }
}

extension Severity {
    /// The colour of a severity.
    var style: Style {
        switch self {
        case .info: .plain
        case .caution: .notice
        case .warning: .alarm
        case .critical: .severe
        }
    }
}
