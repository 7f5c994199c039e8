import FleetRuntime

/// `fleet-agent`: what runs in the vehicle.
public enum AgentProgram {
    /// The program with all its commands.
    public static let program = Program(
        name: "fleet-agent", summary: "watches the road and the speed, raises alerts, delivers them",
        commands: [
            RunCommand.command, ReplayCommand.command, RecordCommand.command, SessionCommand.importing, SessionCommand.info,
            DetectCommand.command,
            CheckCommand.command, OutboxCommand.list, OutboxCommand.retry,
        ])
}
