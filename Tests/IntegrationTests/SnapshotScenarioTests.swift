import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Glibc
import MQTTClient
import Testing

/// A picture from a vehicle's topic to an operator's file, through the built programs.
@Suite(.serialized) struct SnapshotScenarioTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "30-snapshot-to-operator: stored, receipted by its alert's id, and saved by `fleet-cli show --snapshot` from server and file"
    )
    func toOperator() async throws {
        let broker = try await MosquittoBroker()
        let store = folder.path("fleet.db")
        try "store:\n  path: \(store)\nmqtt:\n  url: \(broker.url)\nhttp:\n  bind: 127.0.0.1:0\n"
            .write(toFile: folder.path("sync.yaml"), atomically: true, encoding: .utf8)
        let ready = folder.path("ready")
        let sync = try BuiltProgram("fleet-sync", ["run", "--config", folder.path("sync.yaml"), "--ready-file", ready])
        #expect(
            await eventually(timeout: 20) {
                FileManager.default.fileExists(atPath: ready) && sync.standardError.contains("connected to")
            })
        let who = SampleAlerts.identity
        let vehicle = try await TestSubscriber(url: broker.url, id: "vehicle", filters: [Topic.receipt(who).name])
        func receipts() -> [ReceiptMessage] {
            vehicle.messages.compactMap { try? WireCodec.decode(ReceiptMessage.self, from: $0.payload) }
        }
        let jpeg = SamplePicture.jpeg(1)
        var alert = SampleAlerts.alert(1, at: WallClock.now())
        alert.seq = 1
        alert.snapshot = SnapshotReference(
            sha256: SHA256.hexadecimal(SHA256.digest(of: jpeg)), width: 640, height: 480, sessionTimeS: nil, box: nil)
        // The picture comes first and waits; one that is none is answered for as rejected.
        func send(_ topic: Topic, _ payload: Data) throws {
            _ = try vehicle.client.publish(MQTTMessage(topic: topic.name, payload: payload))
        }
        try send(.snapshot(who, alertID: alert.id.description), jpeg)
        try send(.snapshot(who, alertID: SampleAlerts.id(2).description), Data("no picture".utf8))
        #expect(await eventually { receipts().flatMap(\.snapshots) == [alert.id] })
        #expect(await eventually { receipts().flatMap(\.receipts).map(\.id) == [SampleAlerts.id(2)] })
        #expect(receipts().flatMap(\.receipts).map(\.result) == [.rejected])
        try send(.alert(who), try WireCodec.encode(alert))
        #expect(await eventually { receipts().flatMap(\.receipts).contains { $0.id == alert.id && $0.result == .stored } })

        let server = try String(contentsOfFile: ready, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        for (name, source) in [("a.jpg", ["--server", server]), ("b.jpg", ["--db", store])] {
            let cli = try BuiltProgram("fleet-cli", ["show", alert.id.description, "--snapshot", folder.path(name)] + source)
            #expect(await cli.status() == 0, "\(cli.standardError)")
            #expect(try Data(contentsOf: URL(filePath: folder.path(name))) == jpeg)
        }
        sync.signal(SIGTERM)
        #expect(await sync.status(timeout: 5) == 0)
    }
}
