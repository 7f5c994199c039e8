import Capture
import FleetModel
import FleetRuntime
import Perception
import VisionPipeline
import WorldModel

/// `vision-bench peer-stages`: the stages of Benchmarks/peer/peer.py: read, detect, track, time to collision from the growth of boxes, alerts.
enum PeerCommand {
    static let command = Command(
        "peer-stages", "measure reading, detection, tracking and box growth alone",
        discussion: "Prints one JSON line, as Benchmarks/peer/peer.py does. Motion is not looked for in the picture.",
        arguments: [ArgumentSpec("SESSION", "session folder or video file")],
        options: [
            .value("--model", "FILE", "model description (default: the embedded model)"),
            .value("--engine", "ENGINE", "what computes the network", choices: ["openvino", "opencv"]),
            .value("--threads", "N", "threads for the network (default 2)"),
            .value("--frames", "N", "stop after N frames"),
        ],
        run: run)

    /// As the peer prints it.
    private struct Line: Encodable {
        var engine: String
        var frames: Int
        var seconds: Double
        var framesPerSecond: Double
        var cpuMsPerFrame: Double
        var alerts: Int
    }

    private static func run(_ arguments: ParsedArguments) async throws {
        let engine: EngineChoice = arguments.value("--engine") == "opencv" ? .openCV : .openVINO
        var detector = try RoadUserDetector(
            modelPath: arguments.value("--model"), engine: engine, threads: try arguments.integer("--threads", in: 1...64) ?? 2)
        let limit = try arguments.integer("--frames", in: 1...1_000_000) ?? .max
        let session = try Session.open(arguments.requiredArgument(0))
        let source = try SessionFrameSource(session)
        var pipeline = try ChainMeasurement.makePipeline(session)
        var (frames, alerts, begunS, processorS) = (0, 0, 0.0, 0.0)
        while frames < limit, let captured = try source.next() {
            let moment = Pipeline.Moment(
                at: session.startedAt.advanced(bySeconds: captured.timeS), timeS: captured.timeS, clock: .unsynchronised)
            let frame = captured.takeFrame()
            let size = FrameSize(width: Double(frame.width), height: Double(frame.height))
            let result = pipeline.process(
                detections: try detector.detect(in: frame), size: size, index: frames, ego: .unknown, at: moment)
            alerts += result.alerts.count
            frames += 1
            if frames == ChainMeasurement.warmUpFrames { (begunS, processorS) = (MonotonicTime.now(), ProcessUsage.processorS) }
        }
        let measured = frames - ChainMeasurement.warmUpFrames
        guard measured > 0 else {
            throw UserError(.badData, "more than \(ChainMeasurement.warmUpFrames) frames are needed to measure")
        }
        let seconds = MonotonicTime.now() - begunS
        let line = Line(
            engine: detector.engineDescription, frames: measured, seconds: seconds.rounded(toPlaces: 3),
            framesPerSecond: (Double(measured) / seconds).rounded(toPlaces: 1),
            cpuMsPerFrame: ((ProcessUsage.processorS - processorS) * 1000 / Double(measured)).rounded(toPlaces: 1), alerts: alerts)
        StandardStreams.print(String(decoding: try WireCodec.encode(line), as: UTF8.self))
    }
}
