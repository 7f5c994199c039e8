import FleetModel
import FleetRuntime
import FleetStore

/// `fleet-sync forget`: erases what is known of a vehicle, on request of the people who drove it.
enum ForgetCommand {
    static let command = Command(
        "forget", "erase a vehicle's alerts, pictures, reviews and tracks for good",
        discussion: """
            Without --before everything that names the vehicle goes, also from the broker and the list of vehicles. With it the alerts that
            began before TIME and their pictures. The service may be running. Copies elsewhere are not reached: backups, exports, what webhooks
            were told; docs/privacy.md says what to do with them. The audit log notes who did it and how much went.
            """,
        arguments: [ArgumentSpec("FLEET", "its fleet"), ArgumentSpec("VEHICLE", "its name")],
        options: [
            SyncProgram.configurationOption,
            .value("--before", "TIME", "only what began before TIME: a day (2026-03-01) or a time (2026-03-01T08:15:02Z)"),
        ]
    ) { arguments in
        let vehicle = try SyncProgram.vehicle(arguments)
        let before = try arguments.value("--before").map(moment)
        let configuration = try SyncProgram.configuration(arguments)
        let store = try configuration.store.open(isSole: false)
        try await check(vehicle, store)
        if before == nil { try await Decommission(configuration: configuration, store: store).run(vehicle) }
        let gone = try await Erasure(store: store, snapshots: SnapshotFolder(path: configuration.store.snapshotPath))
            .erase(vehicle, before: before)
        let words = "\(vehicle)\(before.map { ", before \($0)" } ?? ""): \(gone.alerts) alerts, \(gone.pictures) pictures"
        try await ConsoleAudit.record("forget", words, in: store)
        StandardStreams.print("erased of \(words)")
    }

    private static func moment(_ text: String) throws -> Timestamp {
        guard let time = Timestamp(text) ?? Timestamp(text + "T00:00:00Z") else {
            throw UserError(.usage, "--before \(text): give a day (2026-03-01) or a time (2026-03-01T08:15:02Z)")
        }
        return time
    }

    private static func check(_ vehicle: VehicleIdentity, _ store: any AlertStore) async throws {
        var query = AlertQuery(limit: 1)
        (query.fleet, query.vehicle) = (vehicle.fleet, vehicle.vehicle)
        let isListed = try await store.vehicles().contains { $0.identity == vehicle }
        guard isListed ? true : try await !store.alerts(query).alerts.isEmpty else {
            throw UserError(.noInput, "no vehicle \(vehicle), and no alert of it")
        }
    }
}

/// Erases a vehicle from the store and the pictures' folder, a little at a time, so that a running service goes on.
struct Erasure: Sendable {
    let store: any AlertStore
    let snapshots: SnapshotFolder

    func erase(_ vehicle: VehicleIdentity, before: Timestamp?) async throws -> (alerts: Int, pictures: Int) {
        var alerts = 0
        while case let count = try await store.forget(vehicle, before: before), count > 0 { alerts += count }
        // Pictures follow their alerts, whenever they were taken.
        var orphans: [AlertID] = []
        for id in await snapshots.alerts(of: vehicle) {
            let hasAlert = before == nil ? false : try await store.history(of: id).contains { $0.alert.identity == vehicle }
            if !hasAlert { orphans.append(id) }
        }
        return (alerts, await snapshots.remove(orphans, of: vehicle))
    }
}
