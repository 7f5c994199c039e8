import FleetModel

/// How long and how much is kept; nil does not bound. The alerts that changed longest ago go first, with all their revisions.
public struct Retention: Hashable, Sendable {
    /// Alerts whose last change arrived longer ago than this go, in s, and reports of gaps that did.
    public var maximumAgeS: Double?
    /// Bound on the alerts' bytes as `StoreTotals.alertBytes` counts them.
    public var maximumBytes: Int64?
    /// Points of vehicles' tracks go after this many s: where somebody was is nobody's business for long.
    public var trackAgeS: Double

    /// What a revision takes besides its payload, in bytes: its columns, its row in the list of alerts and its entries in the indexes.
    /// Measured: see docs/scaling.md.
    package static let overheadBytes: Int64 = 500
    /// Alerts that one transaction removes at most: nobody waits long behind it.
    package static let step = 500

    /// A week, in s.
    public static let defaultTrackAgeS = 7.0 * 86_400
    /// Points of tracks that one transaction removes at most.
    package static let trackStep = 5000

    /// Keeps all alerts unless told otherwise.
    public init(maximumAgeS: Double? = nil, maximumBytes: Int64? = nil, trackAgeS: Double = Self.defaultTrackAgeS) {
        self.trackAgeS = trackAgeS
        self.maximumAgeS = maximumAgeS
        self.maximumBytes = maximumBytes
    }

    /// When what goes by age has arrived at the latest; nil when nothing does.
    package func oldest(now: Timestamp) -> Timestamp? { maximumAgeS.map { now.advanced(bySeconds: -$0) } }

    /// Whether alerts are bounded.
    public var isBounded: Bool { maximumAgeS != nil || maximumBytes != nil }

    /// How many of `oldest` go, the alerts that changed longest ago with when they did and their bytes, given all alerts' bytes.
    package func excess(of oldest: [(receivedAt: Timestamp, bytes: Int64)], alertBytes: Int64, now: Timestamp) -> Int {
        var left = alertBytes
        var count = 0
        for alert in oldest {
            let isOld = maximumAgeS.map { now.seconds(since: alert.receivedAt) > $0 } ?? false
            let isTooMuch = maximumBytes.map { left > $0 } ?? false
            guard isOld || isTooMuch else { break }
            left -= alert.bytes
            count += 1
        }
        return count
    }
}
