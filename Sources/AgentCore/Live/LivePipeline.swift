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
    /// Age up to which the last frame still shows the moment of an alert that comes from a fix, in s.
    private static let freshFrameS = 1.0

    private let configuration: AgentConfiguration
    private let camera: CameraFrameSource
    private let receiver: GPSDTelemetrySource
    private let state: VehicleState
    private let clock: VehicleClock
    private let boot: String
    private let outlets: LiveOutlets
    private let raise: @Sendable (Alert) -> Void
    private let stopping = Atomic<Bool>(false)
    private let log = Log("pipeline")

    init(
        configuration: AgentConfiguration, camera: CameraFrameSource, receiver: GPSDTelemetrySource, state: VehicleState,
        boot: String, clock: VehicleClock, outlets: LiveOutlets = LiveOutlets(), raise: @escaping @Sendable (Alert) -> Void
    ) {
        self.configuration = configuration
        self.camera = camera
        self.receiver = receiver
        self.state = state
        self.boot = boot
        self.clock = clock
        self.outlets = outlets
        self.raise = raise
    }

    /// Starts the thread; `finished` is called on it after the last alert. The detector is made first, on the caller's thread, so that a
    /// model that does not load is told at once.
    func start(
        detector: sending RoadUserDetector, signs: sending SignDetector?, landmarks: sending LandmarkWatch?, limits: LimitFusion,
        finished: @escaping @Sendable () -> Void
    ) {
        let modelName = detector.modelName
        let context = AlertGate.Context(
            identity: configuration.identity, origin: .live, boot: boot, software: SoftwareVersion.current, model: modelName)
        let handover = Mutex<RoadUserDetector?>(detector)
        let signHandover = Mutex<SignDetector?>(signs)
        let watch = Mutex<LandmarkWatch?>(landmarks)
        Thread.detachNewThread { [self] in
            var settings = Pipeline.Settings(configuration, camera: configuration.camera.calibration())
            settings.aim = AimFile(configuration).readForNewDrive()
            var pipeline = Pipeline(
                settings: settings, detector: handover.withLock { $0.take() }, signs: signHandover.withLock { $0.take() },
                landmarks: watch.withLock { $0.take() }, limits: limits,
                gate: AlertGate(context: context, makeID: LiveAlertID.source()))
            var senses = Senses(
                odometer: Odometer(
                    path: URL(filePath: configuration.outbox.path).deletingLastPathComponent().appending(path: "odometer").path()))
            loop(&pipeline, &senses)
            senses.odometer.save()
            tell(pipeline.stop(at: moment(clock.monotonicS())), &senses)
            let (came, leftOut) = (camera.mailbox.deliveredCount, camera.mailbox.droppedCount)
            log.info("\(came - leftOut) frames seen, \(leftOut) left out")
            finished()
        }
    }

    /// Asks the thread to end after the frame it is at.
    func stop() { stopping.store(true, ordering: .relaxed) }

    private func loop(_ pipeline: inout Pipeline, _ senses: inout Senses) {
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
            judge(senses.ego, pictures: senses.pictures.degraded, detectorFailed: !failure.isEmpty)
            aimFile.save(pipeline.aim, atS: clock.monotonicS())
        }
        aimFile.save(pipeline.aim, atS: clock.monotonicS(), isLast: true)
    }

    /// What the thread believes of the own vehicle and of its camera, and what it saw last.
    private struct Senses: ~Copyable {
        var estimator = EgoStateEstimator()
        var ego = EgoState.unknown
        var odometer: Odometer
        var pictures = PictureHealth()
        var trigger = SnapshotTrigger()
        var last: (frame: SharedFrame, known: [Detection], timeS: Double)?

        init(odometer: Odometer) { self.odometer = odometer }
    }

    /// Takes the fixes that have come and sets what is believed at `nowS`.
    private func feel(at nowS: Double, _ senses: inout Senses) {
        for fix in receiver.fixes(upTo: clock.monotonicS()) {
            senses.estimator.update(fix)
            outlets.clips?.note(fix)
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
        let frame = SharedFrame(captured.takeFrame())
        do {
            let result = try pipeline.process(frame.frame, index: index, ego: senses.ego, at: moment(nowS))
            senses.last = (frame, result.detections, nowS)
            tell(result.alerts, &senses)
            note(
                senses.ego, senses.odometer, result.world.limit, pipeline.suppressed, tookMs: (MonotonicTime.now() - started) * 1000
            )
            lookBack(at: frame, result, atS: nowS, &senses)
            return result.failures.map { "rule \($0.rule): \($0.error)" }.joined(separator: "; ")
        } catch {
            senses.last = (frame, [], nowS)
            tell(pipeline.process(ego: senses.ego, at: moment(nowS)).alerts, &senses)
            lookBack(at: frame, nil, atS: nowS, &senses)
            return "\(error)"
        }
    }

    /// What can wait until the alerts of a frame are out: the camera's health, the clip, the preview.
    private func lookBack(at frame: SharedFrame, _ result: FrameResult?, atS nowS: Double, _ senses: inout Senses) {
        senses.pictures.see(frame.frame, atS: nowS, speedMps: senses.ego.speedMps)
        outlets.clips?.offer(frame, atS: nowS)
        outlets.preview?.offer(frame, result, atS: nowS)
    }

    /// Hands alerts on, and orders the pictures that they deserve.
    private func tell(_ alerts: [Alert], _ senses: inout Senses) {
        for var alert in alerts {
            if configuration.hasPrivacy { alert.position = nil }
            raise(alert)
            outlets.clips?.note(alert)
            outlets.preview?.note(alert)
            guard senses.trigger.wants(alert), let last = senses.last, alert.monotonicS - last.timeS <= Self.freshFrameS else {
                continue
            }
            outlets.studio?.order(alert, of: last.frame, known: last.known)
        }
    }

    private func goOnWithoutFrame(_ pipeline: inout Pipeline, _ senses: inout Senses) -> String {
        let nowS = clock.monotonicS()
        feel(at: nowS, &senses)
        let result = pipeline.process(ego: senses.ego, at: moment(nowS))
        tell(result.alerts, &senses)
        note(senses.ego, senses.odometer, result.limit, pipeline.suppressed, tookMs: nil)
        outlets.preview?.offer(nil, nil, atS: nowS)
        return result.failures.map { "rule \($0.rule): \($0.error)" }.joined(separator: "; ")
    }

    private func moment(_ timeS: Double) -> Pipeline.Moment {
        let now = clock.reading()
        return Pipeline.Moment(at: now.at.advanced(bySeconds: timeS - now.monotonicS), timeS: timeS, clock: now.state)
    }

    private func note(
        _ ego: EgoState, _ odometer: Odometer, _ limit: SpeedLimit?, _ suppressed: [String: Int], tookMs: Double?
    ) {
        let dropped = camera.mailbox.droppedCount
        let position = configuration.hasPrivacy ? nil : ego.position
        state.update {
            $0.position = position.map {
                AlertPosition(lat: $0.latitude, lon: $0.longitude, headingDeg: ego.headingDeg, accuracyM: ego.positionErrorM)
            }
            $0.speedMps = ego.speedMps
            $0.odometerM = odometer.metres
            $0.limit = limit?.limit
            $0.suppressed = suppressed
            $0.droppedFrames = dropped
            if let tookMs { $0.perceptionTimes.add(milliseconds: tookMs) }
        }
    }

    private func judge(_ ego: EgoState, pictures: [DegradedCode], detectorFailed: Bool) {
        let stream = camera.degraded(at: clock.monotonicS())
        // While no frames come, what the last ones looked like says nothing.
        var codes = Set(ego.degraded + receiver.degraded + (stream.isEmpty ? pictures : stream))
        if detectorFailed { codes.insert(.detectorFailed) }
        if configuration.camera.focalLengthPx == nil { codes.insert(.notCalibrated) }
        state.update { values in
            if values.limit == nil { codes.insert(.limitUnknown) }
            values.degraded = codes
        }
    }
}
