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
        if stored.review != .new { text += " [\(stored.review.rawValue.replacing("_", with: " "))]" }
        return text
    }

    private func details(_ alert: Alert) -> String {
        switch alert.kind {
        case .overspeed: alert.overspeed.map { overspeed($0, alert) } ?? "no details"
        case .collision: alert.collision.map(collision) ?? "no details"
        case .headway: alert.headway.map(headway) ?? "no details"
        case .landmark: alert.landmark.map { "\($0.name) seen, score \(NumberText.decimal($0.score, 2))" } ?? "no details"
        }
    }

    /// While it goes on, the speed now comes first; once it is over, the highest.
    private func overspeed(_ details: OverspeedDetails, _ alert: Alert) -> String {
        let (first, second) =
            alert.phase == .end
            ? ("max \(speed.text(details.maxSpeedMps))", "mean \(speed.whole(details.meanSpeedMps))")
            : (alert.speedMps.map(speed.text) ?? "? \(speed.unit.rawValue)", "max \(speed.whole(details.maxSpeedMps))")
        let text = "\(first) in \(limit(details)), \(second), \(TimeText.span(details.durationS))"
        return details.confidence < Self.confirmedFrom ? text + ", unconfirmed" : text
    }

    /// `50 (sign)`; with what stands on the sign where its unit is not the reader's: `48 (map, 30 mph)`.
    private func limit(_ details: OverspeedDetails) -> String {
        let source = details.source.rawValue
        let low = details.limitMinMps.map { "\(speed.whole($0)) to " } ?? ""
        guard details.limit.unit == speed.unit else {
            return "\(low)\(speed.whole(details.limit.metresPerSecond)) (\(source), \(details.limit))"
        }
        return "\(low)\(NumberText.short(details.limit.value)) (\(source))"
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

    /// How long it lasted: `9.0 s`; with `>` while it goes on, `-` when it has just begun.
    static func lasted(_ alert: Alert) -> String {
        if let end = alert.endedAt { return TimeText.span(end.seconds(since: alert.startedAt)) }
        let soFar = alert.at.seconds(since: alert.startedAt)
        return soFar > 0 ? ">" + TimeText.span(soFar) : "-"
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
