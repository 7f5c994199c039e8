import FleetRuntime

/// `fleet-cli`: the operator's desk.
public enum CLIProgram {
    /// The program with all its commands.
    public static let program = Program(
        name: "fleet-cli", summary: "lists and follows alerts, shows vehicles and statistics, makes maps of speed limits",
        commands: [
            AlertsCommand.command, ShowCommand.command, VehiclesCommand.command, StatsCommand.command, MapCommand.importing,
            MapCommand.lookup,
        ])
}
