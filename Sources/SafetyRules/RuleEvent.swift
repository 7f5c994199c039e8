import FleetModel

/// What a rule says has happened to one of its episodes.
public struct RuleEvent: Hashable, Sendable {
    /// What the episode is about, with all that is known of it by now.
    public enum Details: Hashable, Sendable {
        case overspeed(OverspeedDetails)
        case collision(CollisionDetails)
        case headway(HeadwayDetails)
        case landmark(LandmarkDetails)

        /// The kind of alert that carries these details.
        public var kind: AlertKind {
            switch self {
            case .overspeed: .overspeed
            case .collision: .collision
            case .headway: .headway
            case .landmark: .landmark
            }
        }
    }

    /// Which of the rule's episodes: 0 where a rule has one at a time, else the number of the track.
    public var episode: Int
    /// Whether it begins, goes on or has ended.
    public var phase: AlertPhase
    /// How bad it is; within an episode it only rises.
    public var severity: Severity
    /// When the condition began, in s.
    public var startedAtS: Double
    /// When it ended, in s; only with `.end`.
    public var endedAtS: Double?
    /// Why it ended; only with `.end`.
    public var endReason: EndReason?
    /// The state of the episode.
    public var details: Details

    /// An event of the given phase; `ended` goes with `.end` only.
    public init(
        episode: Int, phase: AlertPhase, severity: Severity, startedAtS: Double, ended: (atS: Double, reason: EndReason)? = nil,
        details: Details
    ) {
        self.episode = episode
        self.phase = phase
        self.severity = severity
        self.startedAtS = startedAtS
        endedAtS = ended?.atS
        endReason = ended?.reason
        self.details = details
    }
}
