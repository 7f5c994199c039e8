import FleetModel
import FleetRuntime
import FleetStore

/// `fleet-sync`: the fleet's server.
public enum SyncProgram {
    /// The program with all its commands.
    public static let program = Program(
        name: "fleet-sync", summary: "takes in the fleet's alerts, stores them, serves the fleet view",
        commands: [run, backup, decommission] + TokenCommands.all)

    static let configurationOption = OptionSpec.value(
        "--config", "FILE", "configuration (default /etc/fleet-safety/sync.yaml)")

    private static let run = Command(
        "run", "take in, store and serve until SIGTERM or SIGINT; SIGHUP reads certificate and tokens anew",
        options: [
            configurationOption, .value("--ready-file", "FILE", "write the fleet view's URL to FILE once it can be asked for"),
        ]
    ) { arguments in
        let signals = StopSignals(takesReload: true)
        let service = try SyncService(configuration: configuration(arguments))
        try await service.run(until: signals, readyFile: arguments.value("--ready-file"))
    }

    private static let backup = Command(
        "backup", "copy the store, while it is in use, into a new file",
        arguments: [ArgumentSpec("FILE", "the copy; replaced when it exists")],
        options: [configurationOption]
    ) { arguments in
        try await configuration(arguments).store.backup(to: arguments.requiredArgument(0))
    }

    private static let decommission = Command(
        "decommission", "take a vehicle that left the fleet off the broker and out of the list; its alerts stay",
        arguments: [ArgumentSpec("FLEET", "its fleet"), ArgumentSpec("VEHICLE", "its name")],
        options: [configurationOption]
    ) { arguments in
        let names = (try arguments.requiredArgument(0), try arguments.requiredArgument(1))
        guard let vehicle = VehicleIdentity(fleet: names.0, vehicle: names.1) else {
            throw UserError(.usage, "fleet and vehicle are names of 1 to 64 letters, digits, _ and -")
        }
        try await Decommission(configuration: configuration(arguments)).run(vehicle)
        StandardStreams.print("\(vehicle) is off the list")
    }

    static func configuration(_ arguments: ParsedArguments) throws -> SyncConfiguration {
        try SyncConfiguration(path: arguments.value("--config") ?? "/etc/fleet-safety/sync.yaml")
    }
}
