import FleetRuntime
import Foundation

/// Metres driven since the agent was installed, kept in a small file so that it survives a restart.
public struct Odometer: Sendable {
    /// Metres driven.
    public private(set) var metres: Double
    private let path: String
    private var lastTimeS: Double?
    private var savedMetres: Double

    /// Longest step over which a speed is taken as constant, in s; a longer silence adds nothing.
    private static let maximumStepS = 3.0
    /// Metres after which the file is written again.
    private static let saveEveryM = 500.0

    /// Reads `path`; begins at zero when it is not there or not a number.
    public init(path: String) {
        self.path = path
        let text = (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
        metres = text.flatMap(Double.init).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil } ?? 0
        savedMetres = metres
    }

    /// Adds the way covered at `speedMps` since the last call; nil (unknown) adds nothing.
    public mutating func advance(to timeS: Double, speedMps: Double?) {
        defer { lastTimeS = timeS }
        guard let last = lastTimeS, let speedMps, timeS > last, timeS - last <= Self.maximumStepS else { return }
        metres += speedMps * (timeS - last)
        if metres - savedMetres >= Self.saveEveryM { save() }
    }

    /// Writes the file in one step (a new one takes the place of the old one). A failure costs at most the metres since the last time.
    public mutating func save() {
        savedMetres = metres
        try? Data(String(Int64(metres)).utf8).write(to: URL(filePath: path), options: .atomic)
    }
}
