import FleetModel
import FleetRuntime
import FleetStore
import FleetTestSupport
import Foundation
import Testing

@Suite("The SQLite store")
struct SQLiteStoreTests {
    private func error(_ body: () throws -> Void) -> UserError? {
        do { try body() } catch let error as UserError { return error } catch {}
        return nil
    }

    @Test("keeps everything over a new start, numbers included")
    func reopening() async throws {
        let folder = try TemporaryFolder()
        do {
            let store = try SQLiteStore(path: folder.path("fleet.db"))
            _ = try await store.store([StoreFixture.arriving(SampleAlerts.alert(1))])
        }
        let store = try SQLiteStore(path: folder.path("fleet.db"))
        #expect(try await store.latestCursor() == 1)
        #expect(try await store.store([StoreFixture.arriving(SampleAlerts.alert(2))]) == [.stored(cursor: 2)])
    }

    @Test("a second service on the same store is refused in one line")
    func sole() throws {
        let folder = try TemporaryFolder()
        var settings = SQLiteStore.Settings()
        settings.isSole = true
        let first = try SQLiteStore(path: folder.path("fleet.db"), settings: settings)
        let refusal = error { _ = try SQLiteStore(path: folder.path("fleet.db"), settings: settings) }
        #expect(refusal?.code == .unavailable)
        #expect(refusal?.message.contains("another fleet-sync serves this store") == true)
        withExtendedLifetime(first) {}
    }

    @Test("a file that is no store, a missing folder and a missing file to read are told apart")
    func wrongFiles() throws {
        let folder = try TemporaryFolder()
        try Data(repeating: 0x41, count: 8192).write(to: URL(filePath: folder.path("text.db")))
        #expect(error { _ = try SQLiteStore(path: folder.path("text.db")) }?.code == .badData)
        #expect(error { _ = try SQLiteStore(path: folder.path("none/fleet.db")) }?.code == .noInput)
        var reading = SQLiteStore.Settings()
        reading.isReadOnly = true
        #expect(error { _ = try SQLiteStore(path: folder.path("fleet.db"), settings: reading) }?.code == .noInput)
    }

    @Test("a store that is being written is read by another process and copied by backup")
    func readersAndBackup() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder.path("fleet.db"))
        _ = try await store.store([StoreFixture.arriving(SampleAlerts.alert(1))])
        var reading = SQLiteStore.Settings()
        reading.isReadOnly = true
        let reader = try SQLiteStore(path: folder.path("fleet.db"), settings: reading)
        #expect(try await reader.alerts(AlertQuery()).alerts.count == 1)
        try await reader.backup(to: folder.path("copy.db"))
        _ = try await store.store([StoreFixture.arriving(SampleAlerts.alert(2))])
        let copy = try SQLiteStore(path: folder.path("copy.db"), settings: reading)
        #expect(try await copy.alerts(AlertQuery()).alerts.count == 1)
        #expect(try await reader.alerts(AlertQuery()).alerts.count == 2)
    }
}
