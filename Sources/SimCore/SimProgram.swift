import FleetLoad
import FleetModel
import FleetRuntime

/// The program `fleet-sim`.
public enum SimProgram {
    /// Its commands.
    public static let program = Program(
        name: "fleet-sim", summary: "renders drives with exact truth, plays a whole fleet against a broker",
        commands: [drive, FleetCommand.command])

    private static let scenarioList =
        ScenarioCatalogue.allCases.map { "  \($0.rawValue.padded(to: 14))\($0.summary)" }.joined(separator: "\n")

    private static let drive = Command(
        "drive", "render a drive as a session: video, telemetry and the truth about every frame",
        discussion: """
            Scenarios:
            \(scenarioList)

            The same scenario, seed and camera give the same frames, telemetry and truth. A folder that is not empty is refused; with
            --force the files of an older session in it are replaced and other files stay.
            """,
        options: [
            .value("--scenario", "NAME", "which drive; see the list below", choices: DriveSettings.names),
            .value("--seed", "N", "colours, places and noise (default 1)"),
            .value("--out", "SESSION", "folder of the new session"),
            .value("--hfov", "DEG", "horizontal field of view, 20 to 120 (default 60)"),
            .value("--fps", "F", "frames a second, 1 to 120 (default 20)"),
            .value("--width", "PX", "even, 160 to 3840 (default 1280)"),
            .value("--height", "PX", "even, 120 to 2160 (default 720)"),
            .value(
                "--speed", "KMH",
                "speed towards the car ahead, 20 to 130 (stopped-lead, slower-lead, lead-brakes; default: by the seed)"),
            .value("--duration", "S", "seconds, 0.1 to 600 (default: the scenario's)"),
            .flag("--force", "replace a session that is in the folder already"),
        ]
    ) { arguments in
        let settings = try DriveSettings(arguments)
        let meter = ProgressMeter(title: "rendering \(settings.scenario.rawValue)")
        defer { meter.finish() }
        try DriveWriter(settings).write(progress: meter.show)
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
