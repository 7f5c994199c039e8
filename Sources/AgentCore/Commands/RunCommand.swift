import FleetRuntime

/// `fleet-agent run`: the agent in the vehicle.
enum RunCommand {
    static let command = Command(
        "run", "watch camera and gpsd, raise alerts, deliver them, until SIGTERM or SIGINT",
        options: [.value("--config", "FILE", "configuration (default /etc/fleet-safety/agent.yaml)")], run: run)

    private static func run(_ arguments: ParsedArguments) async throws {
        let signals = StopSignals(endsWithinS: 4)
        let configuration = try AgentConfiguration(path: arguments.value("--config") ?? "/etc/fleet-safety/agent.yaml")
        try await AgentService(configuration: configuration).run(until: signals)
    }
}
