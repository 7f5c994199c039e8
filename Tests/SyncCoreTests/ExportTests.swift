import FleetModel
import FleetStore
import FleetTestSupport
import Foundation
import HTTPClient
import HTTPServer
import Synchronization
import Testing

@testable import SyncCore

@Suite("Exports")
struct ExportTests {
    /// The file that a running server hands out.
    private func export(_ fixture: APIFixture, _ query: [(String, String)]) async throws -> String {
        let server = HTTPServer(settings: HTTPServer.Settings()) { [api = fixture.api] in await api.respond(to: $0) }
        let port = try server.start()
        let client = HTTPClient(server: try ServerAddress("http://localhost:\(port)"))
        let received = Mutex(Data())
        try await client.download("/api/v1/export", query: query) { bytes in received.withLock { $0.append(contentsOf: bytes) } }
        await server.stop()
        return String(decoding: received.withLock { $0 }, as: UTF8.self)
    }

    @Test("more than one page comes complete, as JSON Lines that are the API's own and as CSV with titles")
    func complete() async throws {
        let fixture = try APIFixture()
        let count = AlertQuery.maximumLimit * 2 + 7
        for start in stride(from: 0, to: count, by: 500) {
            _ = try await fixture.store.store(
                (start..<min(count, start + 500)).map { n in
                    let alert = SampleAlerts.alert(n)
                    return .alert(alert, payload: try WireCodec.encode(alert), receivedAt: alert.at)
                })
        }
        let lines = try await export(fixture, [("format", "jsonl")]).split(separator: "\n")
        #expect(lines.count == count)
        let ids = try lines.map { try JSONDecoder().decode(StoredAlert.self, from: Data($0.utf8)).alert.id }
        #expect(Set(ids).count == count)
        let table = try await export(fixture, []).split(separator: "\n")
        #expect(table.count == count + 1)
        #expect(table[0].hasPrefix("id,revision,phase,kind"))
    }

    @Test("the filters of the list apply, unknown ones are refused")
    func filters() async throws {
        let fixture = try APIFixture()
        try await fixture.fill(SampleAlerts.alert(1, severity: .info), SampleAlerts.alert(2, severity: .critical))
        #expect(try await export(fixture, [("severity", "warning"), ("format", "jsonl")]).split(separator: "\n").count == 1)
        #expect(await fixture.get("/api/v1/export", [("format", "xls")]).status == 400)
        #expect(await fixture.get("/api/v1/export", [("severty", "info")]).status == 400)
    }
}
