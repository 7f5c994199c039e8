import FleetModel
import FleetRuntime
import FleetStore
import FleetTestSupport
import Foundation
import Testing

@testable import CLICore

@Suite("Reading a store's file")
struct DatabaseSourceTests {
    private func store(_ alerts: [Alert], at path: String) async throws -> SQLiteStore {
        let store = try SQLiteStore(path: path)
        // swift-format-ignore: NeverUseForceTry
        _ = try await store.store(alerts.map { .alert($0, payload: try! WireCodec.encode($0), receivedAt: $0.at) })
        return store
    }

    @Test("Pages are joined up to the wanted count, the newest first, and more is told")
    func paging() async throws {
        let folder = try TemporaryFolder()
        let store = try await store((0..<2500).map { SampleAlerts.alert($0) }, at: folder.path("a.db"))
        let source = try DatabaseSource(path: folder.path("a.db"))
        let some = try await source.alerts(AlertQuery(), count: 1500)
        #expect(some.alerts.count == 1500)
        #expect(some.areThereMore)
        #expect(Set(some.alerts.map(\.cursor)).count == 1500)
        #expect(some.cursor == 2500)
        #expect(some.alerts.first?.cursor == 2500)
        let all = try await source.alerts(AlertQuery(), count: 10_000)
        #expect(all.alerts.count == 2500)
        #expect(!all.areThereMore)
        _ = store
    }

    @Test("D8 following gives every change once, in order, also those written meanwhile", .timeLimit(.minutes(1)))
    func following() async throws {
        let folder = try TemporaryFolder()
        let store = try await store([SampleAlerts.alert(1)], at: folder.path("a.db"))
        let source = try DatabaseSource(path: folder.path("a.db"))
        let start = try await source.alerts(AlertQuery(), count: 10).cursor
        var changes = source.changes(after: start, AlertQuery()).makeAsyncIterator()
        for episode in 2...3 {
            let alert = SampleAlerts.alert(episode)
            _ = try await store.store([.alert(alert, payload: WireCodec.encode(alert), receivedAt: alert.at)])
            #expect(try await changes.next()?.alert.id == alert.id)
        }
        let end = SampleAlerts.alert(2, revision: 2, phase: .end)
        _ = try await store.store([.alert(end, payload: WireCodec.encode(end), receivedAt: end.at)])
        let last = try await changes.next()
        #expect(last?.alert.revision == 2)
        #expect(last?.cursor == 4)
    }

    @Test("A file that is missing or no store is told in one line")
    func wrongFiles() throws {
        let folder = try TemporaryFolder()
        do {
            _ = try DatabaseSource(path: folder.path("none.db"))
            Issue.record("opened a missing file")
        } catch let error as UserError { #expect(error.code == .noInput) }
        #expect(!FileManager.default.fileExists(atPath: folder.path("none.db")))
        try Data("no database at all, just text that is long enough to be looked at".utf8).write(
            to: URL(filePath: folder.path("text")))
        do {
            _ = try DatabaseSource(path: folder.path("text"))
            Issue.record("opened a text")
        } catch let error as UserError { #expect(error.code == .badData) }
    }
}

@Suite("The program")
struct CLIProgramTests {
    @Test(
        "What the reader got wrong ends with 64, what is not there with 66, who does not answer with 69",
        arguments: [
            ("alerts --since never", 64), ("alerts --csv --json", 64), ("alerts --follow --until 1h", 64),
            ("alerts --server ftp://x", 64),
            ("alerts --server http://u:secret@h", 64), ("alerts --db x --server http://h", 64), ("alerts --vehicle a/b/c", 64),
            ("alerts --limit 0", 64),
            ("alerts --since 1h --until 2h", 64), ("show", 64), ("show 12345", 64), ("stats --by week", 64), ("vehicles extra", 64),
            ("alerts --db /nonexistent/store.db", 66), ("vehicles --ca /nonexistent/ca.pem", 66),
            ("stats --server http://127.0.0.1:1", 69),
            ("alerts --help", 0), ("--version", 0),
        ])
    func status(line: String, expected: Int32) async {
        #expect(await CLIProgram.program.run(line.split(separator: " ").map(String.init)) == expected, "\(line)")
    }
}
