import Capture
import FleetModel
import FleetRuntime
import Foundation
import Imaging
import Perception
import WorldModel

/// `vision-bench peer-stages`: the stages of Benchmarks/peer/peer.py and no more: read, detect, track by overlap, time to collision from the
/// growth of boxes.
enum PeerCommand {
    static let command = Command(
        "peer-stages", "measure reading, detection, tracking and box growth alone",
        discussion: "Prints one JSON line, as Benchmarks/peer/peer.py does.",
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
        let engine: String
        let frames: Int
        let seconds: Double
        let frames_per_second: Double
        let cpu_ms_a_frame: Double
    }

    private static let warmUpFrames = 10

    private static func run(_ arguments: ParsedArguments) async throws {
        let engine: RoadUserDetector.EngineChoice = arguments.value("--engine") == "opencv" ? .openCV : .openVINO
        var detector = try RoadUserDetector(
            modelPath: arguments.value("--model"), engine: engine, threads: try arguments.integer("--threads", in: 1...64) ?? 2)
        let limit = try arguments.integer("--frames", in: 1...1_000_000) ?? .max
        let source = try SessionFrameSource(Session.open(arguments.requiredArgument(0)))
        var tracker: Tracker?
        var (frames, begunS, processorS) = (0, 0.0, 0.0)
        while frames < limit, let captured = try source.next() {
            let timeS = captured.timeS
            let frame = captured.takeFrame()
            let found = try detector.detect(in: frame)
            var current = tracker ?? Tracker(frame: FrameSize(width: Double(frame.width), height: Double(frame.height)))
            _ = current.update(found, motions: [:], atS: timeS)
            tracker = current
            frames += 1
            if frames == warmUpFrames { (begunS, processorS) = (MonotonicTime.now(), ProcessUsage.processorS) }
        }
        guard frames > warmUpFrames else { throw UserError(.badData, "more than \(warmUpFrames) frames are needed to measure") }
        let seconds = MonotonicTime.now() - begunS
        let measured = frames - warmUpFrames
        let line = Line(
            engine: detector.engineDescription, frames: measured, seconds: seconds.rounded(toPlaces: 3),
            frames_per_second: (Double(measured) / seconds).rounded(toPlaces: 1),
            cpu_ms_a_frame: ((ProcessUsage.processorS - processorS) * 1000 / Double(measured)).rounded(toPlaces: 1))
        StandardStreams.print(String(decoding: try WireCodec.encode(line), as: UTF8.self))
    }
}
