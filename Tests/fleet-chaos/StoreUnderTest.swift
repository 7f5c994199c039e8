import FleetRuntime
import FleetStore
import FleetTestSupport
import Foundation
import Glibc
import SharedStore

/// The store that fleet-sync writes and that is read at the end: an SQLite file for one fleet-sync, or a PostgreSQL server for two.
final class StoreUnderTest {
    private enum Place {
        case file(String)
        case database(PostgreSQLServer, url: String)
    }

    private let place: Place
    /// Where fleet-sync keeps the alerts' pictures.
    let snapshots: SnapshotFolder
    private let snapshotPath: String

    /// A new store in `folder`. Throws `UserError` where the engine cannot be had.
    init(_ engine: ChaosSettings.Store, folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        snapshotPath = folder + "/snapshots"
        snapshots = SnapshotFolder(path: snapshotPath)
        switch engine {
        case .sqlite: place = .file(folder + "/fleet.db")
        case .postgres:
            guard PostgreSQLServer.isInstalled else { throw UserError(.unavailable, "--store postgres \(PostgreSQLServer.wanted)") }
            let server = try PostgreSQLServer()
            try server.start()
            place = .database(server, url: try server.newDatabase())
        }
    }

    /// How many instances of fleet-sync share it.
    var instances: Int { server == nil ? 1 : 2 }
    /// The lines below `store:` in fleet-sync's configuration.
    var configuration: String {
        let line =
            switch place {
            case .file(let path): "path: \(path)"
            case .database(_, let url): "url: \(url)"
            }
        return "  \(line)\n  snapshots: \(snapshotPath)"
    }
    /// Whether its files lie in the folder that was given.
    var isInFolder: Bool { server == nil }
    /// Whether it is a process of its own.
    var canBeKilled: Bool { server != nil }

    private var server: PostgreSQLServer? {
        if case .database(let server, _) = place { server } else { nil }
    }

    /// Kills the server and all its processes with -9.
    func kill() {
        guard let server, let text = try? String(contentsOfFile: server.folder.path("data/postmaster.pid"), encoding: .utf8),
            let first = text.split(separator: "\n").first, let postmaster = Int32(first)
        else { return }
        let children = (try? String(contentsOfFile: "/proc/\(postmaster)/task/\(postmaster)/children", encoding: .utf8)) ?? ""
        for process in [postmaster] + children.split(separator: " ").compactMap({ Int32($0) }) { _ = Glibc.kill(process, SIGKILL) }
    }

    /// Starts the server again; it needs a moment until what was killed is gone.
    func start() async throws {
        guard let server else { return }
        let isUp = await eventually(timeout: 30) { (try? server.start()) != nil }
        if !isUp { throw UserError(.unavailable, "PostgreSQL does not start again: \(server.log.suffix(500))") }
    }

    /// The store, to be read.
    func open() throws -> any AlertStore {
        switch place {
        case .file(let path):
            var settings = SQLiteStore.Settings()
            settings.isReadOnly = true
            return try SQLiteStore(path: path, settings: settings)
        case .database(_, let url): return try PostgreSQLStore(url: url, password: nil)
        }
    }
}
