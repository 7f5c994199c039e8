import DurableOutbox
import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Glibc
import Testing

/// The built agent ends within 5 s of SIGTERM whatever its broker does, and says goodbye where it can.
@Suite(.serialized, .enabled(if: SharedData.isPresent, "needs ../shared for a camera's film"))
struct AgentEndTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Starts `fleet-agent run` on a film, with gpsd missing, and waits until it watches.
    private func startAgent(_ url: String) async throws -> BuiltProgram {
        let configuration = """
            fleet: demo
            vehicle: truck-17
            camera:
              source: \(SharedData.path("vision/tracking/otb_car4.mp4"))
            gps:
              port: \(FreePort.next())
            mqtt:
              url: \(url)
            outbox:
              path: \(folder.path("outbox.db"))
            """
        try configuration.write(toFile: folder.path("agent.yaml"), atomically: true, encoding: .utf8)
        let agent = try BuiltProgram("fleet-agent", ["run", "--config", folder.path("agent.yaml")])
        #expect(await eventually(timeout: 30) { agent.standardError.contains("watching") })
        return agent
    }

    private func secondsToEnd(_ agent: BuiltProgram) async -> Double {
        let begun = MonotonicTime.now()
        agent.signal(SIGTERM)
        let status = await agent.status(timeout: 10)
        #expect(status == 0, "\(agent.standardError.suffix(500))")
        return MonotonicTime.now() - begun
    }

    @Test("24-agent-goodbye (Q14): SIGTERM leaves the retained status offline and stopped behind")
    func goodbye() async throws {
        let broker = try await MosquittoBroker()
        let agent = try await startAgent(broker.url)
        #expect(await eventually(timeout: 20) { agent.standardError.contains("connected to 127.0.0.1:\(broker.port)") })
        #expect(await secondsToEnd(agent) < 5)
        let watcher = try await TestSubscriber(url: broker.url, id: "w", filters: [Topic.status(SampleAlerts.identity).name])
        #expect(await eventually { watcher.states.last?.state == .offline && watcher.states.last?.reason == .stopped })
        #expect(watcher.messages.first?.retain == true)
    }

    @Test("25-agent-end-frozen-broker (Q10): a broker that stands still holds nothing up")
    func frozenBroker() async throws {
        let broker = try await MosquittoBroker()
        let agent = try await startAgent(broker.url)
        #expect(await eventually(timeout: 20) { agent.standardError.contains("connected to 127.0.0.1:\(broker.port)") })
        broker.pause()
        defer { broker.resume() }
        #expect(await secondsToEnd(agent) < 5)
    }

    @Test("26-agent-end-black-hole (Q10): a network that swallows packets holds nothing up", arguments: ["mqtt", "mqtts"])
    func blackHole(scheme: String) async throws {
        let hole = BlackHole()
        let agent = try await startAgent("\(scheme)://127.0.0.1:\(hole.port)")
        #expect(await eventually(timeout: 20) { hole.hasCaller })
        #expect(await secondsToEnd(agent) < 5)
    }

    @Test(
        "27-agent-end-silent-broker (Q10): a listener that accepts and never answers holds nothing up",
        arguments: ["mqtt", "mqtts"])
    func silentBroker(scheme: String) async throws {
        let listener = SilentListener()
        let agent = try await startAgent("\(scheme)://127.0.0.1:\(listener.port)")
        #expect(await eventually(timeout: 20) { listener.hasReceived })
        #expect(await secondsToEnd(agent) < 5)
    }

    @Test("26-renamed-vehicle: an outbox with another vehicle's messages is refused, and they stay")
    func renamed() async throws {
        do {
            let outbox = try DurableOutbox(
                settings: OutboxSettings(path: folder.path("outbox.db"), identity: SampleAlerts.identity))
            _ = await outbox.append([SampleAlerts.alert(1), SampleAlerts.alert(2)])
        }
        let configuration = """
            fleet: demo
            vehicle: other
            camera:
              source: \(SharedData.path("vision/tracking/otb_car4.mp4"))
            mqtt:
              url: mqtt://127.0.0.1:\(FreePort.next())
            outbox:
              path: \(folder.path("outbox.db"))
            """
        try configuration.write(toFile: folder.path("agent.yaml"), atomically: true, encoding: .utf8)
        let agent = try BuiltProgram("fleet-agent", ["run", "--config", folder.path("agent.yaml")])
        #expect(await agent.status(timeout: 30) == 78)
        #expect(agent.standardError.contains("2 messages of \(SampleAlerts.identity)"))
        let outbox = try DurableOutbox(settings: OutboxSettings(path: folder.path("outbox.db"), identity: SampleAlerts.identity))
        #expect(await outbox.status().rows == 2)
    }
}
