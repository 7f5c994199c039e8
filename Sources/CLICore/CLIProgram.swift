import FleetRuntime

/// `fleet-cli`: the operator's desk.
public enum CLIProgram {
    /// The program with all its commands.
    public static let program = Program(
        name: "fleet-cli", summary: "lists, follows and reviews alerts, shows vehicles and statistics, makes maps of speed limits",
        commands: [
            AlertsCommand.command, ShowCommand.command, ReviewCommand.command, VehiclesCommand.command, StatsCommand.command,
            ExportCommand.command, MapCommand.importing, MapCommand.lookup,
        ],
        environment: [
            ("FLEET_SERVER", "address of the fleet server where --server is not given"),
            ("FLEET_TOKEN_FILE", "file whose first line is the access token; only its owner may be able to read it"),
            ("NO_COLOR", "anything: no colour"), ("TZ", "the time zone of what is shown"),
        ])
}
