import FleetRuntime
import FleetStore
import Foundation

/// The store that fleet-sync writes and that is read at the end.
final class StoreUnderTest {
    /// How many instances of fleet-sync share it.
    let instances: Int
    /// The lines below `store:` in fleet-sync's configuration.
    let configuration: String
    /// Whether its files lie in the folder that was given.
    let isInFolder: Bool
    /// Whether it is a process of its own.
    let canBeKilled: Bool
    private let path: String

    /// A new store in `folder`. Throws `UserError` where the engine cannot be had.
    init(_ engine: ChaosSettings.Store, folder: String) throws {
        guard engine == .sqlite else {
            throw UserError(.unavailable, "--store postgres: this build of fleet-sync has no PostgreSQL store; use --store sqlite")
        }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        path = folder + "/fleet.db"
        instances = 1
        configuration = "  path: \(path)"
        isInFolder = true
        canBeKilled = false
    }

    func kill() async {}
    func start() async throws {}

    /// The store, to be read.
    func open() throws -> any AlertStore {
        var settings = SQLiteStore.Settings()
        settings.isReadOnly = true
        return try SQLiteStore(path: path, settings: settings)
    }
}
