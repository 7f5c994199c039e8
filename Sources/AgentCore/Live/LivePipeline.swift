import Capture
import FleetModel
import FleetRuntime
import Foundation
import Imaging
import Perception
import SafetyRules
import SpeedLimits
import Synchronization
import VisionPipeline
import WorldModel

/// The pipeline thread of a running agent: takes the newest frame and the fixes, decides, hands alerts on.
///
/// A silent or missing camera leaves the overspeed rule at work: then the fixes alone drive it.
final class LivePipeline: Sendable {
    /// Longest wait for a frame before the fixes are looked at again, in s.
    private static let frameWaitS = 0.2

    private let configuration: AgentConfiguration
    private let camera: CameraFrameSource
    private let receiver: GPSDTelemetrySource
    private let state: VehicleState
    private let clock: VehicleClock
    private let boot: String
    private let raise: @Sendable (Alert) -> Void
    private let stopping = Atomic<Bool>(false)
    private let log = Log("pipeline")

    init(
        configuration: AgentConfiguration, camera: CameraFrameSource, receiver: GPSDTelemetrySource, state: VehicleState,
        boot: String,
        clock: VehicleClock, raise: @escaping @Sendable (Alert) -> Void
    ) {
        self.configuration = configuration
        self.camera = camera
        self.receiver = receiver
        self.state = state
        self.boot = boot
        self.clock = clock
        self.raise = raise
    }

    /// Starts the thread; `finished` is called on it after the last alert. The detector is made first, on the caller's thread, so that a
    /// model that does not load is told at once.
    func start(
        detector: sending RoadUserDetector, signs: sending SignDetector?, limits: LimitFusion,
        finished: @escaping @Sendable () -> Void
    ) {
        let modelName = detector.modelName
        let context = AlertGate.Context(
            identity: configuration.identity, origin: .live, boot: boot, software: SoftwareVersion.current, model: modelName)
        let handover = Mutex<RoadUserDetector?>(detector)
        let signHandover = Mutex<SignDetector?>(signs)
        Thread.detachNewThread { [self] in
            var settings = Pipeline.Settings(configuration, camera: configuration.camera.calibration())
            settings.aim = AimFile(configuration).readForNewDrive()
            var pipeline = Pipeline(
                settings: settings, detector: handover.withLock { $0.take() }, signs: signHandover.withLock { $0.take() }, limits: limits,
                gate: AlertGate(context: context, makeID: LiveAlertID.source()))
            loop(&pipeline)
            for alert in pipeline.stop(at: moment(clock.monotonicS())) { raise(alert) }
            finished()
        }
    }

    /// Asks the thread to end after the frame it is at.
    func stop() { stopping.store(true, ordering: .relaxed) }

    private func loop(_ pipeline: inout Pipeline) {
        var senses = Senses(
            odometer: Odometer(
                path: URL(filePath: configuration.outbox.path).deletingLastPathComponent().appending(path: "odometer").path()))
        var aimFile = AimFile(configuration)
        var lastFailure = ""
        while !stopping.load(ordering: .relaxed) {
            let failure: String
            if let captured = camera.mailbox.take(timeoutS: Self.frameWaitS) {
                failure = see(captured, &pipeline, &senses)
            } else {
                failure = goOnWithoutFrame(&pipeline, &senses)
            }
            // Told once, and again when it changes: a camera that breaks 30 times a second must not fill the log.
            if failure != lastFailure, !failure.isEmpty { log.error(failure) }
            lastFailure = failure
            judge(senses.ego, detectorFailed: !failure.isEmpty)
            aimFile.save(pipeline.aim, atS: clock.monotonicS())
        }
        aimFile.save(pipeline.aim, atS: clock.monotonicS(), isLast: true)
        senses.odometer.save()
    }

    /// What the thread believes of the own vehicle.
    private struct Senses {
        var estimator = EgoStateEstimator()
        var ego = EgoState.unknown
        var odometer: Odometer
    }

    /// Takes the fixes that have come and sets what is believed at `nowS`.
    private func feel(at nowS: Double, _ senses: inout Senses) {
        for fix in receiver.fixes(upTo: clock.monotonicS()) {
            senses.estimator.update(fix)
            clock.observe(fix.fixTime, mode: fix.mode, atS: fix.timeS)
            state.update { $0.gpsMode = fix.mode }
        }
        senses.ego = senses.estimator.state(at: nowS)
        senses.odometer.advance(to: nowS, speedMps: senses.ego.speedMps)
    }

    /// Processes a frame; returns what failed, empty when nothing did.
    private func see(_ captured: consuming CapturedFrame, _ pipeline: inout Pipeline, _ senses: inout Senses) -> String {
        let (index, nowS) = (captured.index, captured.timeS)
        feel(at: nowS, &senses)
        let started = MonotonicTime.now()
        let frame = captured.takeFrame()
        do {
            let result = try pipeline.process(frame, index: index, ego: senses.ego, at: moment(nowS))
            result.alerts.forEach(raise)
            note(senses, result.world.limit, pipeline.suppressed, tookMs: (MonotonicTime.now() - started) * 1000)
            return result.failures.map { "rule \($0.rule): \($0.error)" }.joined(separator: "; ")
        } catch {
            pipeline.process(ego: senses.ego, at: moment(nowS)).alerts.forEach(raise)
            return "\(error)"
        }
    }

    private func goOnWithoutFrame(_ pipeline: inout Pipeline, _ senses: inout Senses) -> String {
        let nowS = clock.monotonicS()
        feel(at: nowS, &senses)
        let result = pipeline.process(ego: senses.ego, at: moment(nowS))
        result.alerts.forEach(raise)
        note(senses, result.limit, pipeline.suppressed, tookMs: nil)
        return result.failures.map { "rule \($0.rule): \($0.error)" }.joined(separator: "; ")
    }

    private func moment(_ timeS: Double) -> Pipeline.Moment {
        let now = clock.reading()
        return Pipeline.Moment(at: now.at.advanced(bySeconds: timeS - now.monotonicS), timeS: timeS, clock: now.state)
    }

    private func note(_ senses: Senses, _ limit: SpeedLimit?, _ suppressed: [String: Int], tookMs: Double?) {
        let dropped = camera.mailbox.droppedCount
        let ego = senses.ego
        state.update {
            $0.position = ego.position.map {
                AlertPosition(lat: $0.latitude, lon: $0.longitude, headingDeg: ego.headingDeg, accuracyM: ego.positionErrorM)
            }
            $0.speedMps = ego.speedMps
            $0.odometerM = senses.odometer.metres
            $0.limit = limit?.limit
            $0.suppressed = suppressed
            $0.droppedFrames = dropped
            if let tookMs { $0.perceptionTimes.add(milliseconds: tookMs) }
        }
    }

    private func judge(_ ego: EgoState, detectorFailed: Bool) {
        var codes = Set(ego.degraded + receiver.degraded + camera.degraded(at: clock.monotonicS()))
        if detectorFailed { codes.insert(.detectorFailed) }
        if configuration.camera.focalLengthPx == nil { codes.insert(.notCalibrated) }
        state.update { values in
            if values.limit == nil { codes.insert(.limitUnknown) }
            values.degraded = codes
        }
    }
}
