import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Glibc
import MQTTClient
import Testing

/// What an operator does, through the built programs: watches, exports, backs up, restores, erases.
@Suite(.serialized) struct OperatorScenarioTests {
    private let folder: TemporaryFolder
    private let broker: MosquittoBroker
    private let port = FreePort.next()

    init() async throws {
        folder = try TemporaryFolder()
        broker = try await MosquittoBroker()
        try configure()
    }

    private func configure(_ more: String = "") throws {
        try """
        store:
          path: \(folder.path("fleet.db"))
        mqtt:
          url: \(broker.url)
        http:
          bind: 127.0.0.1:\(port)
        \(more)
        """.write(toFile: folder.path("sync.yaml"), atomically: true, encoding: .utf8)
    }

    private var server: [String] { ["--server", "http://127.0.0.1:\(port)"] }
    private var config: [String] { ["--config", folder.path("sync.yaml")] }

    private func startSync() async throws -> BuiltProgram {
        let ready = folder.path("ready")
        try? FileManager.default.removeItem(atPath: ready)
        let sync = try BuiltProgram("fleet-sync", ["run", "--ready-file", ready] + config)
        #expect(
            await eventually(timeout: 20) {
                FileManager.default.fileExists(atPath: ready) && sync.standardError.contains("connected to")
            }, "\(sync.standardError)")
        return sync
    }

    private func run(_ program: String, _ arguments: [String]) async throws -> (status: Int32?, output: String, errors: String) {
        let process = try BuiltProgram(program, arguments)
        let status = await process.status()
        return (status, process.standardOutput, process.standardError)
    }

    /// Publishes alerts and waits for their receipts.
    private func publish(_ alerts: [Alert], jpeg: Data? = nil) async throws {
        let who = SampleAlerts.identity
        let vehicle = try await TestSubscriber(
            url: broker.url, id: "vehicle-\(alerts.first?.seq ?? 0)", filters: [Topic.receipt(who).name])
        for alert in alerts {
            _ = try vehicle.client.publish(MQTTMessage(topic: Topic.alert(who).name, payload: try WireCodec.encode(alert)))
            guard let jpeg else { continue }
            _ = try vehicle.client.publish(
                MQTTMessage(topic: Topic.snapshot(who, alertID: alert.id.description).name, payload: jpeg))
        }
        let messages = { vehicle.messages.compactMap { try? WireCodec.decode(ReceiptMessage.self, from: $0.payload) } }
        #expect(await eventually { Set(messages().flatMap(\.receipts).map(\.id)).isSuperset(of: alerts.map(\.id)) })
        if jpeg != nil { #expect(await eventually { Set(messages().flatMap(\.snapshots)).isSuperset(of: alerts.map(\.id)) }) }
    }

    private func alert(_ n: Int) -> Alert {
        var alert = SampleAlerts.alert(n, at: WallClock.now())
        alert.seq = Int64(n)
        return alert
    }

    @Test("40-follow-over-restarts: `fleet-cli alerts --follow` shows every alert once while the server is killed and started")
    func follow() async throws {
        var sync = try await startSync()
        try await publish([alert(1)])
        let cli = try BuiltProgram("fleet-cli", ["alerts", "--follow", "--json"] + server)
        func shown() -> [String] {
            cli.standardOutput.split(separator: "\n").compactMap {
                (try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])?["id"] as? String
            }
        }
        #expect(await eventually(timeout: 20) { shown().count == 1 })
        for round in 1...2 {
            try await publish([alert(round * 10), alert(round * 10 + 1)])
            sync.signal(round == 1 ? SIGKILL : SIGTERM)
            _ = await sync.status(timeout: 10)
            sync = try await startSync()
            try await publish([alert(round * 10 + 2)])
        }
        let expected = [1, 10, 11, 12, 20, 21, 22].map { SampleAlerts.id($0).description }
        #expect(await eventually(timeout: 30) { shown().count >= expected.count }, "\(shown()) \(cli.standardError)")
        #expect(shown() == expected)
        cli.signal(SIGTERM)
        sync.signal(SIGTERM)
        #expect(await sync.status(timeout: 5) == 0)
    }

    @Test("41-backup-and-restore: alerts and pictures come back as they were; then everything of a vehicle is erased")
    func backup() async throws {
        var sync = try await startSync()
        let jpeg = SamplePicture.jpeg(1)
        var first = alert(1)
        first.snapshot = SnapshotReference(
            sha256: SHA256.hexadecimal(SHA256.digest(of: jpeg)), width: 640, height: 480, sessionTimeS: nil, box: nil)
        try await publish([first], jpeg: jpeg)
        let copy = folder.path("copy.db")
        let made = try await run("fleet-sync", ["backup", copy] + config)
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.output.contains("pictures (1)"))

        // The machine is lost; what the backup holds is put in place.
        sync.signal(SIGKILL)
        _ = await sync.status(timeout: 10)
        let files = FileManager.default
        for name in ["fleet.db", "fleet.db-wal", "fleet.db-shm", "fleet.db.snapshots"] {
            try? files.removeItem(atPath: folder.path(name))
        }
        try files.copyItem(atPath: copy, toPath: folder.path("fleet.db"))
        try files.copyItem(atPath: copy + ".snapshots", toPath: folder.path("fleet.db.snapshots"))
        sync = try await startSync()
        let picture = folder.path("picture.jpg")
        let shown = try await run("fleet-cli", ["show", first.id.description, "--snapshot", picture] + server)
        #expect(shown.status == 0, "\(shown.errors)")
        #expect(try Data(contentsOf: URL(filePath: picture)) == jpeg)

        let exported = try await run("fleet-cli", ["export", "--format", "jsonl"] + server)
        #expect(exported.status == 0, "\(exported.errors)")
        #expect(exported.output.split(separator: "\n").count == 1)
        let reviewed = try await run("fleet-cli", ["review", first.id.description, "confirmed", "--note", "seen"] + server)
        #expect(reviewed.status == 0, "\(reviewed.errors)")

        #expect(try await run("fleet-sync", ["forget", "demo", "nobody"] + config).status == 66)
        let erased = try await run("fleet-sync", ["forget", "demo", "truck-17"] + config)
        #expect(erased.status == 0, "\(erased.errors)")
        #expect(erased.output == "erased of demo/truck-17: 1 alerts, 1 pictures\n")
        #expect(try await run("fleet-cli", ["show", first.id.description] + server).status == 66)
        let pictures = files.enumerator(atPath: folder.path("fleet.db.snapshots"))?.compactMap { $0 as? String } ?? []
        #expect(!pictures.contains { $0.hasSuffix(".jpg") })
        let log = try await run("fleet-sync", ["audit"] + config).output
        for word in ["export", "review", "forget"] { #expect(log.contains(word), "\(word)") }
        sync.signal(SIGTERM)
        #expect(await sync.status(timeout: 5) == 0)
    }

    @Test("42-decommission-nobody: a mistyped vehicle is no success")
    func decommissionNobody() async throws {
        let sync = try await startSync()
        let answer = try await run("fleet-sync", ["decommission", "demo", "nobody"] + config)
        #expect(answer.status == 66)
        #expect(answer.errors == "fleet-sync: no vehicle demo/nobody in the list\n")
        sync.signal(SIGTERM)
        #expect(await sync.status(timeout: 5) == 0)
    }
}
