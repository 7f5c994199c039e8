import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Glibc
import Testing

/// The built agent live on a real HTTP stream and a real gpsd, while the stream stands still and comes back.
@Suite(.serialized, .enabled(if: FakeReceiver.isPresent && StreamServer.isPresent, "needs ffmpeg, gpsd, gpsfake and ../shared"))
struct StandingCameraTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "34-camera-stands-still (V1): the fleet is told at once, overspeed alerts go on without pictures, and the stream is taken up again"
    )
    func standingStill() async throws {
        let broker = try await MosquittoBroker()
        let sync = try await TestSubscriber.sync(url: broker.url)
        let monitor = try await TestSubscriber(
            url: broker.url, id: "monitor", filters: [Topic.heartbeat(SampleAlerts.identity).name])
        let receiver = try FakeReceiver(log: SharedData.path("gps/gpsd/bt451.log"))
        defer { receiver.stop() }
        let server = try StreamServer(port: FreePort.next())
        let configuration = """
            fleet: demo
            vehicle: truck-17
            camera:
              source: \(server.url)
            gps:
              port: \(receiver.port)
            overspeed:
              defaultLimit: "30 km/h"
              minimumDuration: "0 s"
            mqtt:
              url: \(broker.url)
            outbox:
              path: \(folder.path("outbox.db"))
            heartbeat:
              interval: "600 s"
            """
        try configuration.write(toFile: folder.path("agent.yaml"), atomically: true, encoding: .utf8)
        let agent = try BuiltProgram("fleet-agent", ["run", "--config", folder.path("agent.yaml")])
        /// The codes of the newest heartbeat; nothing here comes by the interval, which is longer than the test.
        func codes() -> [DegradedCode]? {
            monitor.messages.last.flatMap { try? WireCodec.decode(Heartbeat.self, from: $0.payload) }?.degraded.map(\.code)
        }
        #expect(await eventually(timeout: 60) { agent.standardError.contains("is open: 320 x 240") }, "\(agent.standardError)")
        #expect(
            await eventually(timeout: 30) { codes().map { !$0.contains(.cameraStalled) && !$0.contains(.cameraMissing) } == true })

        server.signal(SIGSTOP)
        let stoppedS = MonotonicTime.now()
        #expect(await eventually(timeout: 15) { codes()?.contains(.cameraStalled) == true }, "\(agent.standardError)")
        // Three seconds from the last frame, and what the sockets still held.
        #expect(MonotonicTime.now() - stoppedS < 6)
        let told = Set(sync.alerts.map(\.id))
        #expect(
            await eventually(timeout: 60) { sync.alerts.contains { $0.kind == .overspeed && !told.contains($0.id) } },
            "\(agent.standardError)")

        server.signal(SIGKILL)
        let successor = try StreamServer(port: try #require(URL(string: server.url)?.port))
        defer { successor.signal(SIGKILL) }
        #expect(
            await eventually(timeout: 60) { codes().map { !$0.contains(.cameraStalled) && !$0.contains(.cameraMissing) } == true },
            "\(agent.standardError)")
        agent.signal(SIGTERM)
        #expect(await agent.status(timeout: 8) == 0)
    }
}
