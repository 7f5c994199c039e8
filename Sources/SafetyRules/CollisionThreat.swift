import FleetModel
import WorldModel

/// What the collision rule remembers of one track: since when it threatens, and its episode where one is open.
struct CollisionThreat: Hashable, Sendable {
    /// An open episode.
    struct Episode: Hashable, Sendable {
        var startedAtS: Double
        var severity: Severity
        var minTtcS: Double
        var gates: [String]
    }

    /// Since when the time to collision is below the caution threshold without a break; nil while it is not.
    var sinceS: Double?
    /// Since when, in addition, every gate is open; nil while one is closed.
    var gatesOpenSinceS: Double?
    /// The severity that the frame before amounted to: a worse one counts when two frames agree.
    var lastLevel: Severity?
    /// The latest moment at which it threatened.
    var lastThreatS = 0.0
    var episode: Episode?
    /// The object when it was last seen.
    var latest: WorldObject
    /// Gates that held this track back and were counted.
    var counted: Set<String> = []
    private var series: [(timeS: Double, ttcS: Double)] = []
    private var seriesStepS = 0.0

    /// What the wire is given at most.
    private static let longestSeries = 60
    /// How much of the time before the episode is kept, in s.
    private static let leadInS = 3.0

    init(_ object: WorldObject) { latest = object }

    /// Notes the time to collision of one frame; thins the series out when it becomes long.
    mutating func note(ttcS: Double, atS now: Double) {
        if episode == nil { series.removeAll { now - $0.timeS > Self.leadInS } }
        if let last = series.last, now - last.timeS < seriesStepS { return }
        series.append((now, ttcS))
        guard series.count > Self.longestSeries else { return }
        series = series.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
        if let first = series.first { seriesStepS = (now - first.timeS) / Double(Self.longestSeries / 2) }
    }

    /// The state of the episode for the wire, relative to `now`.
    func details(_ episode: Episode, frame: FrameSize, atS now: Double) -> CollisionDetails {
        CollisionDetails(
            roadUser: latest.roadUser, track: latest.track, ttcS: latest.timeToCollision?.seconds, minTtcS: episode.minTtcS,
            distanceM: latest.distanceM, distanceSdM: latest.distanceSdM, closingMps: latest.closingMps,
            box: frame.relative(latest.box), gates: episode.gates, ttcSeries: series.map { [$0.timeS - now, $0.ttcS] })
    }

    static func == (a: CollisionThreat, b: CollisionThreat) -> Bool {
        a.latest == b.latest && a.episode == b.episode && a.sinceS == b.sinceS
    }

    func hash(into hasher: inout Hasher) { hasher.combine(latest) }
}
