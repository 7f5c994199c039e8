import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import MQTTClient
import Testing

@testable import SyncCore

@Suite("Services that share a store", .enabled(if: PostgreSQLServer.isInstalled, "needs PostgreSQL (Debian: postgresql)"))
struct SharedServiceTests {
    /// A service that runs until `stop`.
    private struct Running {
        let port: Int
        let stopper: AsyncStream<Void>.Continuation
        let task: Task<Void, any Error>

        init(_ instance: String, broker: MosquittoBroker, store: String, folder: TemporaryFolder) async throws {
            let text = "instance: \(instance)\nstore: \(store)\nmqtt: {url: '\(broker.url)'}\nhttp: {bind: '127.0.0.1:0'}"
            let document = try ConfigurationDocument(text: Array(text.utf8), file: folder.path("sync.yaml"))
            let service = try SyncService(configuration: SyncConfiguration(document: document))
            let (stop, stopper) = AsyncStream.makeStream(of: Void.self)
            let ready = folder.path(instance)
            self.stopper = stopper
            task = Task { try await service.run(readyFile: ready) { for await _ in stop { return } } }
            let isUp = await eventually { FileManager.default.fileExists(atPath: ready) }
            try #require(isUp)
            let url = try String(contentsOfFile: ready, encoding: .utf8).trimmingCharacters(in: .newlines)
            port = try #require(URL(string: url)?.port)
            let port = port
            let isReady = await eventually { await SharedServiceTests.get(port, "/readyz").status == 200 }
            try #require(isReady)
        }

        func stop() async throws {
            stopper.finish()
            try await task.value
        }
    }

    private static func get(_ port: Int, _ path: String) async -> RawAnswer {
        (try? await RawConnection.exchange(port, ["GET \(path) HTTP/1.1"])) ?? RawAnswer("")
    }

    private func stored(_ port: Int) async -> Int {
        let lines = await Self.get(port, "/metrics").body.split(separator: "\n")
        return lines.first { $0.hasPrefix("fleet_ingest_stored_total ") }.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
    }

    @Test("two instances share the work; each alert is stored once, receipted, and seen on both; one dies, the other goes on")
    func two() async throws {
        let folder = try TemporaryFolder()
        let broker = try await MosquittoBroker()
        let server = try PostgreSQLServer()
        try server.start()
        let url = try server.newDatabase()
        let first = try await Running("one", broker: broker, store: url, folder: folder)
        let second = try await Running("two", broker: broker, store: url, folder: folder)
        let vehicle = SyncServiceTests.Vehicle(broker)
        let isConnected = await eventually { vehicle.client.isConnected }
        try #require(isConnected)
        let stream = try RawConnection(port: second.port)
        stream.send("GET /api/v1/stream HTTP/1.0\r\nHost: localhost\r\n\r\n")
        _ = await stream.read(through: "\n: \n\n")
        func send(_ episodes: Range<Int>) async throws -> Bool {
            // Connected is not yet subscribed: what has no receipt is sent again, as an outbox does.
            await eventually(timeout: 30) {
                let answered = Set(vehicle.receipts.map(\.id))
                let open = episodes.filter { !answered.contains(SampleAlerts.id($0)) }
                for episode in open {
                    guard let payload = try? WireCodec.encode(SampleAlerts.alert(episode)) else { return false }
                    try? vehicle.publish(.alert(SampleAlerts.identity), payload)
                }
                if open.isEmpty { return true }
                return await eventually(timeout: 1) {
                    Set(vehicle.receipts.map(\.id)).isSuperset(of: episodes.map(SampleAlerts.id))
                }
            }
        }
        #expect(try await send(0..<200))
        let (one, two) = (await stored(first.port), await stored(second.port))
        #expect(one + two == 200)
        #expect(one > 0)
        #expect(two > 0)
        for port in [first.port, second.port] {
            #expect(await Self.get(port, "/metrics").body.contains("\nfleet_alerts 200\n"))
        }
        let text = await stream.read(through: SampleAlerts.id(199).description)
        #expect(text.contains(SampleAlerts.id(199).description))
        // The database dies under both: nothing is acknowledged until it is back, nothing is lost.
        server.kill()
        let isNoticed = await eventually { await Self.get(first.port, "/readyz").status == 503 }
        #expect(isNoticed)
        let before = vehicle.receipts.count
        for episode in 300..<320 {
            try vehicle.publish(.alert(SampleAlerts.identity), try WireCodec.encode(SampleAlerts.alert(episode)))
        }
        try server.start()
        #expect(try await send(300..<320))
        #expect(vehicle.receipts.count >= before + 20)
        try await first.stop()
        #expect(try await send(400..<450))
        #expect(await Self.get(second.port, "/metrics").body.contains("\nfleet_alerts 270\n"))
        try await second.stop()
        await vehicle.stop()
    }
}
