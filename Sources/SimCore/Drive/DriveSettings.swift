import FleetModel
import FleetRuntime
import Foundation

/// What `fleet-sim drive` is asked for.
public struct DriveSettings: Sendable {
    public var scenario: ScenarioCatalogue
    public var seed: UInt64
    /// Horizontal field of view, degrees.
    public var hfovDeg = 60.0
    public var framesPerSecond = 20.0
    /// Picture size, pixels; even numbers, because the encoder takes no others.
    public var width = 1280
    public var height = 720
    /// Speed of the ego vehicle where the scenario leaves it open, m/s; nil draws it from the seed.
    public var speedMps: Double?
    /// Seconds; nil takes the scenario's.
    public var durationS: Double?
    /// The session's folder.
    public var folder: String
    /// Whether a session that is already there may be replaced.
    public var replaces = false

    /// A drive with the usual camera.
    public init(scenario: ScenarioCatalogue, seed: UInt64, folder: String) {
        self.scenario = scenario
        self.seed = seed
        self.folder = folder
    }

    /// The settings of a command line; throws `UserError` of the kind `usage`.
    init(_ arguments: ParsedArguments) throws {
        guard let name = arguments.value("--scenario"), let scenario = ScenarioCatalogue(rawValue: name) else {
            throw UserError(.usage, "--scenario is missing; known are \(Self.names.joined(separator: ", "))")
        }
        guard let folder = arguments.value("--out") else {
            throw UserError(.usage, "--out is missing (the folder of the new session)")
        }
        self.init(scenario: scenario, seed: UInt64(try arguments.integer("--seed", in: 0...Int.max) ?? 1), folder: folder)
        hfovDeg = try arguments.number("--hfov", in: 20...120) ?? hfovDeg
        framesPerSecond = try arguments.number("--fps", in: 1...120) ?? framesPerSecond
        width = try arguments.integer("--width", in: 160...3840) ?? width
        height = try arguments.integer("--height", in: 120...2160) ?? height
        guard width % 2 == 0, height % 2 == 0 else { throw UserError(.usage, "--width and --height must be even") }
        speedMps = try arguments.number("--speed", in: 20...130).map { $0 / 3.6 }
        durationS = try arguments.number("--duration", in: 0.1...600)
        replaces = arguments.has("--force")
    }

    static let names = ScenarioCatalogue.allCases.map(\.rawValue)

    /// The camera.
    public var camera: PinholeCamera {
        PinholeCamera(width: width, height: height, hfovDeg: hfovDeg, heightM: Street.cameraHeightM)
    }

    /// When the drive "took place": a spring morning, another minute for each seed.
    public var startedAt: Timestamp { Timestamp(millisecondsSinceEpoch: 1_777_881_600_000 + Int64(seed % 240) * 60_000) }
}
