import Capture
import FleetModel
import FleetRuntime

/// `fleet-agent session info` and `session import`: what a recording holds, and a recording made of footage and a track.
enum SessionCommand {
    static let importing = Command(
        "session import", "make a session of a dashcam's video and the track of the same drive",
        discussion: """
            TRACK is GPX or an NMEA log, with times. Video and track are laid side by side by the time at which the video says it was made,
            where that lies within the track; else by --video-start (the time of the first frame) or --offset (the second of the video to which
            the track's first point belongs). A track without speeds gets them from its places. --config gives vehicle and calibration.
            """,
        options: [
            .value("--video", "FILE", "the video"), .value("--track", "FILE", "the track, .gpx or .nmea"),
            .value("--out", "SESSION", "the folder to make"),
            .value("--video-start", "TIME", "when the first frame was taken, e.g. 2026-03-01T08:15:02Z"),
            .value("--offset", "SECONDS", "video time of the track's first point; negative when the track began before"),
            .value("--vehicle", "NAME", "name of the vehicle (default vehicle)"),
            .value("--config", "FILE", "agent configuration with vehicle and camera"),
        ], run: runImport)

    private static func runImport(_ arguments: ParsedArguments) async throws {
        func required(_ name: String, _ what: String) throws -> String {
            guard let value = arguments.value(name) else { throw UserError(.usage, "\(name) is missing (\(what))") }
            return value
        }
        let (video, track) = (try required("--video", "the video"), try required("--track", "a GPX or NMEA file"))
        let out = try required("--out", "the session folder to make")
        let configuration = try arguments.value("--config").map { try AgentConfiguration(path: $0) }
        let summary = try SessionImport(video: video, track: track, alignment: alignment(arguments)).run(
            into: out, vehicle: arguments.value("--vehicle") ?? configuration?.identity.vehicle ?? Session.unnamedVehicle,
            camera: configuration?.camera.calibration())
        StandardStreams.print(
            "\(out): video from \(summary.startedAt), \(summary.frames.map { "\($0) frames" } ?? "unknown length"), \(summary.lines) track points, \(summary.linesWithin) within the video"
        )
        if summary.leftOut > 0 {
            StandardStreams.print("left out: \(summary.leftOut) track points without a time, or whose time runs back")
        }
        if summary.hasDerivedSpeeds { StandardStreams.print("the track has no speeds: they come from its places") }
    }

    private static func alignment(_ arguments: ParsedArguments) throws -> SessionImport.Alignment {
        if let text = arguments.value("--video-start") {
            guard arguments.value("--offset") == nil else {
                throw UserError(.usage, "--video-start and --offset exclude each other")
            }
            guard let time = Timestamp(text) else {
                throw UserError(.usage, "--video-start \(text): must be a time like 2026-03-01T08:15:02Z")
            }
            return .startedAt(time)
        }
        return try arguments.number("--offset", in: -1e7...1e7).map(SessionImport.Alignment.trackStartsAtS) ?? .byVideoDate
    }

    static let info = Command(
        "session info", "say what a recorded session holds", arguments: [ArgumentSpec("SESSION", "session folder or video file")],
        options: [.flag("--json", "one JSON object")], run: run)

    private static func run(_ arguments: ParsedArguments) async throws {
        let summary = try SessionSummary(of: Session.open(arguments.requiredArgument(0)))
        guard !arguments.has("--json") else {
            return StandardStreams.print(String(decoding: try WireCodec.encode(summary), as: UTF8.self))
        }
        func number(_ value: Double?, _ unit: String) -> String { value.map { "\($0.rounded(toPlaces: 2)) \(unit)" } ?? "unknown" }
        let late = summary.lateTelemetryLines > 0 ? ", \(summary.lateTelemetryLines) left out because their time ran back" : ""
        for (name, value) in [
            ("vehicle", summary.vehicle.printable), ("started", summary.startedAt.description),
            (
                "frames",
                "\(summary.frames.map(String.init) ?? "unknown"), \(summary.width) x \(summary.height), \(summary.pictures)"
            ),
            ("rate", number(summary.framesPerSecond, "frames/s")), ("duration", number(summary.durationS, "s")),
            ("calibrated", summary.isCalibrated ? "yes" : "no: distances stay unknown"),
            ("telemetry", summary.telemetryLines == 0 ? "none: own speed unknown" : "\(summary.telemetryLines) lines\(late)"),
            ("digest", summary.digest),
        ] {
            StandardStreams.print(name + String(repeating: " ", count: 12 - name.count) + value)
        }
    }
}
