import FleetRuntime
import FleetModel
import FleetStore

/// One alert in plain words: what happened, when, where, why it was judged so, and its revisions.
struct AlertReport {
    let revisions: [StoredAlert]
    /// What people said of it, the oldest first.
    var reviews: [AlertReview] = []
    let view: ViewOptions

    private static let labelWidth = 10
    private static let indent = "  "
    /// Lines that the times to collision take at most, about.
    private static let seriesLines = 40

    /// The lines of the report; control characters are replaced.
    var lines: [String] {
        guard let last = revisions.last else { return [] }
        let alert = last.alert
        var lines = [alert.severity.style.apply(headline(alert), view.terminal.hasColour), ""]
        lines += [
            field("id", alert.id.description), field("when", when(alert)), field("where", place(alert)),
            field("map", map(alert)), field("speed", alert.speedMps.map { view.speed.precise($0) } ?? "unknown"),
        ]
        lines += details(alert)
        lines += [
            field("picture", picture(alert)), field("clock", clock(alert.clock)),
            field("received", received(last)), field("software", software(alert)),
        ]
        if alert.origin == .replay { lines.append(field("origin", "replay of a recording; not counted in statistics")) }
        let series = series
        if !series.isEmpty { lines += ["", "Time to collision, from the beginning:"] + series }
        if !reviews.isEmpty { lines += ["", "Reviews:"] + reviews.map(said) }
        return lines + ["", "Revisions:"] + history
    }

    private func said(_ review: AlertReview) -> String {
        let state = review.state.rawValue.replacing("_", with: " ")
        let who = review.name.isEmpty ? "somebody" : review.name
        return "  \(view.time.full(review.at))  \(who): \(state)\(review.note.isEmpty ? "" : ", " + review.note)".printable
    }

    private func field(_ name: String, _ text: String) -> String {
        "  " + name + String(repeating: " ", count: max(1, Self.labelWidth - name.count)) + text.printable
    }

    private func headline(_ alert: Alert) -> String {
        let who = alert.identity.description
        let what =
            switch alert.kind {
            case .overspeed:
                alert.overspeed.map {
                    "\(who) drove up to \(view.speed.precise($0.maxSpeedMps)) where \(view.speed.limit($0.limit)) applies"
                }
            case .collision: alert.collision.map { "\(who) came close to a \($0.roadUser.rawValue)" + minimum($0) }
            case .headway: alert.headway.map { "\(who) drove \(NumberText.decimal($0.timeHeadwayS, 1)) s behind the vehicle ahead" }
            case .landmark: alert.landmark.map { "\(who) saw \($0.name)" }
            }
        return "\(alert.kind.rawValue), \(alert.severity.rawValue): \(what ?? who)".printable
    }

    private func minimum(_ details: CollisionDetails) -> String {
        details.minTtcS.map { ": \(NumberText.decimal($0, 1)) s to collision at the least" } ?? ""
    }

    private func when(_ alert: Alert) -> String {
        guard let end = alert.endedAt else {
            return
                "\(view.time.full(alert.startedAt)), goes on (last heard after \(TimeText.span(alert.at.seconds(since: alert.startedAt))))"
        }
        let reason = alert.endReason.map { ": " + Self.words($0) } ?? ""
        return "\(view.time.full(alert.startedAt)), for \(TimeText.span(end.seconds(since: alert.startedAt)))\(reason)"
    }

    private static func words(_ reason: EndReason) -> String {
        switch reason {
        case .cleared: "the condition no longer held"
        case .lost: "what it was about was no longer seen"
        case .limitChanged: "another limit began"
        case .unknown: "speed, limit or picture were no longer known"
        case .stopped: "the drive or the recording ended"
        case .interrupted: "the agent was interrupted; told at its next start"
        }
    }

    private func place(_ alert: Alert) -> String {
        guard let position = alert.position else { return "unknown" }
        let (lat, lon) = (NumberText.decimal(position.lat, 6), NumberText.decimal(position.lon, 6))
        var text = "\(lat), \(lon)"
        if let accuracy = position.accuracyM { text += " within \(NumberText.short(accuracy)) m" }
        if let heading = position.headingDeg { text += ", heading \(NumberText.decimal(heading, 0))° (\(Self.compass(heading)))" }
        return text
    }

    private func map(_ alert: Alert) -> String {
        guard let position = alert.position else { return "-" }
        let (lat, lon) = (NumberText.decimal(position.lat, 6), NumberText.decimal(position.lon, 6))
        return "https://www.openstreetmap.org/?mlat=\(lat)&mlon=\(lon)#map=17/\(lat)/\(lon)"
    }

    /// The nearest of the eight winds.
    static func compass(_ headingDeg: Double) -> String {
        let names = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"]
        // Whatever a server says: a number beyond any circle has no wind.
        guard abs(headingDeg) < 1e6 else { return "-" }
        return names[((Int((headingDeg / 45).rounded()) % 8) + 8) % 8]
    }

    private func details(_ alert: Alert) -> [String] {
        var lines: [String] = []
        if let o = alert.overspeed {
            var limit =
                "\(view.speed.limit(o.limit)) from \(Self.words(o.source)), confidence \(NumberText.decimal(o.confidence, 2))"
            if let low = o.limitMinMps { limit += "; another source says \(view.speed.text(low))" }
            if o.confidence < AlertWords.confirmedFrom { limit += " (unconfirmed)" }
            lines += [
                field("limit", limit + ", tolerance \(view.speed.precise(o.toleranceMps))"),
                field(
                    "reached",
                    "max \(view.speed.precise(o.maxSpeedMps)), mean \(view.speed.precise(o.meanSpeedMps)), "
                        + "\(NumberText.decimal(o.distanceM, 0)) m in \(TimeText.span(o.durationS))"),
            ]
        }
        if let c = alert.collision {
            var object = "\(c.roadUser.rawValue), track \(c.track)"
            if let distance = c.distanceM {
                object +=
                    ", \(NumberText.decimal(distance, 1)) m away"
                    + (c.distanceSdM.map { " ± \(NumberText.decimal($0, 1)) m" } ?? "")
            }
            if let closing = c.closingMps { object += ", closing at \(view.speed.precise(closing))" }
            let ttc = [("now", c.ttcS), ("least", c.minTtcS)].compactMap { name, value in
                value.map { "\(name) \(NumberText.decimal($0, 2)) s" }
            }
            lines += [
                field("object", object), field("ttc", ttc.isEmpty ? "unknown" : ttc.joined(separator: ", ")),
                field("gates", c.gates.isEmpty ? "none" : c.gates.joined(separator: ", ")),
            ]
        }
        if let h = alert.headway {
            let lead = h.leadSpeedMps.map { ", the vehicle ahead drives \(view.speed.precise($0))" } ?? ""
            lines.append(field("headway", "\(NumberText.decimal(h.timeHeadwayS, 2)) s\(lead)"))
        }
        if let l = alert.landmark { lines.append(field("landmark", "\(l.name), score \(NumberText.decimal(l.score, 2))")) }
        return lines
    }

    private static func words(_ source: LimitSource) -> String {
        switch source {
        case .sign: "a sign"
        case .map: "the map"
        case .zone: "a configured zone"
        case .configuration: "the configured default"
        }
    }

    private func picture(_ alert: Alert) -> String {
        alert.snapshot.map { "\($0.width) × \($0.height); save it with --snapshot FILE.jpg" } ?? "none"
    }

    private func clock(_ state: ClockState) -> String {
        switch state {
        case .gps: "set by GPS"
        case .ntp: "set by the network (NTP)"
        case .unsynchronised: "not set: the times are not trustworthy"
        }
    }

    private func received(_ last: StoredAlert) -> String {
        let delay = last.receivedAt.seconds(since: last.alert.at)
        let age = delay >= 0 ? "\(TimeText.span(delay)) after it happened" : "before its own time: the vehicle's clock is ahead"
        return "\(view.time.full(last.receivedAt)), \(age)" + (last.late ? " (late)" : "")
    }

    private func software(_ alert: Alert) -> String {
        "agent \(alert.software), " + (alert.model.map { "model \($0)" } ?? "no model") + ", event \(alert.seq)"
    }

    /// Of all revisions, one line a value, with a bar as long as the time to collision (two signs a second, 40 at most).
    private var series: [String] {
        var values: [Double: Double] = [:]
        for alert in revisions.map(\.alert) {
            for pair in alert.collision?.ttcSeries ?? [] where pair.count == 2 {
                // Neighbouring revisions tell the same moments again.
                values[((alert.at.seconds(since: alert.startedAt) + pair[0]) * 100).rounded() / 100] = pair[1]
            }
        }
        let moments = values.keys.sorted()
        let step = max(1, (moments.count + Self.seriesLines - 1) / Self.seriesLines)
        let least = values.min { $0.value < $1.value }?.key
        return moments.enumerated().filter { $0.offset.isMultiple(of: step) || $0.element == least }.map { _, moment in
            let ttc = values[moment] ?? 0
            let bar = String(repeating: "#", count: Int(max(0, min(40, ttc * 2)).rounded()))
            return "  " + pad(NumberText.decimal(moment, 2), 8) + " s" + pad(NumberText.decimal(ttc, 2), 8) + " s  " + bar
        }
    }

    private var history: [String] {
        let words = AlertWords(speed: view.speed)
        let rows = revisions.map { revision -> [TextTable.Cell] in
            // What people said is of the alert, not of a revision.
            var stored = revision
            stored.review = .new
            return [
                .init(String(stored.alert.revision)), .init(stored.alert.phase.rawValue),
                .init(view.time.clock(stored.alert.at)),
                .init(stored.alert.severity.rawValue, stored.alert.severity.style), .init(words.what(stored)),
            ]
        }
        var terminal = view.terminal
        terminal.width = terminal.width.map { max(0, $0 - Self.indent.count) }
        let table = TextTable(
            columns: [
                .init(title: "REV", isNumber: true), .init(title: "PHASE"),
                .init(title: "AT (\(view.time.zone(of: revisions.map(\.alert.at))))"),
                .init(title: "SEVERITY"), .init(title: "WHAT", isElastic: true),
            ], rows: rows, terminal: terminal)
        return ([table.header] + rows.map(table.line)).map { Self.indent + $0 }
    }

    private func pad(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(0, width - text.count)) + text }
}
