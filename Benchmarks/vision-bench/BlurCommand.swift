import FleetModel
import FleetRuntime
import Foundation
import Imaging
import Perception
import VisionPipeline

/// `vision-bench blur`: what the privacy filter of snapshots does to single pictures.
enum BlurCommand {
    static let command = Command(
        "blur", "blur faces and number plates in pictures, as snapshots do, and tell where",
        arguments: [ArgumentSpec("IMAGE", "picture file (JPEG, PNG)", repeated: true)],
        options: [.value("--out", "FOLDER", "write the blurred pictures there, under their own names as .png")], run: run)

    private struct Line: Encodable {
        let image: String
        let parts: [Box]
    }

    private static func run(_ arguments: ParsedArguments) async throws {
        var detector = try RoadUserDetector(modelPath: nil)
        detector.scoreThreshold = PrivacyFilter.leastScore
        var filter = PrivacyFilter(detector: detector)
        for path in arguments.arguments(from: 0) {
            var picture = try Frame.read(path: path)
            let parts = try filter.obscure(&picture)
            StandardStreams.print(String(decoding: try WireCodec.encode(Line(image: path, parts: parts)), as: UTF8.self))
            guard let folder = arguments.value("--out") else { continue }
            let name = FilePath.name(of: path).split(separator: ".").first ?? "picture"
            try picture.write(path: "\(folder)/\(name).png")
        }
    }
}
