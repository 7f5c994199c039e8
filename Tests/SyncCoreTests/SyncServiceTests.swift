import FleetModel
import FleetRuntime
import FleetStore
import FleetTestSupport
import Foundation
import MQTTClient
import Synchronization
import Testing

@testable import SyncCore

@Suite("The sync service with a real broker", .serialized)
struct SyncServiceTests {
    /// A vehicle's end: what it sends, and the receipts it gets.
    final class Vehicle: Sendable {
        let client: MQTTClient
        private let received = Mutex<[Receipt]>([])
        private let tasks = Mutex<[Task<Void, Never>]>([])

        init(_ broker: MosquittoBroker) {
            let url = broker.url
            client = MQTTClient {
                var settings = try MQTTSettings(url: url, clientID: "vehicle", username: nil, passwordFile: nil)
                settings.subscriptions = [(Topic.receipt(SampleAlerts.identity).name, .atLeastOnce)]
                return settings
            }
            tasks.withLock {
                $0 = [
                    Task { [client] in await client.run() },
                    Task { [self] in
                        while let batch = await client.inbound.take(atMost: 100) {
                            for message in batch {
                                let receipts = (try? WireCodec.decode(ReceiptMessage.self, from: message.payload))?.receipts ?? []
                                received.withLock { $0 += receipts }
                            }
                        }
                    },
                ]
            }
        }

        var receipts: [Receipt] { received.withLock { $0 } }

        func publish(_ topic: Topic, _ payload: Data, _ properties: [(name: String, value: String)] = [], retain: Bool = false)
            throws
        {
            _ = try client.publish(MQTTMessage(topic: topic.name, payload: payload, retain: retain, userProperties: properties))
        }

        func stop() async {
            await client.stop()
            for task in tasks.withLock({ $0 }) { await task.value }
        }
    }

    private func service(_ broker: MosquittoBroker, _ folder: TemporaryFolder) throws -> SyncService {
        let text = """
            store: {path: \(folder.path("fleet.db"))}
            mqtt: {url: '\(broker.url)'}
            http: {bind: '127.0.0.1:0'}
            """
        return try SyncService(
            configuration: SyncConfiguration(document: ConfigurationDocument(text: Array(text.utf8), file: "sync.yaml")))
    }

    /// Runs `body` beside a service and a vehicle that are connected.
    private func withService(_ body: (MosquittoBroker, Vehicle, Int) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let broker = try await MosquittoBroker()
        let (stop, stopper) = AsyncStream.makeStream(of: Void.self)
        let service = try service(broker, folder)
        let ready = folder.path("ready")
        let running = Task {
            try await service.run(readyFile: ready) { for await _ in stop { return } }
        }
        let vehicle = Vehicle(broker)
        let isUp = await eventually { FileManager.default.fileExists(atPath: ready) && vehicle.client.isConnected }
        try #require(isUp)
        let text = try String(contentsOfFile: ready, encoding: .utf8).trimmingCharacters(in: .newlines)
        let port = try #require(URL(string: text)?.port)
        // Connected is not yet subscribed: a first message that is answered shows that the way is open.
        try #require(await isAnswered(vehicle, episode: 1000))
        do { try await body(broker, vehicle, port) } catch {
            stopper.finish()
            throw error
        }
        stopper.finish()
        try await running.value
        await vehicle.stop()
    }

    /// Sends the alert of `episode` again and again until it is receipted.
    private func isAnswered(_ vehicle: Vehicle, episode: Int) async -> Bool {
        await eventually(timeout: 30) {
            guard let payload = try? WireCodec.encode(SampleAlerts.alert(episode)) else { return false }
            try? vehicle.publish(.alert(SampleAlerts.identity), payload)
            return await eventually(timeout: 1) { vehicle.receipts.contains { $0.id == SampleAlerts.id(episode) } }
        }
    }

    private func body(_ port: Int, _ path: String) async -> RawAnswer {
        (try? await RawConnection.exchange(port, ["GET \(path) HTTP/1.1"])) ?? RawAnswer("")
    }

    @Test("an alert is stored, receipted and served; sent again it is a duplicate; nonsense is rejected by name")
    func endToEnd() async throws {
        try await withService { _, vehicle, port in
            let payload = try WireCodec.encode(SampleAlerts.alert(1))
            try vehicle.publish(.alert(SampleAlerts.identity), payload)
            try vehicle.publish(.alert(SampleAlerts.identity), payload)
            let named = [(name: "id", value: SampleAlerts.id(2).description), (name: "revision", value: "4")]
            try vehicle.publish(.alert(SampleAlerts.identity), Data("{".utf8), named)
            func results(_ episode: Int) -> [Receipt.Result] {
                vehicle.receipts.filter { $0.id == SampleAlerts.id(episode) }.map(\.result)
            }
            let isAnswered = await eventually { results(1).count == 2 && results(2).count == 1 }
            #expect(isAnswered)
            #expect(results(1) == [.stored, .duplicate])
            #expect(results(2) == [.rejected])
            let shown = await body(port, "/api/v1/alerts/\(SampleAlerts.id(1))")
            #expect(shown.status == 200)
            #expect(shown.body.contains("\"late\":true"))
        }
    }

    @Test("an alert reaches an open stream within a second")
    func streamLatency() async throws {
        try await withService { _, vehicle, port in
            let stream = try RawConnection(port: port)
            stream.send("GET /api/v1/stream HTTP/1.0\r\nHost: localhost\r\n\r\n")
            _ = await stream.read(through: "\n: \n\n")
            let begun = MonotonicTime.now()
            try vehicle.publish(.alert(SampleAlerts.identity), WireCodec.encode(SampleAlerts.alert(3)))
            let text = await stream.read(through: SampleAlerts.id(3).description)
            #expect(text.contains(SampleAlerts.id(3).description))
            #expect(MonotonicTime.now() - begun < 1)
        }
    }

    @Test("a broker that was away is found again, and what comes then is stored")
    func brokerRestart() async throws {
        try await withService { broker, vehicle, port in
            await broker.kill()
            let isNoticed = await eventually { await body(port, "/readyz").status == 503 }
            #expect(isNoticed)
            try await broker.start()
            #expect(await isAnswered(vehicle, episode: 4))
        }
    }

    @Test("a cleared status takes the vehicle off the list")
    func cleared() async throws {
        try await withService { _, vehicle, port in
            let status = VehicleStatus(
                identity: SampleAlerts.identity, state: .online, reason: nil, boot: "b", session: 1, connectedAt: .epoch)
            try vehicle.publish(.status(SampleAlerts.identity), try WireCodec.encode(status), retain: true)
            let isListed = await eventually { await body(port, "/api/v1/vehicles").body.contains("\"online\"") }
            #expect(isListed)
            try vehicle.publish(.status(SampleAlerts.identity), Data(), retain: true)
            let isGone = await eventually { await !body(port, "/api/v1/vehicles").body.contains("truck-17") }
            #expect(isGone)
        }
    }
}
