import FleetModel
import FleetRuntime
import FleetStore
import FleetTestSupport
import Foundation
import PostgreSQL
import SharedStore
import Testing

@Suite("The PostgreSQL store", .enabled(if: PostgreSQLServer.isInstalled, "needs PostgreSQL (Debian: postgresql)"))
struct PostgreSQLStoreTests {
    private func message(_ url: String) -> String? {
        do { _ = try PostgreSQLStore(url: url, password: nil) } catch let error as UserError { return error.message } catch {}
        return nil
    }

    @Test("keeps everything over a new start, and instances that start at once make the tables once")
    func startingTogether() async throws {
        let url = try PostgreSQLServer.shared().newDatabase()
        let stores = try await withThrowingTaskGroup(of: PostgreSQLStore.self) { group in
            for _ in 0..<3 { group.addTask { try PostgreSQLStore(url: url, password: nil) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        _ = try await stores[0].store([StoreFixture.arriving(SampleAlerts.alert(1))])
        #expect(try await stores[1].latestCursor() == 1)
        #expect(try await stores[2].store([StoreFixture.arriving(SampleAlerts.alert(1))]) == [.duplicate])
        #expect(try await PostgreSQLStore(url: url, password: nil).totals().alerts == 1)
    }

    @Test("no reader skips a change that commits late, whatever number of instances write")
    func cursorAcrossInstances() async throws {
        let url = try PostgreSQLServer.shared().newDatabase()
        let stores = try (0..<3).map { _ in try PostgreSQLStore(url: url, password: nil) }
        let each = 60
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (writer, store) in stores.enumerated() {
                group.addTask {
                    // Half of what an instance gets another gets too, as after a connection that was lost.
                    for n in 0..<each {
                        let shared = n % 2 == 0 ? n : writer * 1000 + n
                        _ = try await store.store([
                            StoreFixture.arriving(SampleAlerts.alert(shared)),
                            StoreFixture.arriving(SampleAlerts.alert(5000 - shared)),
                        ])
                    }
                }
            }
            let reader = try PostgreSQLStore(url: url, password: nil)
            var seen: [AlertID] = []
            var cursor: Int64 = 0
            let expected = 2 * (each / 2 + stores.count * each / 2)
            let isComplete = try await eventually(timeout: 60) {
                let page = try await reader.changes(after: cursor, AlertQuery(limit: 7))
                seen += page.alerts.map(\.alert.id)
                cursor = page.nextCursor
                return seen.count >= expected
            }
            #expect(isComplete)
            #expect(Set(seen).count == seen.count)
            try await group.waitForAll()
            #expect(try await reader.totals().alerts == Int64(expected))
        }
    }

    @Test("what one instance stores wakes the readers of another")
    func notification() async throws {
        let url = try PostgreSQLServer.shared().newDatabase()
        let (first, second) = (try PostgreSQLStore(url: url, password: nil), try PostgreSQLStore(url: url, password: nil))
        var changes = second.changesElsewhere().makeAsyncIterator()
        await changes.next()
        let begun = MonotonicTime.now()
        _ = try await first.store([StoreFixture.arriving(SampleAlerts.alert(1))])
        while try await second.latestCursor() < 1 { await changes.next() }
        await changes.next()
        #expect(MonotonicTime.now() - begun < 2)
    }

    @Test("a server that dies is found again; what was not stored then can be stored, what was is a duplicate")
    func restart() async throws {
        let server = try PostgreSQLServer()
        try server.start()
        let store = try PostgreSQLStore(url: server.newDatabase(), password: nil)
        let item = try StoreFixture.arriving(SampleAlerts.alert(1))
        #expect(try await store.store([item]) == [.stored(cursor: 1)])
        server.kill()
        await #expect(throws: PostgreSQLError.self) { try await store.store([item]) }
        await #expect(throws: PostgreSQLError.self) { try await store.alerts(AlertQuery()) }
        try server.start()
        #expect(try await store.alerts(AlertQuery()).alerts.count == 1)
        #expect(try await store.store([item, StoreFixture.arriving(SampleAlerts.alert(2))]) == [.duplicate, .stored(cursor: 3)])
    }

    @Test("a topic with a zero character, which the server takes in no text, holds nothing up")
    func zeroCharacter() async throws {
        let fixture = try StoreFixture(.postgresql)
        let bad = IncomingItem.quarantine(topic: "a\0b", payload: Data([0]), reason: "c\0d", receivedAt: StoreFixture.at)
        let outcomes = try await fixture.store.store([bad, StoreFixture.arriving(SampleAlerts.alert(1))])
        #expect(outcomes == [.stored(cursor: 0), .stored(cursor: 1)])
    }

    @Test("a password in the URL, a network without a word on encryption and a server that is away are told apart in one line each")
    func refusals() throws {
        #expect(message("postgres://fleet:secret@127.0.0.1/fleet")?.contains("holds a password") == true)
        #expect(message("postgres://fleet@127.0.0.1/fleet?password=secret")?.contains("holds a password") == true)
        #expect(message("postgres://fleet:sec/ret@db:x/fleet")?.contains("sec") == false)
        #expect(message("postgres://fleet@db.example.org/fleet")?.contains("sslmode=verify-full") == true)
        #expect(message("postgres://fleet@127.0.0.1:\(FreePort.next())/fleet")?.contains("cannot be used") == true)
        let port = try PostgreSQLServer.shared().port
        #expect(message("postgres://fleet@127.0.0.1:\(port)/nowhere")?.contains("\"nowhere\" does not exist") == true)
    }

    @Test("a client that stands still within a transaction, or has gone, does not hold the others up: the server ends it")
    func serverSide() throws {
        let address = try PostgreSQLAddress(PostgreSQLServer.shared().newDatabase())
        let connection = try PostgreSQLConnection(address, password: nil, name: "test", timeoutS: 42)
        let settings = try ["idle_in_transaction_session_timeout", "statement_timeout"].map {
            try connection.query("SHOW \($0)").string(0, 0)
        }
        #expect(settings == ["10s", "42s"])
    }

    @Test("a backup by pg_dump holds what was stored")
    func backup() async throws {
        let fixture = try StoreFixture(.postgresql)
        try await fixture.store(StoreFixture.arriving(SampleAlerts.alert(1)))
        try await fixture.store.backup(to: fixture.folder.path("copy.dump"))
        let attributes = try FileManager.default.attributesOfItem(atPath: fixture.folder.path("copy.dump"))
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let bytes = try Data(contentsOf: URL(filePath: fixture.folder.path("copy.dump")))
        #expect(bytes.starts(with: Data("PGDMP".utf8)))
    }
}
