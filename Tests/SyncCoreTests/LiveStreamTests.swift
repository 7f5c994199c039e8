import FleetModel
import FleetStore
import FleetTestSupport
import Foundation
import HTTPServer
import Testing

@testable import SyncCore

@Suite("The live stream")
struct LiveStreamTests {
    /// Runs `body` against the API behind a real socket.
    private func withServer(_ fixture: APIFixture, _ body: (Int) async throws -> Void) async throws {
        let server = HTTPServer(settings: HTTPServer.Settings()) { [api = fixture.api] in await api.respond(to: $0) }
        let port = try server.start()
        do { try await body(port) } catch {
            await server.stop()
            throw error
        }
        fixture.feed.finish()
        await server.stop()
    }

    private func open(_ port: Int, _ path: String, _ headers: String = "") throws -> RawConnection {
        let connection = try RawConnection(port: port)
        connection.send("GET \(path) HTTP/1.0\r\nHost: localhost\r\n\(headers)\r\n")
        return connection
    }

    /// The ids of the events in `text`.
    private func ids(_ text: String) -> [Int] {
        text.split(separator: "\n").filter { $0.hasPrefix("id: ") }.compactMap { Int($0.dropFirst(4)) }
    }

    @Test("a reader gets what is stored while it listens, and nothing from before")
    func live() async throws {
        let fixture = try APIFixture()
        try await fixture.fill(SampleAlerts.alert(1))
        try await withServer(fixture) { port in
            let connection = try open(port, "/api/v1/stream")
            // The first comment shows that the stream is open.
            _ = await connection.read(through: "\n: \n\n")
            try await fixture.fill(SampleAlerts.alert(2))
            let text = await connection.read(through: "\"cursor\":2")
            #expect(ids(text) == [2])
            #expect(text.contains("event: alert"))
        }
    }

    @Test("a reader that comes back with its last id misses nothing and gets nothing twice")
    func resume() async throws {
        let fixture = try APIFixture()
        for n in 1...3 { try await fixture.fill(SampleAlerts.alert(n)) }
        try await withServer(fixture) { port in
            let first = await (try open(port, "/api/v1/stream?cursor=0")).read(through: "\"cursor\":3")
            #expect(ids(first) == [1, 2, 3])
            for n in 4...5 { try await fixture.fill(SampleAlerts.alert(n)) }
            let again = await (try open(port, "/api/v1/stream?cursor=0", "Last-Event-ID: 3\r\n")).read(through: "\"cursor\":5")
            #expect(ids(again) == [4, 5])
        }
    }

    @Test("a backlog of thousands is read in one stream, in order")
    func backlog() async throws {
        let fixture = try APIFixture()
        for batch in 0..<4 {
            _ = try await fixture.store.store(
                (0..<500).map { n in
                    let alert = SampleAlerts.alert(batch * 500 + n)
                    return .alert(alert, payload: try WireCodec.encode(alert), receivedAt: alert.at)
                })
        }
        try await withServer(fixture) { port in
            let text = await (try open(port, "/api/v1/stream?cursor=0")).read(through: "id: 2000\n")
            #expect(ids(text) == Array(1...2000))
        }
    }
}
