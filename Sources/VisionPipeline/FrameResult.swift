import FleetModel
import SafetyRules
import WorldModel

/// What the pipeline concluded from one frame.
public struct FrameResult: Sendable {
    /// Number of the frame, from 0.
    public var frame: Int
    /// What the detector found, or what was recorded.
    public var detections: [Detection]
    /// Speed signs that were read, and what looked like one.
    public var signs: [SignSighting] = []
    /// Signs that were passed before this frame and hold from here on.
    public var adoptedSigns: [AdoptedSign] = []
    /// The world as the rules saw it; its objects are the tracks.
    public var world: WorldState
    /// Alerts raised, updated or ended by this frame.
    public var alerts: [Alert]
    /// Rules that threw.
    public var failures: [RuleSet.Failure]
    /// Time spent.
    public var timings: StageTimings

    /// What `--tracks` writes for this frame.
    public var trackLines: [TrackLine] {
        world.objects.map { TrackLine(frame: frame, timeS: world.timeS, object: $0) }
    }
}

/// Time spent in the stages of one frame, in ms. Decoding happens before the pipeline; who reads the frames adds it.
public struct StageTimings: Hashable, Sendable {
    /// Finding road users.
    public var detectMs = 0.0
    /// Finding, reading and following signs.
    public var signsMs = 0.0
    /// Motion in the image, tracking, world state.
    public var trackMs = 0.0
    /// Rules and alerts.
    public var rulesMs = 0.0

    /// No time spent.
    public init() {}

    /// The sum.
    public var totalMs: Double { detectMs + signsMs + trackMs + rulesMs }
}
