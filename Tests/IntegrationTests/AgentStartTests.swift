import FleetModel
import FleetTestSupport
import Foundation
import Glibc
import Testing

@Suite("The built agent starts with what is there")
struct AgentStartTests {
    @Test("A camera that is not plugged in yet is missing, and everything else works")
    func withoutCamera() async throws {
        let (folder, broker) = (try TemporaryFolder(), try await MosquittoBroker())
        let configuration = """
            fleet: demo
            vehicle: truck-17
            camera:
              source: /dev/video4711
            gps:
              port: \(FreePort.next())
            mqtt:
              url: \(broker.url)
            outbox:
              path: \(folder.path("outbox.db"))
            heartbeat:
              interval: 1s
            """
        try configuration.write(toFile: folder.path("agent.yaml"), atomically: true, encoding: .utf8)
        let watcher = try await TestSubscriber(
            url: broker.url, id: "w", filters: [Topic.heartbeat(SampleAlerts.identity).name])
        let agent = try BuiltProgram("fleet-agent", ["run", "--config", folder.path("agent.yaml")])
        let isTold = try await eventually(timeout: 60) {
            guard let last = watcher.messages.last?.payload else { return false }
            return try WireCodec.decode(Heartbeat.self, from: last).degraded.contains { $0.code == .cameraMissing }
        }
        #expect(isTold, "\(agent.standardError.suffix(500))")
        #expect(agent.standardError.contains("/dev/video4711 is not there"))

        // `check` beside it leaves the connection alone.
        let check = try BuiltProgram("fleet-agent", ["check", "--config", folder.path("agent.yaml")])
        _ = await check.status(timeout: 60)
        #expect(check.standardOutput.contains("is not tried"), "\(check.standardOutput)")

        agent.signal(SIGTERM)
        #expect(await agent.status(timeout: 10) == 0)
    }
}
