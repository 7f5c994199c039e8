import FleetModel
import FleetRuntime
import FleetStore
import FleetTestSupport
import Foundation
import HTTPClient
import Testing

@testable import CLICore

@Suite("Following a server")
struct AlertFollowerTests {
    private static func event(_ cursor: Int64) -> String {
        let alert = SampleStored.stored(SampleStored.overspeed(), cursor: cursor)
        // swift-format-ignore: NeverUseForceTry
        return "id: \(cursor)\nevent: alert\ndata: \(String(decoding: try! WireCodec.encode(alert), as: UTF8.self))\n\n"
    }

    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"

    private func source(_ server: TinyServer) throws -> any FleetSource {
        ServerSource(client: HTTPClient(server: try ServerAddress(server.url)))
    }

    @Test(
        "D8 a server that goes away and comes back costs nothing: no alert is left out, none comes twice", .timeLimit(.minutes(1)))
    func interruption() async throws {
        let server = try TinyServer { request in
            if request.contains("GET /api/v1/alerts?") { return [TinyServer.answer(200, #"{"alerts":[],"nextCursor":7}"#)] }
            if request.contains("Last-Event-ID: 4\r\n") {
                return [Self.head, Self.event(5), Self.event(6), "id: 7\nevent: alert\ndata: {\"half"]
            }
            if request.contains("Last-Event-ID: 6\r\n") { return [Self.head + ": \n\n", Self.event(6), Self.event(7)] }
            return [TinyServer.answer(400, #"{"detail":"done"}"#)]
        }
        var cursors: [Int64] = []
        do {
            for try await alert in try source(server).changes(after: 4, AlertQuery()) { cursors.append(alert.cursor) }
            Issue.record("ended without an error")
        } catch let error as UserError {
            #expect(error == UserError(.usage, "\(server.url): refused with 400: done"))
        }
        #expect(cursors == [5, 6, 7])
    }

    @Test("A server whose store is a new one is followed from its beginning", .timeLimit(.minutes(1)))
    func newStore() async throws {
        let server = try TinyServer { request in
            if request.contains("GET /api/v1/alerts?") { return [TinyServer.answer(200, #"{"alerts":[],"nextCursor":1}"#)] }
            if request.contains("Last-Event-ID: 40\r\n") { return [Self.head] }
            if request.contains("Last-Event-ID: 0\r\n") { return [Self.head, Self.event(1)] }
            return [TinyServer.answer(401, "{}")]
        }
        var cursors: [Int64] = []
        do {
            for try await alert in try source(server).changes(after: 40, AlertQuery()) { cursors.append(alert.cursor) }
        } catch let error as UserError {
            #expect(error.code == .configuration)
            #expect(error.message.contains("FLEET_TOKEN_FILE"))
        }
        #expect(cursors == [1])
    }

    @Test("An answer that is not that of fleet-sync, and one that says 404, are told apart", .timeLimit(.minutes(1)))
    func foreignServer() async throws {
        let page = try TinyServer { _ in [TinyServer.answer(200, "<html>hello</html>")] }
        await #expect(
            throws: UserError(
                .badData, "\(page.url)/api/v1/vehicles: the answer is not that of fleet-sync; is it the right server?")
        ) {
            try await source(page).vehicles()
        }
        let missing = try TinyServer { _ in [TinyServer.answer(404, #"{"title":"Not Found"}"#)] }
        await #expect(throws: UserError(.noInput, "\(missing.url): Not Found; is it the address of fleet-sync?")) {
            try await source(missing).vehicles()
        }
        #expect(try await source(missing).history(of: AlertID("0197a3c2-5f7e-7c31-9a4d-2b6e8f013c55")!).isEmpty)
    }
}
