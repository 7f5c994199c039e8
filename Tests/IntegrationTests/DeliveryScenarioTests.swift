import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Glibc
import Testing

/// The built programs against a real broker: what a vehicle raises is what an operator reads, whatever is killed in between.
@Suite(.serialized) struct DeliveryScenarioTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var store: String { folder.path("fleet.db") }

    /// A drive of 40 s along a road with a limit of 50 km/h: 45 km/h, but 72 km/h from second 10 to second 25. Nothing is in sight.
    func writeSession() throws {
        var telemetry = ""
        var detections = ""
        var metres = 0.0
        for i in 0...200 {
            let t = Double(i) / 5
            let speed = (10.0..<25).contains(t) ? 20.0 : 12.5
            telemetry +=
                "{\"t\":\(t),\"lat\":\(48.1 + metres / 111_320),\"lon\":11.5,\"speedMps\":\(speed),\"headingDeg\":0,\"mode\":3,\"hdop\":0.9,\"epsMps\":0.3}\n"
            detections += "{\"frame\":\(i),\"t\":\(t),\"width\":1280,\"height\":720,\"objects\":[]}\n"
            metres += speed / 5
        }
        let session = folder.url.appending(path: "session")
        try FileManager.default.createDirectory(at: session, withIntermediateDirectories: true)
        try telemetry.write(to: session.appending(path: "telemetry.jsonl"), atomically: true, encoding: .utf8)
        try detections.write(toFile: folder.path("detections.jsonl"), atomically: true, encoding: .utf8)
        try Data().write(to: session.appending(path: "video.mp4"))
        try "{\"version\":1,\"vehicle\":\"truck-17\",\"startedAt\":\"2026-03-01T08:00:00.000Z\",\"video\":\"video.mp4\"}"
            .write(to: session.appending(path: "session.json"), atomically: true, encoding: .utf8)
    }

    func agentConfiguration(_ url: String) throws -> String {
        let path = folder.path("agent.yaml")
        try "fleet: demo\nvehicle: truck-17\nmqtt:\n  url: \(url)\noverspeed:\n  defaultLimit: \"50 km/h\"\n"
            .write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    func startSync(_ url: String) async throws -> BuiltProgram {
        let ready = folder.path("ready")
        try? FileManager.default.removeItem(atPath: ready)
        try "store:\n  path: \(store)\nmqtt:\n  url: \(url)\nhttp:\n  bind: 127.0.0.1:0\n"
            .write(toFile: folder.path("sync.yaml"), atomically: true, encoding: .utf8)
        let sync = try BuiltProgram("fleet-sync", ["run", "--config", folder.path("sync.yaml"), "--ready-file", ready])
        #expect(
            await eventually(timeout: 20) {
                FileManager.default.fileExists(atPath: ready) && sync.standardError.contains("connected to")
            })
        return sync
    }

    func replay(_ url: String, startAt: String = "now") throws -> BuiltProgram {
        try BuiltProgram(
            "fleet-agent",
            [
                "replay", folder.path("session"), "--config", agentConfiguration(url), "--detections",
                folder.path("detections.jsonl"),
                "--publish", "--start-at", startAt,
            ])
    }

    func storedAlerts() async throws -> [String] {
        let cli = try BuiltProgram("fleet-cli", ["alerts", "--db", store, "--json", "--since", "3650d"])
        #expect(await cli.status() == 0, "\(cli.standardError)")
        return cli.standardOutput.split(separator: "\n").map(String.init)
    }

    @Test(
        "20-replay-to-operator: an overspeed episode with its end is in fleet-cli's list"
    )
    func replayToOperator() async throws {
        try writeSession()
        let broker = try await MosquittoBroker()
        let sync = try await startSync(broker.url)
        let agent = try replay(broker.url)
        #expect(await agent.status(timeout: 60) == 0, "\(agent.standardError)")
        let alerts = try await storedAlerts()
        #expect(alerts.count == 1)
        #expect(alerts.first?.contains("\"kind\":\"overspeed\"") == true && alerts.first?.contains("\"phase\":\"end\"") == true)
        sync.signal(SIGTERM)
        #expect(await sync.status(timeout: 5) == 0)
    }

    @Test(
        "21-sync-killed (Q1): kill -9 of fleet-sync and of the broker loses nothing that was receipted, and a second replay adds no alert"
    )
    func syncKilled() async throws {
        try writeSession()
        let broker = try await MosquittoBroker()
        let first = try await startSync(broker.url)
        #expect(try await replay(broker.url, startAt: "recorded").status(timeout: 60) == 0)
        first.signal(SIGKILL)
        #expect(await first.status() == 128 + SIGKILL)
        await broker.kill()
        try await broker.start()
        let second = try await startSync(broker.url)
        #expect(try await storedAlerts().count == 1)
        #expect(try await replay(broker.url, startAt: "recorded").status(timeout: 60) == 0)
        #expect(try await storedAlerts().count == 1)
        // Dated anew it is another drive.
        #expect(try await replay(broker.url).status(timeout: 60) == 0)
        #expect(try await storedAlerts().count == 2)
        #expect(second.standardError.contains("error") == false)
    }

    @Test("22-end-in-time (Q10): fleet-sync ends within 5 s of SIGTERM while its broker accepts and never answers")
    func endInTime() async throws {
        let listener = SilentListener()
        let ready = folder.path("ready")
        try "store:\n  path: \(store)\nmqtt:\n  url: mqtt://127.0.0.1:\(listener.port)\nhttp:\n  bind: 127.0.0.1:0\n"
            .write(toFile: folder.path("sync.yaml"), atomically: true, encoding: .utf8)
        let sync = try BuiltProgram("fleet-sync", ["run", "--config", folder.path("sync.yaml"), "--ready-file", ready])
        #expect(await eventually(timeout: 20) { FileManager.default.fileExists(atPath: ready) })
        sync.signal(SIGTERM)
        #expect(await sync.status(timeout: 5) == 0)
    }

    @Test("23-store-locked: a second fleet-sync on one store ends with one line that names it")
    func storeLocked() async throws {
        let broker = try await MosquittoBroker()
        let first = try await startSync(broker.url)
        let second = try BuiltProgram("fleet-sync", ["run", "--config", folder.path("sync.yaml")])
        #expect(await second.status(timeout: 20) == 69)
        #expect(second.standardError.contains(store))
        #expect(second.standardError.split(separator: "\n").count == 1)
        first.signal(SIGTERM)
        #expect(await first.status(timeout: 5) == 0)
    }

    @Test("23-backup-onto-itself: fleet-sync backup refuses to put the copy in the place of the store")
    func backupOntoItself() async throws {
        let broker = try await MosquittoBroker()
        let sync = try await startSync(broker.url)
        let before = FileIdentity(store)
        for name in [store, folder.path("./fleet.db-wal")] {
            let backup = try BuiltProgram("fleet-sync", ["backup", name, "--config", folder.path("sync.yaml")])
            #expect(await backup.status() == 64, "\(backup.standardError)")
        }
        #expect(FileIdentity(store) == before)
        let backup = try BuiltProgram("fleet-sync", ["backup", folder.path("copy.db"), "--config", folder.path("sync.yaml")])
        #expect(await backup.status() == 0, "\(backup.standardError)")
        sync.signal(SIGTERM)
        #expect(await sync.status(timeout: 5) == 0)
    }

    @Test("24-told-to-stop-at-once: fleet-agent run ends within 5 s of a SIGTERM that comes at any moment of its start")
    func stoppedAtStart() async throws {
        let broker = try await MosquittoBroker()
        let configuration = try agentConfiguration(broker.url)
        try "camera:\n  source: http://127.0.0.1:\(SilentListener().port)/\noutbox:\n  path: \(folder.path("outbox.db"))\n"
            .appendTo(configuration)
        let moments = 12
        for moment in 1...moments {
            let agent = try BuiltProgram("fleet-agent", ["run", "--config", configuration])
            // Steps through the start by what it has said and done so far, and a little beyond.
            _ = await eventually(timeout: 5) { agent.standardError.contains("watching") }
            try await Task.sleep(for: .milliseconds(moment * 8))
            agent.signal(SIGTERM)
            #expect(await agent.status(timeout: 5) == 0, "signal \(moment * 8) ms after the start: \(agent.standardError)")
        }
    }

    @Test("25-no-reader: an agent whose standard output nobody reads any more goes on to the end")
    func noReader() async throws {
        try writeSession()
        let broker = try await MosquittoBroker()
        let sync = try await startSync(broker.url)
        let arguments = [
            "replay", folder.path("session"), "--config", try agentConfiguration(broker.url), "--detections",
            folder.path("detections.jsonl"), "--events", folder.path("events.jsonl"), "--publish",
            "--start-at", "now",
        ]
        let agent = try BuiltProgram("fleet-agent", arguments, hasReader: false)
        #expect(await agent.status(timeout: 60) == 0, "\(agent.standardError)")
        let events = try String(contentsOfFile: folder.path("events.jsonl"), encoding: .utf8).split(separator: "\n")
        #expect(events.last?.contains("\"phase\":\"end\"") == true)
        #expect(try await storedAlerts().count == 1)
        sync.signal(SIGTERM)
        #expect(await sync.status(timeout: 5) == 0)
    }

    @Test("26-own-input: a replay refuses to write over what it reads, and says which file")
    func ownInput() async throws {
        try writeSession()
        let telemetry = folder.path("session/telemetry.jsonl")
        let before = try Data(contentsOf: URL(filePath: telemetry))
        for arguments in [["--events", telemetry], ["--events", folder.path("x"), "--tracks", folder.path("./x")]] {
            let agent = try BuiltProgram("fleet-agent", ["replay", folder.path("session")] + arguments)
            #expect(await agent.status() == 64)
            #expect(agent.standardError.contains(arguments.last ?? "") && agent.standardError.split(separator: "\n").count == 1)
        }
        #expect(try Data(contentsOf: URL(filePath: telemetry)) == before)
    }

    @Test("27-stopped-while-waiting: replay --publish without a broker ends within 5 s of a SIGTERM, and says what is left")
    func stoppedWhileWaiting() async throws {
        try writeSession()
        let agent = try replay("mqtt://127.0.0.1:\(FreePort.next())")
        #expect(await eventually(timeout: 30) { agent.standardError.contains("frames/s") })
        agent.signal(SIGTERM)
        #expect(await agent.status(timeout: 5) == 69)
        #expect(agent.standardError.contains("2 left"))
    }
}

extension String {
    /// Adds this text to the end of a file.
    fileprivate func appendTo(_ path: String) throws {
        try (String(contentsOfFile: path, encoding: .utf8) + self).write(toFile: path, atomically: true, encoding: .utf8)
    }
}
