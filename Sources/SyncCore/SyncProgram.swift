import FleetModel
import FleetRuntime
import FleetStore

/// `fleet-sync`: the fleet's server.
public enum SyncProgram {
    /// The program with all its commands.
    public static let program = Program(
        name: "fleet-sync", summary: "takes in the fleet's alerts, stores them, serves the fleet view",
        commands: [run, backup, decommission, ForgetCommand.command, AuditCommand.command] + TokenCommands.all + WebhookCommands.all
    )

    static let configurationOption = OptionSpec.value(
        "--config", "FILE", "configuration (default /etc/fleet-safety/sync.yaml)")

    private static let run = Command(
        "run", "take in, store and serve until SIGTERM or SIGINT; SIGHUP reads certificate and tokens anew",
        options: [
            configurationOption, .value("--ready-file", "FILE", "write the fleet view's URL to FILE once it can be asked for"),
        ]
    ) { arguments in
        let signals = StopSignals(takesReload: true, endsWithinS: 4)
        let service = try SyncService(configuration: configuration(arguments))
        try await service.run(until: signals, readyFile: arguments.value("--ready-file"))
    }

    private static let backup = Command(
        "backup", "copy the store and the pictures, while they are in use",
        discussion: """
            FILE becomes a copy of the store (of PostgreSQL what pg_restore reads), FILE.snapshots a copy of the pictures. To restore an SQLite
            store, stop the service, put FILE where store.path points and FILE.snapshots where store.snapshots points, and remove the old
            -wal and -shm.
            """,
        arguments: [ArgumentSpec("FILE", "the copy; replaced when it exists")],
        options: [configurationOption]
    ) { arguments in
        let file = try arguments.requiredArgument(0)
        let pictures = try await configuration(arguments).store.backup(to: file)
        StandardStreams.print("\(file) is the store, \(file).snapshots the pictures (\(pictures))")
    }

    private static let decommission = Command(
        "decommission", "take a vehicle that left the fleet off the broker and out of the list; its alerts stay",
        discussion: "Status 66: no such vehicle in the list. `forget` erases its alerts too.",
        arguments: [ArgumentSpec("FLEET", "its fleet"), ArgumentSpec("VEHICLE", "its name")],
        options: [configurationOption]
    ) { arguments in
        let vehicle = try vehicle(arguments)
        let configuration = try configuration(arguments)
        let store = try configuration.store.open(isSole: false)
        guard try await store.vehicles().contains(where: { $0.identity == vehicle }) else {
            throw UserError(.noInput, "no vehicle \(vehicle) in the list")
        }
        try await Decommission(configuration: configuration, store: store).run(vehicle)
        try await ConsoleAudit.record("decommission", "\(vehicle)", in: store)
        StandardStreams.print("\(vehicle) is off the list")
    }

    /// The vehicle that the first two arguments name.
    static func vehicle(_ arguments: ParsedArguments) throws -> VehicleIdentity {
        let names = (try arguments.requiredArgument(0), try arguments.requiredArgument(1))
        guard let vehicle = VehicleIdentity(fleet: names.0, vehicle: names.1) else {
            throw UserError(.usage, "fleet and vehicle are names of 1 to 64 letters, digits, _ and -")
        }
        return vehicle
    }

    static func configuration(_ arguments: ParsedArguments) throws -> SyncConfiguration {
        try SyncConfiguration(path: arguments.value("--config") ?? "/etc/fleet-safety/sync.yaml")
    }
}
