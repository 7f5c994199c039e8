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
        /// Sideways acceleration of the ego vehicle in a bend, m/s², left positive; nil for the scenario's own road.
        public var lateralMps2: Double?
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

    /// What came of it.
    public private(set) var judge = TrialJudge()

    private let setup: Setup

    /// Drives `setup` from beginning to end.
    public init(_ setup: Setup) {
        self.setup = setup
        run()
    }

    private mutating func run() {
        let scenario = setup.scenario.scenario(seed: setup.seed, speedMps: setup.speedMps).bent(lateralMps2: setup.lateralMps2)
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
        var rules = RuleSet()

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
            let motions = setup.seesMotion ? motion.measure(tracker.all, truth, camera, atS: timeS) : [:]
            if setup.seesMotion, number > 0 {
                let speed = scenario.ego.state(at: timeS).speedMps
                let curvature = setup.isMirrored ? -scenario.curvaturePerM : scenario.curvaturePerM
                builder.observe(
                    flow.measure(
                        camera, curvaturePerM: curvature, speedMps: speed, intervalS: 1 / setup.framesPerSecond))
            }
            let tracks = tracker.update(detector.detect(truth, frame: frame), motions: motions, atS: timeS)
            let world = builder.build(tracks: tracks, ego: ego, limit: nil, atS: timeS)
            judge.note(world, truth)
            for event in rules.update(world).events {
                switch event.details {
                case .collision(let details): judge.note(details, event.phase, event.severity, truth, frame, atS: timeS)
                case .headway(let details): judge.note(details, event.phase)
                case .overspeed, .landmark: break
                }
            }
        }
    }
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
