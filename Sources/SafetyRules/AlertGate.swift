import FleetModel
import WorldModel

/// Turns what rules say into alerts: gives every episode its id, numbers its revisions, adds who, when and where.
///
/// Plain state. Ids come from the caller: random and time-ordered live, computed from the recording in a replay.
public struct AlertGate: Sendable {
    /// What stands in every alert of this run.
    public struct Context: Sendable {
        /// Whose alerts these are.
        public var identity: VehicleIdentity
        /// Live or from a recording; a replay's alerts are numbered from 1 and carry the time since the session began.
        public var origin: AlertOrigin
        /// The boot of the vehicle computer; any fixed word in a replay.
        public var boot: String
        /// Version of the agent.
        public var software: String
        /// Name of the detection model; nil when none is in use.
        public var model: String?

        /// All members.
        public init(
            identity: VehicleIdentity, origin: AlertOrigin, boot: String, software: String, model: String?
        ) {
            self.identity = identity
            self.origin = origin
            self.boot = boot
            self.software = software
            self.model = model
        }
    }

    /// One moment on the clocks: what `timeS` of the world state is in wall time.
    public struct Moment: Hashable, Sendable {
        /// Wall time.
        public var at: Timestamp
        /// Seconds since the session began; in live operation, of the monotonic clock.
        public var timeS: Double
        /// What the wall clock is set by.
        public var clock: ClockState

        /// `at` and `timeS` are the same moment.
        public init(at: Timestamp, timeS: Double, clock: ClockState) {
            self.at = at
            self.timeS = timeS
            self.clock = clock
        }

        /// The wall time of another moment on the same clock.
        func wallTime(ofS otherS: Double) -> Timestamp { at.advanced(bySeconds: otherS - timeS) }
    }

    /// Makes the id of a new episode: its kind, its number among the episodes of this run from 1, and when it is told.
    public typealias IDSource = @Sendable (_ kind: AlertKind, _ ordinal: Int, _ at: Timestamp) -> AlertID

    private struct Key: Hashable {
        var kind: AlertKind
        var episode: Int
    }

    private struct Open {
        var id: AlertID
        var revision: Int
        var startedAtS: Double
        var startedAt: Timestamp
        /// What `startedAt` rests on.
        var clock: ClockState
        var severity: Severity
    }

    private let context: Context
    private let makeID: IDSource
    private var open: [Key: Open] = [:]
    private var ordinal = 0
    private var lastSeq: Int64 = 0

    /// A gate for one run.
    public init(context: Context, makeID: @escaping IDSource) {
        self.context = context
        self.makeID = makeID
    }

    /// The alerts that `events` amount to, in their order. An update or end without a start, and a second start, is dropped.
    public mutating func alerts(for events: [RuleEvent], ego: EgoState, at moment: Moment) -> [Alert] {
        events.compactMap { alert(for: $0, ego: ego, at: moment) }
    }

    private mutating func alert(for event: RuleEvent, ego: EgoState, at moment: Moment) -> Alert? {
        let key = Key(kind: event.details.kind, episode: event.episode)
        if event.phase == .start {
            guard open[key] == nil else { return nil }
            ordinal += 1
            open[key] = Open(
                id: makeID(key.kind, ordinal, moment.at), revision: 0, startedAtS: event.startedAtS,
                startedAt: moment.wallTime(ofS: event.startedAtS), clock: moment.clock, severity: event.severity)
        }
        guard var episode = open[key] else { return nil }
        episode.revision += 1
        if episode.clock == .unsynchronised, moment.clock != .unsynchronised {
            // The time has become known since: the beginning is told by it too.
            (episode.startedAt, episode.clock) = (moment.wallTime(ofS: episode.startedAtS), moment.clock)
        }
        episode.severity = max(episode.severity, event.severity)
        open[key] = event.phase == .end ? nil : episode

        var alert = Alert(
            id: episode.id, kind: key.kind, severity: episode.severity, identity: context.identity, origin: context.origin,
            at: moment.at, clock: moment.clock, boot: context.boot, monotonicS: moment.timeS, software: context.software)
        alert.revision = episode.revision
        alert.phase = event.phase
        alert.startedAt = episode.startedAt
        alert.endedAt = event.endedAtS.map { max(moment.wallTime(ofS: $0), episode.startedAt) }
        alert.endReason = event.endReason
        alert.position = ego.position.map {
            AlertPosition(lat: $0.latitude, lon: $0.longitude, headingDeg: ego.headingDeg, accuracyM: ego.positionErrorM)
        }
        alert.speedMps = ego.speedMps
        alert.model = context.model
        if context.origin == .replay {
            // No outbox numbers a replay's events.
            lastSeq += 1
            alert.seq = lastSeq
            alert.sessionTimeS = moment.timeS
        }
        switch event.details {
        case .overspeed(let details): alert.overspeed = details
        case .collision(let details): alert.collision = details
        case .headway(let details): alert.headway = details
        case .landmark(let details): alert.landmark = details
        }
        return alert
    }
}
