/// One revision of an alert episode: the complete state of the episode at that moment.
///
/// The key is (fleet, vehicle, id, revision). Revisions start at 1, may arrive in any order and may have gaps; an alert is its
/// highest revision. Unknown is nil and null on the wire; what does not apply is absent.
public struct Alert: Hashable, Sendable {
    /// Value of `schema` that this code reads and writes.
    public static let schema = "fleet.alert/1"

    /// The episode.
    public var id: AlertID
    /// Number of this state of the episode, from 1.
    public var revision: Int
    /// Whether the episode begins, goes on or has ended.
    public var phase: AlertPhase
    /// What it is about.
    public var kind: AlertKind
    /// How bad it is; within an episode it only rises.
    public var severity: Severity
    /// Whose it is.
    public var identity: VehicleIdentity
    /// Live or from a recording.
    public var origin: AlertOrigin
    /// The moment of this revision.
    public var at: Timestamp
    /// The moment at which the episode began.
    public var startedAt: Timestamp
    /// The moment at which it ended; nil while it lasts.
    public var endedAt: Timestamp?
    /// Why it ended; nil while it lasts.
    public var endReason: EndReason?
    /// What the wall clock was set by.
    public var clock: ClockState
    /// The boot of the vehicle computer in which it was raised.
    public var boot: String
    /// Seconds on that boot's monotonic clock; session time in a replay.
    public var monotonicS: Double
    /// Number of the outbox row: orders a vehicle's events, never reset. 0 until the outbox has given it.
    public var seq: Int64
    /// Where; nil when unknown.
    public var position: AlertPosition?
    /// Own speed in m/s; nil when unknown.
    public var speedMps: Double?
    /// Only for `overspeed`.
    public var overspeed: OverspeedDetails?
    /// Only for `collision`.
    public var collision: CollisionDetails?
    /// Only for `headway`.
    public var headway: HeadwayDetails?
    /// Only for `landmark`.
    public var landmark: LandmarkDetails?
    /// The picture, where one was kept.
    public var snapshot: SnapshotReference?
    /// Version of the agent.
    public var software: String
    /// Name of the detection model; nil when none was in use.
    public var model: String?
    /// Seconds since the session began; only in a replay.
    public var sessionTimeS: Double?

    /// The first revision of an episode that begins at `at`; the caller fills in what else is known.
    public init(
        id: AlertID, kind: AlertKind, severity: Severity, identity: VehicleIdentity, origin: AlertOrigin, at: Timestamp,
        clock: ClockState, boot: String, monotonicS: Double, software: String
    ) {
        self.id = id
        revision = 1
        phase = .start
        self.kind = kind
        self.severity = severity
        self.identity = identity
        self.origin = origin
        self.at = at
        startedAt = at
        self.clock = clock
        self.boot = boot
        self.monotonicS = monotonicS
        seq = 0
        self.software = software
    }
}

extension Alert: Codable {
    private enum Key: String, CodingKey {
        case schema, id, revision, phase, kind, severity, fleet, vehicle, origin, at, startedAt, endedAt, endReason, clock, boot
        case monotonicS, seq, position, speedMps, overspeed, collision, headway, landmark, snapshot, software, model, sessionTimeS
    }

    public init(from decoder: any Decoder) throws {
        let c = try decoder.container(keyedBy: Key.self)
        try c.requireSchema(Self.schema, forKey: .schema)
        id = try c.decode(AlertID.self, forKey: .id)
        revision = try c.decode(Int.self, forKey: .revision)
        phase = try c.decode(AlertPhase.self, forKey: .phase)
        kind = try c.decode(AlertKind.self, forKey: .kind)
        severity = try c.decode(Severity.self, forKey: .severity)
        identity = try c.decodeIdentity(fleet: .fleet, vehicle: .vehicle)
        origin = try c.decode(AlertOrigin.self, forKey: .origin)
        at = try c.decode(Timestamp.self, forKey: .at)
        startedAt = try c.decode(Timestamp.self, forKey: .startedAt)
        endedAt = try c.decodeIfPresent(Timestamp.self, forKey: .endedAt)
        endReason = try c.decodeIfPresent(EndReason.self, forKey: .endReason)
        clock = try c.decode(ClockState.self, forKey: .clock)
        boot = try c.decode(String.self, forKey: .boot)
        monotonicS = try c.decode(Double.self, forKey: .monotonicS)
        seq = try c.decode(Int64.self, forKey: .seq)
        position = try c.decodeIfPresent(AlertPosition.self, forKey: .position)
        speedMps = try c.decodeIfPresent(Double.self, forKey: .speedMps)
        overspeed = try c.decodeIfPresent(OverspeedDetails.self, forKey: .overspeed)
        collision = try c.decodeIfPresent(CollisionDetails.self, forKey: .collision)
        headway = try c.decodeIfPresent(HeadwayDetails.self, forKey: .headway)
        landmark = try c.decodeIfPresent(LandmarkDetails.self, forKey: .landmark)
        snapshot = try c.decodeIfPresent(SnapshotReference.self, forKey: .snapshot)
        software = try c.decode(String.self, forKey: .software)
        model = try c.decodeIfPresent(String.self, forKey: .model)
        sessionTimeS = try c.decodeIfPresent(Double.self, forKey: .sessionTimeS)
    }

    public func encode(to encoder: any Encoder) throws {
        var c = encoder.container(keyedBy: Key.self)
        try c.encode(Self.schema, forKey: .schema)
        try c.encode(id, forKey: .id)
        try c.encode(revision, forKey: .revision)
        try c.encode(phase, forKey: .phase)
        try c.encode(kind, forKey: .kind)
        try c.encode(severity, forKey: .severity)
        try c.encode(identity.fleet, forKey: .fleet)
        try c.encode(identity.vehicle, forKey: .vehicle)
        try c.encode(origin, forKey: .origin)
        try c.encode(at, forKey: .at)
        try c.encode(startedAt, forKey: .startedAt)
        try c.encode(endedAt, forKey: .endedAt)
        try c.encode(endReason, forKey: .endReason)
        try c.encode(clock, forKey: .clock)
        try c.encode(boot, forKey: .boot)
        try c.encode(monotonicS.rounded(toPlaces: 3), forKey: .monotonicS)
        try c.encode(seq, forKey: .seq)
        try c.encode(position, forKey: .position)
        try c.encode(speedMps?.rounded(toPlaces: 3), forKey: .speedMps)
        try c.encodeIfPresent(overspeed, forKey: .overspeed)
        try c.encodeIfPresent(collision, forKey: .collision)
        try c.encodeIfPresent(headway, forKey: .headway)
        try c.encodeIfPresent(landmark, forKey: .landmark)
        try c.encodeIfPresent(snapshot, forKey: .snapshot)
        try c.encode(software, forKey: .software)
        try c.encode(model, forKey: .model)
        try c.encodeIfPresent(sessionTimeS?.rounded(toPlaces: 3), forKey: .sessionTimeS)
    }
}
