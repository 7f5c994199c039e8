import FleetModel
import FleetRuntime

/// An alert as one line for the person at the terminal of the agent.
enum AlertWords {
    /// The line for an alert that begins or ends; nil for updates.
    static func line(_ alert: Alert) -> String? {
        guard alert.phase != .update else { return nil }
        let when = alert.sessionTimeS.map { "\($0.rounded(toPlaces: 2)) s" } ?? alert.at.description
        let end = alert.endReason.map { " (\($0.rawValue))" } ?? ""
        return "\(when)  \(alert.kind.rawValue) \(alert.phase.rawValue)\(end)  \(alert.severity.rawValue)  \(what(alert))"
    }

    private static func what(_ alert: Alert) -> String {
        if let o = alert.overspeed {
            let unit = o.limit.unit
            let fastest = Speed.value(ofMps: o.maxSpeedMps, in: unit).rounded(toPlaces: 1)
            return
                "\(fastest) \(unit.rawValue) where \(o.limit) applies (\(o.source.rawValue)), \(o.durationS.rounded(toPlaces: 1)) s"
        }
        if let c = alert.collision {
            let ttc = c.minTtcS.map { "time to collision \($0.rounded(toPlaces: 1)) s" } ?? "time to collision unknown"
            return "\(c.roadUser.rawValue) ahead, \(ttc)"
        }
        if let l = alert.landmark { return "\(l.name) seen, score \(l.score.rounded(toPlaces: 2))" }
        return ""
    }
}
