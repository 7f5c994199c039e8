import FleetModel

/// The alerts whose episodes are open, followed from revision to revision.
public struct OpenAlerts: Sendable {
    private var byID: [AlertID: Alert] = [:]

    /// None is open.
    public init() {}

    /// Takes note of a revision.
    public mutating func follow(_ alert: Alert) { byID[alert.id] = alert.phase == .end ? nil : alert }

    /// The latest revision of each, the most severe first, then the oldest.
    public var all: [Alert] {
        byID.values.sorted { ($1.severity, $0.startedAt, $0.id.description) < ($0.severity, $1.startedAt, $1.id.description) }
    }

    /// The alert about the road user with this track number.
    public func alert(ofTrack track: Int) -> Alert? { all.first { $0.collision?.track == track } }

    /// The alert in a few words for a driver: what, and the number that matters.
    public static func words(_ alert: Alert) -> String {
        switch alert.kind {
        case .collision:
            let what = alert.collision?.roadUser.rawValue.uppercased() ?? "COLLISION"
            return "\(what) AHEAD" + (alert.collision?.ttcS.map { "  \(shortSeconds($0))" } ?? "")
        case .overspeed:
            guard let details = alert.overspeed else { return "TOO FAST" }
            let speed = alert.speedMps.map { "  \(Int(Speed.value(ofMps: $0, in: details.limit.unit).rounded()))" } ?? ""
            return "TOO FAST\(speed)  LIMIT \(details.limit)"
        case .headway: return "TOO CLOSE" + (alert.headway.map { "  \(shortSeconds($0.timeHeadwayS))" } ?? "")
        case .landmark: return alert.landmark?.name ?? "LANDMARK"
        }
    }

    /// A time with one decimal.
    static func shortSeconds(_ seconds: Double) -> String { "\(seconds.rounded(toPlaces: 1)) s" }
}
