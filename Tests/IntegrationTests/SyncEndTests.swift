import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Glibc
import MQTTClient
import Testing

/// The built fleet-sync ends within 5 s of SIGTERM whatever its store and its broker do.
@Suite(.serialized)
struct SyncEndTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func startSync(broker: String, store: String) throws -> BuiltProgram {
        let configuration = """
            store: \(store)
            mqtt:
              url: \(broker)
            http:
              bind: 127.0.0.1:0
            """
        try configuration.write(toFile: folder.path("sync.yaml"), atomically: true, encoding: .utf8)
        return try BuiltProgram(
            "fleet-sync", ["run", "--config", folder.path("sync.yaml"), "--ready-file", folder.path("ready")])
    }

    /// Sends SIGTERM; the status and how many seconds the end took.
    private func end(_ sync: BuiltProgram) async -> (status: Int32?, tookS: Double) {
        let begun = MonotonicTime.now()
        sync.signal(SIGTERM)
        return (await sync.status(timeout: 10), MonotonicTime.now() - begun)
    }

    @Test("a broker that stands still holds nothing up")
    func frozenBroker() async throws {
        let broker = try await MosquittoBroker()
        let sync = try startSync(broker: broker.url, store: "{path: \(folder.path("fleet.db"))}")
        #expect(await eventually(timeout: 30) { sync.standardError.contains("connected to 127.0.0.1:\(broker.port)") })
        broker.pause()
        defer { broker.resume() }
        let (status, tookS) = await end(sync)
        #expect(status == 0, "\(sync.standardError.suffix(500))")
        #expect(tookS < 5)
    }

    @Test(
        "PostgreSQL that stands still, with alerts on their way to it and viewers who wait, holds nothing up",
        .enabled(if: PostgreSQLServer.isInstalled, "\(PostgreSQLServer.wanted)"))
    func frozenStore() async throws {
        let broker = try await MosquittoBroker()
        let server = try PostgreSQLServer()
        try server.start()
        let sync = try startSync(broker: broker.url, store: server.newDatabase())
        #expect(await eventually(timeout: 30) { sync.standardError.contains("connected to 127.0.0.1:\(broker.port)") })
        let page = try String(contentsOfFile: folder.path("ready"), encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        let port = try #require(URL(string: page)?.port)
        server.pause()
        defer { server.resume() }
        let sender = try await TestSubscriber(url: broker.url, id: "sender", filters: [])
        for episode in 0..<50 {
            let payload = try WireCodec.encode(SampleAlerts.alert(episode))
            _ = try sender.client.publish(MQTTMessage(topic: Topic.alert(SampleAlerts.identity).name, payload: payload))
        }
        let viewers = try (0..<4).map { _ in try RawConnection(port: port) }
        for viewer in viewers { viewer.send("GET /api/v1/alerts HTTP/1.1\r\nHost: localhost\r\n\r\n") }
        #expect(await eventually { broker.log.contains("Sending PUBLISH to sync-") })
        let (status, tookS) = await end(sync)
        #expect(status == 0, "\(sync.standardError.suffix(500))")
        #expect(sync.standardError.contains("the store does not answer"))
        #expect(tookS < 5)
    }

    @Test("a store that takes the connection and never answers cannot hold up the end of a start")
    func silentStore() async throws {
        let listener = SilentListener()
        let sync = try startSync(broker: "mqtt://127.0.0.1:1", store: "postgres://fleet@127.0.0.1:\(listener.port)/fleet")
        #expect(await eventually(timeout: 30) { listener.hasReceived })
        let (status, tookS) = await end(sync)
        #expect(status == 70)
        #expect(sync.standardError.contains("holds the end up"))
        #expect(tookS < 5)
    }

    @Test("standard error that nobody reads cannot hold the end up")
    func blockedLog() async throws {
        let errors = Pipe()
        let end = errors.fileHandleForWriting.fileDescriptor
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
        let filling = [UInt8](repeating: 10, count: 4096)
        while write(end, filling, filling.count) > 0 {}
        _ = fcntl(end, F_SETFL, 0)
        try "store: {path: \(folder.path("fleet.db"))}\nmqtt: {url: 'mqtt://127.0.0.1:1'}\nhttp: {bind: '127.0.0.1:0'}"
            .write(toFile: folder.path("sync.yaml"), atomically: true, encoding: .utf8)
        let sync = Process()
        sync.executableURL = URL(filePath: BuiltProgram.path("fleet-sync"))
        sync.arguments = ["run", "--config", folder.path("sync.yaml"), "--ready-file", folder.path("ready")]
        sync.standardError = errors
        sync.standardInput = FileHandle.nullDevice
        sync.standardOutput = FileHandle.nullDevice
        try sync.run()
        // The store's file is there once the signals are taken over.
        #expect(await eventually(timeout: 20) { FileManager.default.fileExists(atPath: folder.path("fleet.db")) })
        let begun = MonotonicTime.now()
        sync.terminate()
        #expect(await eventually(timeout: 10) { !sync.isRunning })
        if sync.isRunning { kill(sync.processIdentifier, SIGKILL) }
        #expect(MonotonicTime.now() - begun < 5)
        #expect(sync.terminationReason == .exit && sync.terminationStatus == 70)
    }
}
