import FleetModel
import FleetTestSupport
import Foundation
import Glibc
import Testing

/// The built agent, live: a recorded receiver through a real gpsd, a recorded camera, a real broker.
@Suite(.serialized, .enabled(if: FakeReceiver.isPresent, "needs gpsd, gpsfake and ../shared"))
struct LiveOverspeedTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Starts `fleet-agent run` with `receiver` and no minimum duration: the logs hold a few seconds of driving each.
    private func startAgent(_ broker: MosquittoBroker, _ receiver: FakeReceiver, limit: String) throws -> BuiltProgram {
        let configuration = """
            fleet: demo
            vehicle: truck-17
            camera:
              source: \(SharedData.path("vision/tracking/otb_car4.mp4"))
            gps:
              port: \(receiver.port)
            overspeed:
              defaultLimit: "\(limit)"
              minimumDuration: "0 s"
            mqtt:
              url: \(broker.url)
            outbox:
              path: \(folder.path("outbox.db"))
            heartbeat:
              interval: "1 s"
            """
        try configuration.write(toFile: folder.path("agent.yaml"), atomically: true, encoding: .utf8)
        return try BuiltProgram("fleet-agent", ["run", "--config", folder.path("agent.yaml")])
    }

    @Test(
        "Driving above the limit ends in an overspeed alert with the speed that the receiver gave",
        arguments: [("gpsd/bt451.log", "30 km/h", 15.5...16.65), ("gpsd/nl2008u.log", "15 km/h", 4.6...5.25)])
    func alerts(log: String, limit: String, speedMps: ClosedRange<Double>) async throws {
        let broker = try await MosquittoBroker()
        let sync = try await TestSubscriber.sync(url: broker.url)
        let receiver = try FakeReceiver(log: SharedData.path("gps/" + log))
        defer { receiver.stop() }
        let agent = try startAgent(broker, receiver, limit: limit)
        let isRaised = await eventually(timeout: 40) { sync.alerts.contains { $0.kind == .overspeed && $0.phase == .start } }
        #expect(isRaised, "\(agent.standardError)")
        let speeds = sync.alerts.compactMap { $0.overspeed?.maxSpeedMps }
        #expect(!speeds.isEmpty && speeds.allSatisfy(speedMps.contains), "\(speeds)")
        agent.signal(SIGTERM)
        #expect(await agent.status(timeout: 5) == 0)
    }

    @Test("A receiver that was carried about indoors, with a phantom of 60 km/h, ends in no overspeed alert at a limit of 15 km/h")
    func phantom() async throws {
        let broker = try await MosquittoBroker()
        let watcher = try await TestSubscriber(url: broker.url, id: "watch", filters: ["fleet/v1/#"])
        let receiver = try FakeReceiver(log: SharedData.path("gps/gpsd/garmin-10x.log"))
        defer { receiver.stop() }
        let agent = try startAgent(broker, receiver, limit: "15 km/h")
        // The agent ends with its camera's file, 22 s long: the log has run several times by then.
        #expect(await agent.status(timeout: 60) == 0, "\(agent.standardError)")
        let heartbeats = watcher.messages.compactMap { try? WireCodec.decode(Heartbeat.self, from: $0.payload) }
        #expect(heartbeats.filter { $0.speedMps != nil }.count >= 3, "\(heartbeats.count) heartbeats")
        #expect(watcher.alerts.isEmpty)
    }
}
