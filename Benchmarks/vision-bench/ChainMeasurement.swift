import Capture
import FleetModel
import FleetRuntime
import Imaging
import Perception
import SafetyRules
import SpeedLimits
import VisionPipeline
import WorldModel

/// Times of one pass of a drive through the whole chain with one engine.
struct ChainMeasurement {
    /// The columns of the table, in order.
    static let stages = ["decode", "prepare", "network", "read", "track", "rules"]
    /// The first frames warm caches and clocks up and are left out.
    static let warmUpFrames = 10

    let model: String
    let engine: String
    let explanation: String
    private(set) var width = 0
    private(set) var height = 0
    private(set) var frameCount = 0
    /// Frames by wall time of the whole pass after the warm-up, everything included.
    private(set) var framesPerSecond = 0.0
    /// Processor time of all threads in ms a frame, after the warm-up: what other programs on the machine cannot stretch.
    private(set) var processorMs = 0.0
    private var samples: [[Double]] = Array(repeating: [], count: stages.count)

    /// The median of each stage, in ms.
    var medians: [Double] {
        samples.map { $0.isEmpty ? 0 : $0.sorted()[$0.count / 2] }
    }

    private init(_ detector: RoadUserDetector) {
        model = detector.modelName
        explanation = detector.engineDescription
        engine = detector.engineDescription.hasPrefix("OpenVINO") ? "OpenVINO" : "OpenCV"
    }

    /// Sends the frames of `path` through the chain, at most `frameLimit` of them.
    static func measure(_ path: String, detector: RoadUserDetector, frameLimit: Int) throws -> ChainMeasurement {
        var measurement = ChainMeasurement(detector)
        var detector = detector
        let session = try Session.open(path)
        let source = try SessionFrameSource(session)
        var pipeline = try makePipeline(session)
        var begun = MonotonicTime.now()
        var processorBegunS = 0.0
        while measurement.frameCount < frameLimit {
            let start = MonotonicTime.now()
            guard let captured = try source.next() else { break }
            let decodeMs = (MonotonicTime.now() - start) * 1000
            let moment = Pipeline.Moment(
                at: session.startedAt.advanced(bySeconds: captured.timeS), timeS: captured.timeS, clock: .unsynchronised)
            let index = captured.index
            let frame = captured.takeFrame()
            (measurement.width, measurement.height) = (frame.width, frame.height)
            let detections = try detector.detect(in: frame)
            let result = try pipeline.process(frame, detections: detections, index: index, ego: .unknown, at: moment)
            measurement.frameCount += 1
            if measurement.frameCount == warmUpFrames { (begun, processorBegunS) = (MonotonicTime.now(), ProcessUsage.processorS) }
            guard measurement.frameCount > warmUpFrames else { continue }
            let (d, t) = (detector.latestTimes, result.timings)
            let times = [decodeMs, d.prepareMs, d.inferMs, d.readMs, t.trackMs, t.rulesMs]
            for (stage, time) in times.enumerated() { measurement.samples[stage].append(time) }
        }
        guard measurement.frameCount > warmUpFrames else {
            throw UserError(.badData, "\(path): \(measurement.frameCount) frames; more than \(warmUpFrames) are needed to measure")
        }
        let frames = Double(measurement.frameCount - warmUpFrames)
        measurement.framesPerSecond = frames / (MonotonicTime.now() - begun)
        measurement.processorMs = (ProcessUsage.processorS - processorBegunS) * 1000 / frames
        return measurement
    }

    static func makePipeline(_ session: Session) throws -> Pipeline {
        guard let identity = VehicleIdentity(fleet: "bench", vehicle: session.vehicle) else {
            throw UserError(.badData, "\(session.path): the vehicle's name is not allowed")
        }
        let context = AlertGate.Context(
            identity: identity, origin: .replay, boot: "bench", software: SoftwareVersion.current, model: nil)
        var settings = Pipeline.Settings()
        settings.camera = session.camera
        return Pipeline(
            settings: settings, detector: nil, limits: LimitPrecedence([]),
            gate: AlertGate(context: context, makeID: ReplayAlertID.source(sessionDigest: [], vehicle: identity)))
    }
}
