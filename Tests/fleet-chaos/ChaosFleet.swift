import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Glibc

/// A whole fleet on the loopback whose parts can be broken and repaired: vehicles, broker, fleet-sync, the network between them.
final class ChaosFleet {
    /// Mebibytes of a vehicle's small disk: room for all its rows and the log of its database.
    private static let vehicleDiskMiB = 24
    private static let storeDiskMiB = 256
    /// Vehicles with a small disk, where such are allowed.
    private static let smallDisks = 2

    let settings: ChaosSettings
    let store: StoreUnderTest
    let vehicles: [ChaosVehicle]
    private let folder: TemporaryFolder
    private let broker: MosquittoBroker
    private let vehicleNetwork: TCPProxy
    private let syncNetwork: TCPProxy
    private var syncs: [ChaosPart] = []
    private let storeDisk: SmallDisk?

    /// Builds everything in a folder of its own; nothing but the broker runs yet.
    init(_ settings: ChaosSettings) async throws {
        self.settings = settings
        let folder = try TemporaryFolder()
        self.folder = folder
        let logs = settings.logFolder ?? folder.path("logs")
        try FileManager.default.createDirectory(atPath: logs, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: folder.path("broker"), withIntermediateDirectories: true)
        broker = try await MosquittoBroker(settings: [
            "persistence true", "persistence_location \(folder.path("broker"))/", "autosave_on_changes false",
            "autosave_interval 1",
            "max_inflight_messages 100", "max_queued_messages 100000", "max_packet_size 262144",
        ])
        vehicleNetwork = TCPProxy(to: broker.port)
        syncNetwork = TCPProxy(to: broker.port)
        storeDisk = SmallDisk.areAllowed ? SmallDisk(at: folder.path("store"), mebibytes: Self.storeDiskMiB) : nil
        store = try StoreUnderTest(settings.store, folder: folder.path("store"))
        let share = (settings.alerts + settings.vehicles - 1) / settings.vehicles
        // A little faster than needed: a killed vehicle raises nothing until it is back.
        let rate = Double(share) / max(1, settings.gapS * Double(settings.kills)) * 1.25
        let url = "mqtt://127.0.0.1:\(vehicleNetwork.port)"
        vehicles = try (0..<settings.vehicles).map { number in
            try ChaosVehicle(
                number: number, folder: folder.path("vehicle-\(number + 1)"),
                diskMiB: number < Self.smallDisks ? Self.vehicleDiskMiB : nil,
                broker: url, alerts: share, rate: rate, hurry: settings.hurry, logs: logs)
        }
        syncs = try (0..<store.instances).map { number in
            let path = folder.path("sync-\(number + 1).yaml")
            try """
            instance: sync-\(number + 1)
            store:
            \(store.configuration)
            mqtt:
              url: mqtt://127.0.0.1:\(syncNetwork.port)
            http:
              bind: 127.0.0.1:0
            """.write(toFile: path, atomically: true, encoding: .utf8)
            return ChaosPart(
                name: "sync-\(number + 1)", program: "fleet-sync", arguments: ["run", "--config", path],
                log: "\(logs)/sync-\(number + 1).log",
                // Without its database it cannot start, says so and ends.
                expected: store.canBeKilled ? [ExitCode.unavailable.rawValue] : [])
        }
    }

    /// What a plan can break here.
    var targets: FaultPlan.Targets {
        FaultPlan.Targets(
            vehicles: vehicles.count, syncs: syncs.count, smallDisks: vehicles.count { $0.disk != nil },
            storeHasSmallDisk: storeDisk != nil && store.isInFolder, hasDatabase: store.canBeKilled)
    }

    private var parts: [ChaosPart] { syncs + vehicles.map(\.part) }

    /// Processes that ended though nobody had asked them to.
    var unasked: [String] { parts.flatMap(\.unasked) }

    /// Starts every process.
    func start() throws { for part in parts { try part.start() } }

    /// Breaks what the step says, or repairs it.
    func apply(_ step: FaultPlan.Step) async throws {
        let begins = step.begins
        switch step.fault {
        case .vehicleKilled: try await toggle(vehicles[step.victim].part, begins)
        case .syncKilled: try await toggle(syncs[step.victim], begins)
        case .brokerKilled: try await toggleBroker(begins)
        case .brokerStateLost:
            try await toggleBroker(begins) { try? FileManager.default.removeItem(atPath: self.folder.path("broker/mosquitto.db")) }
        case .databaseKilled: if begins { store.kill() } else { try await store.start() }
        case .vehiclesCutOff: begins ? vehicleNetwork.cut(isOpen: false) : vehicleNetwork.open()
        case .syncCutOff: begins ? syncNetwork.cut(isOpen: false) : syncNetwork.open()
        case .brokerFrozen: begins ? broker.pause() : broker.resume()
        case .syncFrozen: syncs[step.victim].signal(begins ? SIGSTOP : SIGCONT)
        case .vehicleDiskFull: begins ? vehicles[step.victim].disk?.fill() : vehicles[step.victim].disk?.free()
        case .storeDiskFull: begins ? storeDisk?.fill() : storeDisk?.free()
        }
    }

    private func toggle(_ part: ChaosPart, _ begins: Bool) async throws {
        if begins { await part.kill() } else { try part.start() }
    }

    private func toggleBroker(_ begins: Bool, whileDown: () -> Void = {}) async throws {
        guard begins else { return try await broker.start() }
        await broker.kill()
        whileDown()
    }

    /// Starts again what ended by itself.
    func revive() async throws { for part in parts { try await part.revive() } }

    /// Ends every process as a service manager does; returns how some did not end well.
    func end() async -> [String] {
        var bad: [String] = []
        // The vehicles first: their last receipts come from fleet-sync.
        for part in vehicles.map(\.part) + syncs { if let failure = await part.end() { bad.append(failure) } }
        await broker.stop()
        return bad
    }
}
