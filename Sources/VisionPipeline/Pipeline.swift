import FleetModel
import Imaging
import Perception
import SafetyRules
import SpeedLimits
import WorldModel

/// From frames and fixes to alerts: detector, motion in the image, tracker, world state, rules, alert gate, one frame at a time.
///
/// Belongs to one thread. Nothing in it looks at a clock but the stage timings, which decide nothing; the same frames, fixes and
/// times give the same alerts.
public struct Pipeline: ~Copyable {
    /// What a pipeline runs with.
    public struct Settings: Sendable {
        /// The tracker's numbers.
        public var tracker = Tracker.Settings()
        /// The overspeed rule's numbers.
        public var overspeed = OverspeedRule.Settings()
        /// The collision rule's numbers.
        public var collision = CollisionRule.Settings()
        /// The headway rule's numbers.
        public var headway = HeadwayRule.Settings()
        /// Calibration; nil leaves distances unknown. It is scaled to the size of the frames.
        public var camera: CameraCalibration?
        /// From the camera to the front bumper, in m.
        public var bumperOffsetM = 0.0
        /// Straight ahead, as earlier drives have found it; nil when nothing is known.
        public var aim: CameraAim?

        /// The defaults.
        public init() {}
    }

    /// A moment on the clocks.
    public typealias Moment = AlertGate.Moment

    private let settings: Settings
    private var detector: (any Detector)?
    private var signs: SignWatch?
    private let landmarks: LandmarkWatch?
    private var limits: any SpeedLimitProvider
    private var rules: RuleSet
    private var gate: AlertGate
    private var sight: Sight?
    private var lastEgo = EgoState.unknown

    /// A pipeline. Without a `detector` only recorded detections and fixes can be processed; without `signs` no sign is read;
    /// `landmarks` are looked for in frames.
    public init(
        settings: Settings = Settings(), detector: sending (any Detector)?, signs: sending SignDetector? = nil,
        landmarks: sending LandmarkWatch? = nil,
        limits: any SpeedLimitProvider, gate: AlertGate
    ) {
        self.settings = settings
        self.detector = detector
        self.signs = signs.map { SignWatch(detector: $0, camera: settings.camera) }
        self.landmarks = landmarks
        self.limits = limits
        self.gate = gate
        rules = RuleSet(overspeed: settings.overspeed, collision: settings.collision, headway: settings.headway)
    }

    /// How often alerts were held back, by gate, since the start.
    public var suppressed: [String: Int] { rules.suppressed }

    /// Straight ahead in the picture, as believed now; nil before the first frame and with nothing known from earlier.
    public var aim: CameraAim? { sight?.builder.aim ?? settings.aim }

    /// Processes the frame number `index`, taken at `moment`, with what is believed of the own vehicle then. Throws what the
    /// detector or the image library throws; the pipeline stays usable, and `process(ego:at:)` keeps the other rules going.
    public mutating func process(
        _ frame: borrowing Frame, index: Int, ego: EgoState, at moment: Moment
    ) throws -> FrameResult {
        let clock = ContinuousClock()
        let start = clock.now
        let detections = try detector?.detect(in: frame) ?? []
        let detected = clock.now
        let seen =
            try signs?.look(at: frame, detections: detections, speedMps: ego.speedMps, atS: moment.timeS) ?? SignWatch.Result()
        for sign in seen.adopted { limits.observe(sign, ego: ego) }
        let signsMs = detected.duration(to: clock.now).milliseconds
        var result = try process(frame, detections: detections, index: index, ego: ego, at: moment)
        result.timings.detectMs = start.duration(to: detected).milliseconds
        result.timings.signsMs = signsMs
        (result.signs, result.adoptedSigns) = (seen.sightings, seen.adopted)
        return result
    }

    /// Processes a frame whose road users were found before: recorded, or by a detector that runs elsewhere.
    public mutating func process(
        _ frame: borrowing Frame, detections: [Detection], index: Int, ego: EgoState, at moment: Moment
    ) throws -> FrameResult {
        let start = ContinuousClock().now
        var sight = takeSight(FrameSize(width: Double(frame.width), height: Double(frame.height)))
        let motions = try sight.motions(in: frame, atS: moment.timeS)
        let landmarks = try landmarks?.look(at: frame, atS: moment.timeS) ?? []
        return finish(
            detections, motions: motions, landmarks: landmarks, sight: sight, index: index, ego: ego, at: moment, since: start)
    }

    /// Processes recorded detections in place of a frame: time to collision then comes from the growth of boxes alone.
    public mutating func process(
        detections: [Detection], size: FrameSize, index: Int, ego: EgoState, at moment: Moment
    ) -> FrameResult {
        finish(
            detections, motions: [:], sight: takeSight(size), index: index, ego: ego, at: moment,
            since: ContinuousClock().now)
    }

    /// Processes what is believed of the own vehicle at a moment without a frame: a fix between two frames, or no camera at all.
    public mutating func process(ego: EgoState, at moment: Moment) -> (
        alerts: [Alert], limit: SpeedLimit?, failures: [RuleSet.Failure]
    ) {
        lastEgo = ego
        let world = WorldState(timeS: moment.timeS, ego: ego, limit: limits.limit(for: ego))
        let (events, failures) = rules.update(world)
        return (gate.alerts(for: events, ego: ego, at: moment), world.limit, failures)
    }

    /// Ends every open episode: the recording or the drive is over.
    public mutating func stop(at moment: Moment) -> [Alert] {
        gate.alerts(for: rules.stop(atS: moment.timeS), ego: lastEgo, at: moment)
    }

    private mutating func finish(
        _ detections: [Detection], motions: [Int: ImageMotion], landmarks: [LandmarkSighting] = [], sight: consuming Sight,
        index: Int, ego: EgoState, at moment: Moment, since start: ContinuousClock.Instant
    ) -> FrameResult {
        let clock = ContinuousClock()
        var timings = StageTimings()
        lastEgo = ego
        let tracks = sight.tracker.update(detections, motions: motions, atS: moment.timeS)
        var world = sight.builder.build(tracks: tracks, ego: ego, limit: limits.limit(for: ego), atS: moment.timeS)
        world.landmarks = landmarks
        self.sight = consume sight
        let tracked = clock.now
        timings.trackMs = start.duration(to: tracked).milliseconds
        let (events, failures) = rules.update(world)
        let alerts = gate.alerts(for: events, ego: ego, at: moment)
        timings.rulesMs = tracked.duration(to: clock.now).milliseconds
        return FrameResult(
            frame: index, detections: detections, world: world, alerts: alerts, failures: failures, timings: timings)
    }

    /// The sight for frames of `size`; a new one when the size has changed, as a camera that was reopened may.
    private func takeSight(_ size: FrameSize) -> Sight {
        if let sight, sight.size == size { return sight }
        return Sight(size: size, settings: settings, aim: aim)
    }
}

extension Duration {
    /// In ms.
    var milliseconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) * 1000 + Double(attoseconds) * 1e-15
    }
}
