import FleetModel
import FleetRuntime
import Foundation
import Imaging
import Perception

/// `fleet-agent detect`: road users and speed signs in single pictures, or what the sign reader says about crops; one line an image.
enum DetectCommand {
    static let command = Command(
        "detect", "find road users and speed signs in pictures",
        discussion:
            "Prints one line an image: JSON with --json, words otherwise. --min-score and --model are the road-user detector's; signs are told where the sign reader is sure. With --sign-crops each picture is one sign, cut out with a margin of at most 15 %, and --model and --min-score are the sign reader's. A picture that cannot be read is told on standard error; the others go on, and the status is 66 or 65 in the end.",
        arguments: [ArgumentSpec("IMAGE", "picture file (JPEG, PNG)", repeated: true)],
        options: [
            .value("--min-score", "S", "lowest score that is listed, 0.01 to 0.99 (default: the model's own)"),
            .value("--config", "FILE", "agent configuration, for its sections detector and signs"),
            .value("--country", "CODE", "two letters: what speed signs look like (default: the configuration's, else all)"),
            .value("--model", "FILE", "model description to use instead"),
            .value(
                "--engine", "ENGINE", "what computes the network", choices: DetectorConfiguration.Engine.allCases.map(\.rawValue)),
            .flag("--sign-crops", "each picture is one sign candidate: tell its speed limit"),
            .flag("--json", "one JSON object a line"),
        ],
        run: run)

    private static func run(_ arguments: ParsedArguments) async throws {
        let configuration = try arguments.value("--config").map { try AgentConfiguration(path: $0) }
        var settings = try configuration?.detector ?? DetectorConfiguration.defaults()
        if let engine = arguments.value("--engine").flatMap(DetectorConfiguration.Engine.init(rawValue:)) {
            settings.engine = engine
        }
        let score = try arguments.number("--min-score", in: 0.01...0.99)
        if arguments.has("--sign-crops") {
            var reader = try SignReader(modelPath: arguments.value("--model"), engine: EngineChoice(settings.engine))
            if let score { reader.scoreThreshold = score }
            try tellEach(arguments) { path, frame in try read(path, frame, with: &reader) }
        } else {
            if let model = arguments.value("--model") { settings.modelPath = model }
            var detector = try RoadUserDetector(settings)
            if let score { detector.scoreThreshold = score }
            var signs = try SignDetector(
                signConfiguration(arguments, configuration ?? .replayDefaults(vehicle: "vehicle")), engine: settings.engine)
            try tellEach(arguments) { path, frame in try detect(path, frame, with: &detector, signs: &signs) }
        }
    }

    private static func signConfiguration(
        _ arguments: ParsedArguments, _ configuration: AgentConfiguration
    ) throws -> SignConfiguration {
        var signs = configuration.signs
        guard let country = arguments.value("--country") else { return signs }
        guard let profile = SignProfile(country: country) else {
            throw UserError(.usage, "--country \(country.printable): must be a code of two letters, e.g. DE, GB, US")
        }
        signs.profile = profile
        return signs
    }

    /// Prints what `tell` finds in each picture.
    private static func tellEach(
        _ arguments: ParsedArguments, _ tell: (String, borrowing Frame) throws -> (json: DetectionLine, words: String)
    ) throws {
        let paths = arguments.arguments(from: 0)
        var unread: [UserError] = []
        for path in paths {
            let line: (json: DetectionLine, words: String)
            do { line = try tell(path, picture(path)) } catch let error as UserError {
                // One alone is told when the command ends.
                if paths.count > 1 { StandardStreams.printError("fleet-agent: \(error.message.printable)") }
                unread.append(error)
                continue
            }
            if arguments.has("--json") {
                StandardStreams.print(String(decoding: try WireCodec.encode(line.json), as: UTF8.self))
            } else {
                StandardStreams.print("\(path.printable): \(line.words)")
            }
        }
        guard let first = unread.first else { return }
        throw paths.count == 1 ? first : UserError(first.code, "\(unread.count) of \(paths.count) pictures were not read")
    }

    private static func picture(_ path: String) throws -> Frame {
        do { return try Frame.read(path: path) } catch {
            throw error.kind == .notFound
                ? UserError(.noInput, "\(path): no such file, or not readable")
                : UserError(.badData, "\(path): not a picture that can be read")
        }
    }

    private static func detect(
        _ path: String, _ frame: borrowing Frame, with detector: inout RoadUserDetector, signs signDetector: inout SignDetector
    ) throws -> (json: DetectionLine, words: String) {
        let found = try detector.detect(in: frame)
        let signs = try signDetector.detect(in: frame)
        let words =
            found.map { "\($0.roadUser.rawValue) \($0.score.rounded(toPlaces: 2))" }
            + signs.filter { $0.kind != .other }.map { describe($0.kind == .limit ? .speedLimit : .endOfLimit, $0.limit, $0.score) }
        return (
            DetectionLine(image: path, width: frame.width, height: frame.height, detections: found, signs: signs),
            words.isEmpty ? "nothing" : words.joined(separator: ", ")
        )
    }

    private static func read(
        _ path: String, _ frame: borrowing Frame, with reader: inout SignReader
    ) throws -> (json: DetectionLine, words: String) {
        let reading = try reader.read(frame)
        let line = DetectionLine(image: path, width: frame.width, height: frame.height, reading: reading)
        guard let reading else { return (line, "nothing") }
        return (
            line,
            describe(
                reading.kind, reading.value.flatMap { value in reading.unit().map { Speed(Double(value), $0) } }, reading.score)
        )
    }

    private static func describe(_ kind: SignKind, _ limit: Speed?, _ score: Double) -> String {
        let number = limit.map { " \($0)" } ?? ""
        let words =
            switch kind {
            case .speedLimit: "limit"
            case .endOfLimit: "end of limit"
            case .other: "other"
            }
        return "\(words)\(number) \(score.rounded(toPlaces: 2))"
    }
}

extension EngineChoice {
    /// The choice that the configuration makes.
    init(_ engine: DetectorConfiguration.Engine) {
        self =
            switch engine {
            case .auto: .automatic
            case .openvino: .openVINO
            case .opencv: .openCV
            }
    }
}

extension RoadUserDetector {
    /// The detector that the configuration asks for.
    init(_ settings: DetectorConfiguration) throws {
        try self.init(modelPath: settings.modelPath, engine: EngineChoice(settings.engine), threads: settings.threads)
    }
}
