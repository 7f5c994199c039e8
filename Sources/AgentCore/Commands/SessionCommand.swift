import Capture
import FleetModel
import FleetRuntime

/// `fleet-agent session info`: what a recording holds.
enum SessionCommand {
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
