import FleetModel
import FleetRuntime
import Perception
import SafetyRules
import SimCore
import SpeedLimits
import VisionPipeline
import WorldModel

/// One simulated drive as a camera films it, through the detector and everything behind it, and what came of it.
///
/// The pictures are those of `fleet-sim drive` before they are encoded.
public struct RenderedTrial {
    /// Which drive, filmed how.
    public struct Setup: Sendable {
        public var scenario: ScenarioCatalogue
        public var seed: UInt64
        public var hfovDeg = 60.0
        public var framesPerSecond = 10.0
        public var width = 1280
        public var height = 720
        /// Speed of the ego vehicle where the scenario leaves it open, m/s.
        public var speedMps: Double?
        /// Sideways acceleration of the ego vehicle in a bend, m/s², left positive; nil for the scenario's own road.
        public var lateralMps2: Double?

        public init(_ scenario: ScenarioCatalogue, seed: UInt64) {
            self.scenario = scenario
            self.seed = seed
        }
    }

    /// What came of it.
    public private(set) var judge = TrialJudge()

    /// Drives `setup` from beginning to end, looked at by `detector`. Throws what rendering and detecting throw.
    public init(_ setup: Setup, detector: inout RoadUserDetector) throws {
        let scenario = setup.scenario.scenario(seed: setup.seed, speedMps: setup.speedMps).bent(lateralMps2: setup.lateralMps2)
        let camera = PinholeCamera(width: setup.width, height: setup.height, hfovDeg: setup.hfovDeg, heightM: 1.4)
        let size = FrameSize(width: Double(setup.width), height: Double(setup.height))
        let renderer = try DriveRenderer(camera: camera, seed: setup.seed, curvaturePerM: scenario.curvaturePerM)
        var telemetry = TelemetryTrack(scenario: scenario, seed: setup.seed)
        var fixes = telemetry.fixes(durationS: scenario.durationS)[...]
        var estimator = EgoStateEstimator()
        var settings = Pipeline.Settings()
        settings.camera = camera.calibration
        var pipeline = Pipeline(settings: settings, detector: nil, limits: LimitPrecedence([]), gate: try Self.gate(detector))
        for number in 0..<Int(scenario.durationS * setup.framesPerSecond) {
            let timeS = Double(number) / setup.framesPerSecond
            while let fix = fixes.first, fix.timeS <= timeS {
                estimator.update(fix)
                fixes.removeFirst()
            }
            let world = scenario.snapshot(at: timeS)
            let frame = try renderer.render(world, number: number)
            let result = try pipeline.process(
                frame, detections: try detector.detect(in: frame), index: number, ego: estimator.state(at: timeS),
                at: Pipeline.Moment(at: Timestamp.epoch.advanced(bySeconds: timeS), timeS: timeS, clock: .gps))
            let truth = TruthLine(world, frame: number, camera: camera)
            judge.note(result.world, truth)
            for alert in result.alerts {
                if let details = alert.collision { judge.note(details, alert.phase, alert.severity, truth, size, atS: timeS) }
                if let details = alert.headway { judge.note(details, alert.phase) }
            }
        }
    }

    private static func gate(_ detector: RoadUserDetector) throws -> AlertGate {
        guard let identity = VehicleIdentity(fleet: "trial", vehicle: "trial") else {
            throw UserError(.software, "the trial's vehicle has no valid name")
        }
        return AlertGate(
            context: .init(identity: identity, origin: .replay, boot: "replay", software: "trial", model: detector.modelName),
            makeID: ReplayAlertID.source(sessionDigest: [0], vehicle: identity))
    }
}
