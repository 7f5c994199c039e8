import Capture
import FleetModel
import FleetRuntime
import Foundation
import Imaging
import Perception
import SafetyRules
import SpeedLimits
import VisionPipeline
import WorldModel

/// One replay: the recorded drive through the same pipeline as a live one, in recorded time, nothing dropped.
///
/// Runs on the calling thread from the first frame to the last.
struct ReplayRun {
    /// What came out, in numbers.
    struct Summary: Sendable {
        var frames = 0
        /// Straight ahead in the picture, as believed at the end.
        var aim: CameraAim?
        var alerts = 0
        var wallS = 0.0
        var decodeMs = 0.0
        var timings = StageTimings()
        var engine = ""
        var suppressed: [String: Int] = [:]
        /// Telemetry lines that were left out because their time ran back.
        var lateTelemetry = 0
    }

    let options: ReplayOptions
    let session: Session
    let configuration: AgentConfiguration
    /// Wall time of the session's time 0.
    let startedAt: Timestamp
    /// Called with every alert in order.
    let raise: (Alert) throws -> Void
    /// True when the replay is to end early.
    let shouldStop: () -> Bool

    private let snapshots: ReplaySnapshots?
    private let telemetry: SessionTelemetry
    private let clock: ClockState
    /// Time of the last frame that was seen.
    private var lastS = 0.0

    init(
        options: ReplayOptions, session: Session, configuration: AgentConfiguration, startedAt: Timestamp,
        shouldStop: @escaping () -> Bool, deliverPicture: ReplaySnapshots.Delivery? = nil,
        raise: @escaping (Alert) throws -> Void
    ) throws {
        self.options = options
        self.session = session
        self.configuration = configuration
        self.startedAt = startedAt
        self.shouldStop = shouldStop
        self.raise = raise
        let wantsPictures = options.snapshotsPath != nil || (deliverPicture != nil && options.detectionsPath == nil)
        snapshots =
            wantsPictures && configuration.takesSnapshots
            ? try ReplaySnapshots(configuration, folder: options.snapshotsPath, deliver: deliverPicture) : nil
        telemetry = try SessionTelemetry(session)
        if let path = session.telemetryPath, try SessionTelemetry.isEmpty(path: path) {
            Log("replay").warning("\(path): holds no line; the own speed is unknown, and no overspeed is judged")
        }
        clock = session.telemetryPath == nil ? .unsynchronised : .gps
    }

    /// Runs to the end and returns what came out.
    mutating func run() throws -> Summary {
        let outputs = try ReplayOutputs(options, configuration.overlay)
        var summary = Summary()
        var pipeline = try makePipeline(&summary)
        let begun = MonotonicTime.now()
        let recorded = try options.detectionsPath.map { try DetectionFrame.read(path: $0) }
        do {
            if let recorded, !options.looksAtPictures {
                try replayDetections(recorded, &pipeline, outputs, &summary, begun)
            } else {
                try replayFrames(recorded, &pipeline, outputs, &summary, begun)
            }
        } catch {
            // What was told is ended also when the recording cannot be read on: nobody else will.
            try? end(&pipeline, at: lastS, &summary)
            throw error
        }
        try end(&pipeline, at: lastS, &summary)
        summary.suppressed = pipeline.suppressed
        summary.aim = pipeline.aim
        summary.wallS = MonotonicTime.now() - begun
        summary.lateTelemetry = telemetry.lateLines
        try outputs.finish()
        return summary
    }

    private func makePipeline(_ summary: inout Summary) throws -> Pipeline {
        let detector: RoadUserDetector? = options.detectionsPath == nil ? try RoadUserDetector(configuration.detector) : nil
        summary.engine = detector?.engineDescription ?? "recorded detections"
        let context = AlertGate.Context(
            identity: configuration.identity, origin: .replay, boot: "replay", software: SoftwareVersion.current,
            model: detector?.modelName)
        let ids = ReplayAlertID.source(
            sessionDigest: try session.digest(), shiftedTo: options.startsNow ? startedAt : nil, vehicle: configuration.identity)
        return Pipeline(
            settings: Pipeline.Settings(configuration, camera: session.camera), detector: detector,
            signs: options.detectionsPath == nil ? try configuration.signDetector() : nil,
            landmarks: detector == nil ? nil : try LandmarkWatch.configured(configuration.landmarks),
            limits: try LimitFusion(configuration.overspeed), gate: AlertGate(context: context, makeID: ids))
    }

    private mutating func replayFrames(
        _ recorded: [DetectionFrame]?, _ pipeline: inout Pipeline, _ outputs: ReplayOutputs, _ summary: inout Summary,
        _ begun: Double
    ) throws {
        let found = recorded.map { Dictionary($0.map { ($0.frame, $0.detections) }) { first, _ in first } }
        let source = try SessionFrameSource(session)
        let progress = ProgressLine(total: source.frameCount, unit: "frames")
        var estimator = EgoStateEstimator()
        while !shouldStop() {
            let decodeStart = MonotonicTime.now()
            guard let captured = try source.next() else { break }
            summary.decodeMs += (MonotonicTime.now() - decodeStart) * 1000
            wait(until: captured.timeS, begun)
            let ego = try advance(&estimator, &pipeline, to: captured.timeS, outputs, &summary)
            let (index, timeS) = (captured.index, captured.timeS)
            let frame = captured.takeFrame()
            let result =
                if let found {
                    try pipeline.process(frame, detections: found[index] ?? [], index: index, ego: ego, at: moment(timeS))
                } else {
                    try pipeline.process(frame, index: index, ego: ego, at: moment(timeS))
                }
            lastS = timeS
            try outputs.write(result, frame: frame, framesPerSecond: source.framesPerSecond ?? 30)
            snapshots?.see(frame, known: result.detections, atS: timeS)
            try finish(result, &summary)
            progress.show(summary.frames)
        }
        progress.clear()
    }

    private mutating func replayDetections(
        _ frames: [DetectionFrame], _ pipeline: inout Pipeline, _ outputs: ReplayOutputs, _ summary: inout Summary, _ begun: Double
    ) throws {
        var estimator = EgoStateEstimator()
        for recorded in frames where !shouldStop() {
            let fallback = session.camera.map { FrameSize(width: Double($0.width), height: Double($0.height)) }
            guard let size = recorded.size ?? fallback else {
                throw UserError(
                    .badData,
                    "\(options.detectionsPath ?? ""): frame \(recorded.frame) states no width and height, and neither does the session"
                )
            }
            wait(until: recorded.t, begun)
            let ego = try advance(&estimator, &pipeline, to: recorded.t, outputs, &summary)
            let result = pipeline.process(
                detections: recorded.detections, size: size, index: recorded.frame, ego: ego, at: moment(recorded.t))
            lastS = recorded.t
            try outputs.write(result)
            try finish(result, &summary)
        }
    }

    /// Takes the fixes up to `timeS`, lets the rules see each, and returns what is believed at `timeS`.
    private func advance(
        _ estimator: inout EgoStateEstimator, _ pipeline: inout Pipeline, to timeS: Double, _ outputs: ReplayOutputs,
        _ summary: inout Summary
    ) throws -> EgoState {
        for fix in try telemetry.fixes(upTo: timeS) {
            estimator.update(fix)
            // What was before the session's beginning says how fast the vehicle is, but raises nothing.
            guard fix.timeS < timeS, fix.timeS >= 0 else { continue }
            let alerts = pipeline.process(ego: ego(estimator, atS: fix.timeS), at: moment(fix.timeS)).alerts
            outputs.note(alerts)
            try emit(alerts, &summary)
        }
        return ego(estimator, atS: timeS)
    }

    /// What is believed of the own vehicle; where the receiver's own times were not recorded, the session's beginning gives them.
    private func ego(_ estimator: EgoStateEstimator, atS timeS: Double) -> EgoState {
        var ego = estimator.state(at: timeS)
        if ego.fixTime == nil, let fixTimeS = ego.fixTimeS, session.startedAt != .epoch {
            ego.fixTime = session.startedAt.advanced(bySeconds: fixTimeS)
        }
        return ego
    }

    private func end(_ pipeline: inout Pipeline, at timeS: Double, _ summary: inout Summary) throws {
        try emit(pipeline.stop(at: moment(timeS)), &summary)
    }

    private func finish(_ result: FrameResult, _ summary: inout Summary) throws {
        for failure in result.failures { throw UserError(.software, "rule \(failure.rule): \(failure.error)") }
        summary.frames += 1
        summary.timings.detectMs += result.timings.detectMs
        summary.timings.signsMs += result.timings.signsMs
        summary.timings.trackMs += result.timings.trackMs
        summary.timings.rulesMs += result.timings.rulesMs
        try emit(result.alerts, &summary)
    }

    private func emit(_ alerts: [Alert], _ summary: inout Summary) throws {
        for var alert in alerts {
            if configuration.hasPrivacy { alert.position = nil }
            guard let snapshots else {
                try raise(alert)
                continue
            }
            let (complete, picture) = try snapshots.complete(alert)
            try raise(complete)
            if let picture { snapshots.handOn(picture, of: complete) }
        }
        summary.alerts += alerts.count
    }

    private func moment(_ timeS: Double) -> Pipeline.Moment {
        Pipeline.Moment(at: startedAt.advanced(bySeconds: timeS), timeS: timeS, clock: clock)
    }

    private func wait(until timeS: Double, _ begun: Double) {
        guard options.isRealtime else { return }
        // In pieces, because a recording may have gaps and a stop signal must not wait for their end.
        while !shouldStop(), case let left = begun + timeS - MonotonicTime.now(), left > 0 {
            Thread.sleep(forTimeInterval: min(left, 0.1))
        }
    }
}
