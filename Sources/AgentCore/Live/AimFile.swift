import FleetModel
import FleetRuntime
import Foundation
import WorldModel

/// Where straight ahead lies in the camera's picture, kept in a small file so that a new drive need not find it again.
struct AimFile: Sendable {
    /// What the file holds.
    private struct Content: Codable {
        /// The camera that it was found with; another one looks elsewhere.
        var source: String
        var aim: CameraAim
    }

    /// Seconds between two writings.
    private static let saveEveryS = 60.0
    /// What another drive has found is believed to this share of the frame: the camera may have been touched meanwhile.
    private static let keptSd = 0.015

    private let path: String
    private let source: String
    private var savedAtS: Double?
    private var savedSamples = 0

    /// The file for the camera `source` beside the outbox of `configuration`.
    init(_ configuration: AgentConfiguration) {
        path = URL(filePath: configuration.outbox.path).deletingLastPathComponent().appending(path: "camera-aim.json").path()
        source = configuration.camera.source
    }

    /// What earlier drives have found; nil when there is nothing, or nothing sensible, for this camera.
    func read() -> CameraAim? {
        guard let data = try? FilePieces.contents(of: path, limit: 4096),
            let content = try? JSONDecoder().decode(Content.self, from: data), content.source == source
        else { return nil }
        let aim = content.aim
        guard (0...1).contains(aim.x), (-1...2).contains(aim.y), (0...1).contains(aim.sdX), (0...1).contains(aim.sdY),
            aim.samples >= 0
        else { return nil }
        return aim
    }

    /// The same as the beginning of another drive.
    func readForNewDrive() -> CameraAim? {
        read().map { aim in
            var kept = aim
            (kept.sdX, kept.sdY) = (max(aim.sdX, Self.keptSd), max(aim.sdY, Self.keptSd))
            return kept
        }
    }

    /// Writes `aim` when it has been found and a minute has passed; `isLast` at the end of a run writes at once. A failure costs what was
    /// learnt since the last time.
    mutating func save(_ aim: CameraAim?, atS nowS: Double, isLast: Bool = false) {
        guard let aim, aim.isFound, aim.samples != savedSamples else { return }
        guard isLast || nowS - (savedAtS ?? -.infinity) >= Self.saveEveryS else { return }
        (savedAtS, savedSamples) = (nowS, aim.samples)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(Content(source: source, aim: aim)) else { return }
        try? DurableFile.write(data, to: path)
    }
}
