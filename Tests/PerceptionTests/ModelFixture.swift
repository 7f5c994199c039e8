import FleetRuntime
import FleetTestSupport
import Foundation

@testable import Perception

/// Model descriptions written for one test.
struct ModelFixture {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Where the embedded model's weights lie in the build.
    static var embeddedWeights: String {
        get throws { try ModelDescription(path: ModelLocator.locate(configured: nil)).weightsPath }
    }

    /// A description of weights that are `bytes`; `changes` replace or (nil) remove lines by key.
    func write(weights bytes: Data, name: String = "w.onnx", changes: [String: String?] = [:]) throws -> String {
        try bytes.write(to: folder.url.appending(path: name))
        var lines: [(String, String?)] = [
            ("version", "1"), ("name", "test"), ("file", name), ("sha256", SHA256.hexadecimal(SHA256.digest(of: bytes))),
            ("adapter", "anchorfree"), ("input", "{width: 640, height: 384, order: bgr, padding: 114, resize: letterbox-topleft}"),
            ("classes", "[person, bicycle, motorcycle, car, bus, truck]"), ("scoreThreshold", "0.4"), ("nmsIou", "0.6"),
            ("licence", "Apache-2.0"),
        ]
        for (key, value) in changes {
            if let i = lines.firstIndex(where: { $0.0 == key }) { lines[i].1 = value } else { lines.append((key, value)) }
        }
        let text = lines.compactMap { key, value in value.map { "\(key): \($0)" } }.joined(separator: "\n")
        let path = folder.path("test.model.yaml")
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }
}
