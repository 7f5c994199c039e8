import FleetModel
import FleetRuntime
import Foundation
import Imaging
import Perception

/// `fleet-agent detect`: road users in single pictures, one line an image.
enum DetectCommand {
    static let command = Command(
        "detect", "find road users in pictures",
        discussion:
            "Prints one line an image: JSON with --json, words otherwise. A picture that cannot be read ends the command with status 66 or 65.",
        arguments: [ArgumentSpec("IMAGE", "picture file (JPEG, PNG)", repeated: true)],
        options: [
            .value("--min-score", "S", "lowest score that is listed, 0.01 to 0.99 (default: the model's own)"),
            .value("--config", "FILE", "agent configuration, for its section detector"),
            .value("--model", "FILE", "model description to use instead"),
            .value(
                "--engine", "ENGINE", "what computes the network", choices: DetectorConfiguration.Engine.allCases.map(\.rawValue)),
            .flag("--json", "one JSON object a line"),
        ],
        run: run)

    private static func run(_ arguments: ParsedArguments) async throws {
        var settings =
            try arguments.value("--config").map { try AgentConfiguration(path: $0).detector } ?? DetectorConfiguration.defaults()
        if let model = arguments.value("--model") { settings.modelPath = model }
        if let engine = arguments.value("--engine").flatMap(DetectorConfiguration.Engine.init(rawValue:)) {
            settings.engine = engine
        }
        var detector = try RoadUserDetector(settings)
        if let score = try arguments.number("--min-score", in: 0.01...0.99) { detector.scoreThreshold = score }
        for path in arguments.arguments(from: 0) {
            let line = try detect(path, with: &detector)
            if arguments.has("--json") {
                StandardStreams.print(String(decoding: try WireCodec.encode(line.json), as: UTF8.self))
            } else {
                StandardStreams.print("\(path.printable): \(line.words)")
            }
        }
    }

    private static func detect(_ path: String, with detector: inout RoadUserDetector) throws -> (json: DetectionLine, words: String)
    {
        let frame: Frame
        do { frame = try Frame.read(path: path) } catch {
            throw error.kind == .notFound
                ? UserError(.noInput, "\(path): no such file, or not readable")
                : UserError(.badData, "\(path): not a picture that can be read")
        }
        let found = try detector.detect(in: frame)
        let words = found.map { "\($0.roadUser.rawValue) \($0.score.rounded(toPlaces: 2))" }.joined(separator: ", ")
        return (
            DetectionLine(image: path, width: frame.width, height: frame.height, detections: found),
            words.isEmpty ? "nothing" : words
        )
    }
}

extension RoadUserDetector {
    /// The detector that the configuration asks for.
    init(_ settings: DetectorConfiguration) throws {
        let engine: EngineChoice =
            switch settings.engine {
            case .auto: .automatic
            case .openvino: .openVINO
            case .opencv: .openCV
            }
        try self.init(modelPath: settings.modelPath, engine: engine, threads: settings.threads)
    }
}
