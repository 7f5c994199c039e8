import FleetModel
import FleetRuntime
import SafetyRules
import SimCore
import WorldModel

/// One simulated drive through tracker, world model and rules, with noisy boxes in place of pictures, and what came of it.
public struct DriveTrial {
    /// Which drive, seen how.
    public struct Setup: Sendable {
        public var scenario: ScenarioCatalogue
        public var seed: UInt64
        public var hfovDeg = 60.0
        public var framesPerSecond = 10.0
        /// Speed of the ego vehicle where the scenario leaves it open, m/s.
        public var speedMps: Double?
        /// Whether the picture tells how things move in it, as it does where frames are at hand; without it boxes have to do.
        public var seesMotion = true
        /// Whether the mirror image of the road is driven: left-hand traffic.
        public var isMirrored = false
        /// Whether the receiver's speed is there.
        public var knowsSpeed = true

        public init(_ scenario: ScenarioCatalogue, seed: UInt64) {
            self.scenario = scenario
            self.seed = seed
        }
    }

    /// One collision warning (severity warning or critical) as it began.
    public struct Warning: Sendable {
        public var timeS: Double
        public var severity: Severity
        public var details: CollisionDetails
        /// True time to collision of what is warned of; nil when it does not close.
        public var trueTtcS: Double?
    }

    /// The first strong event of every collision episode.
    public private(set) var warnings: [Warning] = []
    /// Headway alerts that began.
    public private(set) var headways: [HeadwayDetails] = []
    /// Relative errors of the time to collision of the nearest thing in the path while it is below 6 s.
    public private(set) var ttcErrors: [Double] = []

    private let setup: Setup

    /// Drives `setup` from beginning to end.
    public init(_ setup: Setup, rules settings: CollisionRule.Settings = .init()) {
        self.setup = setup
        run(settings)
    }

    private mutating func run(_ settings: CollisionRule.Settings) {
        let scenario = setup.scenario.scenario(seed: setup.seed, speedMps: setup.speedMps)
        let camera = PinholeCamera(width: 1280, height: 720, hfovDeg: setup.hfovDeg, heightM: 1.4)
        let frame = FrameSize(width: 1280, height: 720)
        var telemetry = TelemetryTrack(scenario: scenario, seed: setup.seed)
        var fixes = telemetry.fixes(durationS: scenario.durationS)[...]
        var estimator = EgoStateEstimator()
        var detector = NoisyDetector(seed: setup.seed)
        var motion = NoisyMotion(seed: setup.seed)
        var flow = NoisyFlow(seed: setup.seed)
        var tracker = Tracker(frame: frame)
        var builder = WorldStateBuilder(frame: frame, camera: camera.calibration)
        var rules = RuleSet(collision: settings)
        var told: Set<Int> = []

        for number in 0..<Int(scenario.durationS * setup.framesPerSecond) {
            let timeS = Double(number) / setup.framesPerSecond
            while let fix = fixes.first, fix.timeS <= timeS {
                estimator.update(fix)
                fixes.removeFirst()
            }
            var truth = TruthLine(scenario.snapshot(at: timeS), frame: number, camera: camera)
            if setup.isMirrored { truth.mirror(width: frame.width) }
            var ego = estimator.state(at: timeS)
            if !setup.knowsSpeed { ego = .unknown }
            let motions = setup.seesMotion ? motion.measure(tracker.all, truth, atS: timeS) : [:]
            if setup.seesMotion, number > 0 {
                let speed = scenario.ego.state(at: timeS).speedMps
                let curvature = setup.isMirrored ? -scenario.curvaturePerM : scenario.curvaturePerM
                builder.observe(
                    flow.measure(
                        camera, curvaturePerM: curvature, speedMps: speed, intervalS: 1 / setup.framesPerSecond))
            }
            let tracks = tracker.update(detector.detect(truth, frame: frame), motions: motions, atS: timeS)
            let world = builder.build(tracks: tracks, ego: ego, limit: nil, atS: timeS)
            let lead = truth.objects.filter(\.inPath).min { $0.distanceM < $1.distanceM }
            note(world, lead)
            for event in rules.update(world).events { note(event, truth, frame, atS: timeS, &told) }
        }
    }

    private mutating func note(_ world: WorldState, _ lead: TruthLine.Object?) {
        guard let lead, let trueS = lead.ttcS, trueS < 6 else { return }
        let seen = world.objects.filter { $0.box.iou(lead.box) >= 0.4 }.max { $0.box.iou(lead.box) < $1.box.iou(lead.box) }
        if let ttcS = seen?.timeToCollision?.seconds { ttcErrors.append(abs(ttcS / trueS - 1)) }
    }

    private mutating func note(
        _ event: RuleEvent, _ truth: TruthLine, _ frame: FrameSize, atS timeS: Double, _ told: inout Set<Int>
    ) {
        switch event.details {
        case .collision(let details):
            guard event.phase != .end, event.severity >= .warning, told.insert(details.track).inserted else { return }
            let box = details.box.scaled(x: frame.width, y: frame.height)
            let meant = truth.objects.max { $0.box.iou(box) < $1.box.iou(box) }
            warnings.append(Warning(timeS: timeS, severity: event.severity, details: details, trueTtcS: meant?.ttcS))
        case .headway(let details):
            if event.phase == .start { headways.append(details) }
        case .overspeed, .landmark: break
        }
    }

    /// Whether the first warning came while the true time to collision was 2.1 to 3.5 s: what a warning is for.
    public var isInTime: Bool { warnings.first?.trueTtcS.map { (2.1...3.5).contains($0) } ?? false }
}

extension TruthLine {
    /// Turns left and right.
    mutating func mirror(width: Double) {
        for i in objects.indices {
            objects[i].box.x = width - objects[i].box.maxX
            objects[i].lateralM.negate()
        }
    }
}
