import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import SQLite
import Testing

@testable import FleetStore

@Suite("The SQLite store")
struct SQLiteStoreTests {
    private func error(_ body: () throws -> Void) -> UserError? {
        do { try body() } catch let error as UserError { return error } catch {}
        return nil
    }

    @Test("keeps everything over a new start, numbers included")
    func reopening() async throws {
        let folder = try TemporaryFolder()
        let key: String
        do {
            let store = try SQLiteStore(path: folder.path("fleet.db"))
            key = store.shareKey
            _ = try await store.store([StoreFixture.arriving(SampleAlerts.alert(1))])
        }
        let store = try SQLiteStore(path: folder.path("fleet.db"))
        #expect(store.shareKey == key)
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

    @Test("a store of the first version is brought up to date with all it holds, and numbers go on where they were")
    func migration() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("fleet.db")
        do {
            let old = try Database(path: path)
            try old.migrate([SQLiteSchema.steps[0]])
            // Two revisions of one alert; the row of a third, the highest number so far, is gone.
            for (cursor, revision) in [(1, 1), (2, 2), (3, 9)] {
                let alert = SampleAlerts.alert(1, revision: revision, phase: revision == 1 ? .start : .update)
                try old.run(
                    "INSERT INTO revisions(fleet, vehicle, id, revision, received_ms, late, payload) VALUES(?,?,?,?,?,?,?)",
                    .text("demo"), .text("truck-17"), .text(alert.id.description), .integer(revision), .integer(cursor),
                    .integer(0),
                    .blob(try WireCodec.encode(alert)))
            }
            try old.run("DELETE FROM revisions WHERE revision=9")
            try old.run(
                """
                INSERT INTO alerts(fleet, vehicle, id, revision, cursor, started_ms, kind, severity, origin)
                VALUES('demo', 'truck-17', ?, 2, 2, 1772352000000, 'overspeed', 2, 'live')
                """, .text(SampleAlerts.id(1).description))
            try old.run("INSERT INTO quarantine(received_ms, topic, reason, payload) VALUES(1, 't', 'r', x'00')")
        }
        var reading = SQLiteStore.Settings()
        reading.isReadOnly = true
        #expect(error { _ = try SQLiteStore(path: path, settings: reading) }?.message.contains("older version") == true)
        let store = try SQLiteStore(path: path)
        #expect(try await store.alerts(AlertQuery()).alerts.map(\.alert.revision) == [2])
        #expect(try await store.history(of: SampleAlerts.id(1)).map(\.cursor) == [1, 2])
        let totals = try await store.totals()
        #expect((totals.alerts, totals.revisions, totals.quarantined, totals.quarantinedBytes) == (1, 2, 1, 257))
        let again = try StoreFixture.arriving(SampleAlerts.alert(1, revision: 2, phase: .update))
        #expect(try await store.store([again, StoreFixture.arriving(SampleAlerts.alert(2))]) == [.duplicate, .stored(cursor: 4)])
    }
}
