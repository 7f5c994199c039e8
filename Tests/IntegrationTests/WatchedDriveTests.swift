import Capture
import DurableOutbox
import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Glibc
import HTTPClient
import Imaging
import MQTTClient
import Testing

/// The built agent live, with a recorded near-collision as its camera: what goes out beside the alerts, and what stays in the vehicle.
@Suite(.serialized, .enabled(if: SharedData.isPresent, "needs ../shared"))
struct WatchedDriveTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func startAgent(_ broker: MosquittoBroker, clip: String, _ more: String) throws -> BuiltProgram {
        let configuration = """
            fleet: demo
            vehicle: truck-17
            camera:
              source: \(SharedData.path("vision/clips/\(clip).mp4"))
            gps:
              port: \(FreePort.next())
            mqtt:
              url: \(broker.url)
            outbox:
              path: \(folder.path("outbox.db"))
            heartbeat:
              interval: "1 s"
            \(more)
            """
        try configuration.write(toFile: folder.path("agent.yaml"), atomically: true, encoding: .utf8)
        return try BuiltProgram("fleet-agent", ["run", "--config", folder.path("agent.yaml")])
    }

    private func snapshots(_ watcher: TestSubscriber) -> [(id: String, jpeg: Data)] {
        watcher.messages.compactMap { message in
            guard case .snapshot(SampleAlerts.identity, let id) = Topic(name: message.topic) else { return nil }
            return (id, message.payload)
        }
    }

    /// Takes alerts and pictures, and answers for both, as the sync service does.
    private func fleetServer(_ broker: MosquittoBroker) async throws -> TestSubscriber {
        try await TestSubscriber(
            url: broker.url, id: "sync-test", filters: ["fleet/v1/+/+/alert", "fleet/v1/+/+/snapshot/+", "fleet/v1/+/+/heartbeat"]
        ) { message in
            var receipts = ReceiptMessage(receipts: [])
            switch Topic(name: message.topic) {
            case .snapshot(_, let id): receipts.snapshots = [AlertID(id)].compactMap(\.self)
            case .alert:
                guard let alert = try? WireCodec.decodeAlert(from: message.payload) else { return [] }
                receipts.receipts = [Receipt(id: alert.id, revision: alert.revision, result: .stored)]
            default: return []
            }
            guard let payload = try? WireCodec.encode(receipts) else { return [] }
            return [MQTTMessage(topic: Topic.receipt(SampleAlerts.identity).name, payload: payload, qos: .atMostOnce)]
        }
    }

    @Test(
        "31-picture-of-a-near-collision: the alert's later revisions name the picture that came, and a clip is kept in the vehicle")
    func pictures() async throws {
        let broker = try await MosquittoBroker()
        let server = try await fleetServer(broker)
        let agent = try startAgent(
            broker, clip: "moped_reverses_into_ego", "clips:\n  enabled: true\n  path: clips\n  after: \"1 s\"\n")
        #expect(await agent.status(timeout: 120) == 0, "\(agent.standardError)")
        let alerts = server.alerts
        let ended = try #require(alerts.last { $0.kind == .collision && $0.phase == .end }, "\(agent.standardError)")
        let told = try #require(ended.snapshot)
        let pictures = snapshots(server).filter { $0.id == ended.id.description }
        let picture = try #require(pictures.last)
        #expect(SHA256.hexadecimal(SHA256.digest(of: picture.jpeg)) == told.sha256)
        #expect(picture.jpeg.count <= SnapshotLimits.maximumBytes)
        let decoded = try Frame.decode(picture.jpeg)
        let size = [decoded.width, decoded.height]
        #expect(size == [told.width, told.height])
        let clips = try FileManager.default.contentsOfDirectory(atPath: folder.path("clips")).filter { $0.hasPrefix("clip-") }
        let clip = try #require(clips.first)
        let session = try Session.open(folder.path("clips/" + clip))
        #expect((session.frameTimesS?.count ?? 0) > 20)
    }

    @Test("32-privacy: with the switch on neither picture nor clip comes to be")
    func privacy() async throws {
        let broker = try await MosquittoBroker()
        let server = try await fleetServer(broker)
        let agent = try startAgent(
            broker, clip: "moped_reverses_into_ego", "privacy: true\nclips:\n  enabled: true\n  path: clips\n")
        #expect(await agent.status(timeout: 120) == 0, "\(agent.standardError)")
        #expect(server.alerts.contains { $0.kind == .collision })
        #expect(server.alerts.allSatisfy { $0.snapshot == nil && $0.position == nil })
        #expect(snapshots(server).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.path("clips")))
    }

    @Test("33-preview: the page and its moments are there for this machine alone, and no other host name")
    func preview() async throws {
        let broker = try await MosquittoBroker()
        let port = FreePort.next()
        let agent = try startAgent(
            broker, clip: "motorway_cruise", "preview:\n  enabled: true\n  port: \(port)\n  fps: 5\n")
        #expect(await eventually(timeout: 30) { agent.standardError.contains("shows what the camera sees") })
        let client = try HTTPClient(server: ServerAddress("http://127.0.0.1:\(port)"))
        let page = String(decoding: try await client.get("/"), as: UTF8.self)
        #expect(page.contains("preview.js"))
        struct Moment: Decodable {
            struct Object: Decodable { var box: Box }
            var width: Int?
            var image: String?
            var objects: [Object]
            var vehicle: String
        }
        var seen: [Moment] = []
        for try await event in client.events("/stream", lastEventID: nil) where event.event == "moment" {
            seen.append(try JSONDecoder().decode(Moment.self, from: Data(event.data.utf8)))
            if seen.count == 8 { break }
        }
        #expect(seen.allSatisfy { $0.vehicle == "demo/truck-17" && $0.width == 960 })
        let image = try #require(seen.last?.image.flatMap { Data(base64Encoded: $0) })
        let width = try Frame.decode(image).width
        #expect(width == 960)
        #expect(seen.contains { !$0.objects.isEmpty })
        #expect(seen.flatMap(\.objects).allSatisfy { $0.box.x >= 0 && $0.box.maxX <= 1.0001 && $0.box.maxY <= 1.0001 })
        let foreign = try await ExternalProgram.run(
            "curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Host: evil.example", "http://127.0.0.1:\(port)/"])
        #expect(foreign.output == "421")
        agent.signal(SIGTERM)
        #expect(await agent.status(timeout: 6) == 0)
    }

    @Test("35-record: a recording is a session that its owner alone may read; with the privacy switch on there is none")
    func recording() async throws {
        let text = """
            fleet: demo
            vehicle: truck-17
            camera:
              source: \(SharedData.path("vision/clips/moped_reverses_into_ego.mp4"))
            gps:
              port: \(FreePort.next())
            mqtt:
              url: mqtt://127.0.0.1:\(FreePort.next())

            """
        let (open, closed, out) = (folder.path("open.yaml"), folder.path("closed.yaml"), folder.path("recording"))
        try text.write(toFile: open, atomically: true, encoding: .utf8)
        try (text + "privacy: true\n").write(toFile: closed, atomically: true, encoding: .utf8)
        let refused = try BuiltProgram("fleet-agent", ["record", "--config", closed, "--out", out])
        #expect(await refused.status(timeout: 20) == 78)
        #expect(refused.standardError.contains("privacy is on") && !FileManager.default.fileExists(atPath: out))
        let agent = try BuiltProgram("fleet-agent", ["record", "--config", open, "--out", out])
        #expect(await agent.status(timeout: 60) == 0, "\(agent.standardError)")
        let session = try Session.open(out)
        let times = try #require(session.frameTimesS)
        #expect(times.count > 20 && agent.standardOutput.contains("\(times.count) frames"))
        for (name, wanted) in [("", 0o700), ("/session.json", 0o600), ("/video.mp4", 0o600), ("/frames.csv", 0o600)] {
            var status = stat()
            #expect(stat(out + name, &status) == 0 && status.st_mode & 0o777 == wanted, "\(name)")
        }
    }
}
