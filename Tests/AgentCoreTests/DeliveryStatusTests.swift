import DurableOutbox
import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import MQTTClient
import Testing

/// The retained status, the last will, heartbeats and the end, over a real broker.
@Suite(.serialized) struct DeliveryStatusTests {
    let folder: TemporaryFolder
    var path: String { folder.path("outbox.db") }
    let statusTopic = Topic.status(SampleAlerts.identity).name

    init() throws { folder = try TemporaryFolder() }

    func watcher(_ url: String, id: String = "watcher", username: String? = nil) async throws -> TestSubscriber {
        try await TestSubscriber(url: url, id: id, username: username, filters: [statusTopic])
    }

    @Test("08-will-after-kill (Q12, Q13): offline and lost while the network is cut, online again under a higher number")
    func will() async throws {
        let broker = try await MosquittoBroker()
        let proxy = TCPProxy(to: broker.port)
        let rig = try DeliveryRig(url: "mqtt://127.0.0.1:\(proxy.port)", outbox: path)
        let first = try await watcher(broker.url, id: "first")
        #expect(await eventually { first.states.last?.state == .online })
        let session = try #require(first.states.last?.session)
        proxy.cut(isOpen: false)
        #expect(await eventually { first.states.last?.state == .offline })
        #expect(first.states.last?.reason == .lost && first.states.last?.session == session)
        let second = try await watcher(broker.url, id: "second")
        #expect(await eventually { second.states.last?.state == .offline })
        #expect(second.messages.first?.retain == true)
        proxy.open()
        #expect(await eventually { first.states.last?.state == .online })
        #expect((first.states.last?.session ?? 0) > session)
        let third = try await watcher(broker.url, id: "third")
        #expect(await eventually { third.states.last?.state == .online })
        await rig.stop()
    }

    @Test("09-clean-offline (Q14): a goodbye leaves offline and stopped behind")
    func cleanOffline() async throws {
        let broker = try await MosquittoBroker()
        let rig = try DeliveryRig(url: broker.url, outbox: path)
        #expect(await rig.isConnected())
        #expect(await rig.stop() < 5)
        let watcher = try await watcher(broker.url)
        #expect(await eventually { watcher.states.last?.state == .offline })
        let status = try #require(watcher.states.last)
        #expect(status.reason == .stopped && status.boot == "test-boot" && watcher.messages.count == 1)
    }

    @Test("10-stale-will-lower-session: an old offline on our topic is answered with online")
    func staleWill() async throws {
        let broker = try await MosquittoBroker()
        for _ in 1...2 {
            let rig = try DeliveryRig(url: broker.url, outbox: path)
            #expect(await rig.isConnected())
            await rig.stop()
        }
        let rig = try DeliveryRig(url: broker.url, outbox: path)
        let watcher = try await watcher(broker.url)
        #expect(await eventually { watcher.states.last?.state == .online })
        rig.clock.advance(bySeconds: 10)
        let stale = VehicleStatus(
            identity: SampleAlerts.identity, state: .offline, reason: .lost, boot: "old", session: 1, connectedAt: .epoch)
        _ = try watcher.client.publish(MQTTMessage(topic: statusTopic, payload: WireCodec.encode(stale), retain: true))
        #expect(await eventually { watcher.states.contains { $0.boot == "old" } && watcher.states.last?.state == .online })
        #expect(watcher.states.last?.session == 3)
        await rig.stop()
    }

    @Test("11-counter-lost: a higher number on the broker is overtaken by a new connection")
    func counterLost() async throws {
        let broker = try await MosquittoBroker()
        let watcher = try await watcher(broker.url)
        let old = VehicleStatus(
            identity: SampleAlerts.identity, state: .offline, reason: .lost, boot: "old", session: 40, connectedAt: .epoch)
        _ = try watcher.client.publish(MQTTMessage(topic: statusTopic, payload: WireCodec.encode(old), retain: true))
        #expect(await eventually { watcher.states.count == 1 })
        let rig = try DeliveryRig(url: broker.url, outbox: path)
        #expect(await eventually { watcher.states.last?.state == .online && watcher.states.last?.session == 41 })
        await rig.stop()
        #expect(await eventually { watcher.states.last?.state == .offline && watcher.states.last?.session == 41 })
    }

    @Test("12-heartbeats: at once after connecting, then every interval, with the queue, never retained")
    func heartbeats() async throws {
        let broker = try await MosquittoBroker()
        let monitor = try await TestSubscriber(
            url: broker.url, id: "monitor", filters: [Topic.heartbeat(SampleAlerts.identity).name])
        let rig = try DeliveryRig(url: broker.url, outbox: path, heartbeatIntervalS: 0.2)
        _ = await rig.outbox.append(SampleAlerts.alert(1))
        #expect(await eventually { monitor.messages.count >= 3 })
        let heartbeats = try monitor.messages.map { try WireCodec.decode(Heartbeat.self, from: $0.payload) }
        #expect(heartbeats.prefix(3).map(\.seq) == [1, 2, 3])
        #expect(heartbeats.last?.queue.alerts == 1)
        #expect(monitor.messages.allSatisfy { !$0.retain && $0.qos == .atMostOnce })
        await rig.stop()
    }

    @Test("A heartbeat that is asked for comes at once, and those asked for in the same moment are one")
    func heartbeatNow() async throws {
        let broker = try await MosquittoBroker()
        let monitor = try await TestSubscriber(
            url: broker.url, id: "monitor", filters: [Topic.heartbeat(SampleAlerts.identity).name])
        let rig = try DeliveryRig(url: broker.url, outbox: path, heartbeatIntervalS: 3600)
        #expect(await eventually { monitor.messages.count == 1 })
        for _ in 0..<50 { rig.service.beatNow() }
        #expect(await eventually { monitor.messages.count == 2 })
        rig.service.beatNow()
        #expect(await eventually { monitor.messages.count == 3 })
        let heartbeats = try monitor.messages.map { try WireCodec.decode(Heartbeat.self, from: $0.payload) }
        #expect(heartbeats.map(\.seq) == [1, 2, 3])
        await rig.stop()
    }

    @Test("Q10 A listener that accepts and never answers does not hold up the end")
    func silentListener() async throws {
        let listener = SilentListener()
        let rig = try DeliveryRig(url: "mqtt://127.0.0.1:\(listener.port)", outbox: path)
        #expect(await eventually { listener.hasReceived })
        #expect(await rig.stop() < 5)
    }

    @Test("Q10 A network that swallows packets does not hold up the end")
    func blackHole() async throws {
        let hole = BlackHole()
        let rig = try DeliveryRig(url: "mqtt://127.0.0.1:\(hole.port)", outbox: path)
        #expect(await eventually { hole.hasCaller })
        #expect(await rig.stop() < 5)
    }

    @Test("Q10 A broker that stands still does not hold up the end")
    func pausedBroker() async throws {
        let broker = try await MosquittoBroker()
        let rig = try DeliveryRig(url: broker.url, outbox: path)
        #expect(await rig.isConnected())
        broker.pause()
        #expect(await rig.stop() < 5)
        broker.resume()
    }

    @Test("A wrong URL ends at once with the configuration's status")
    func wrongURL() {
        for url in ["http://x", "127.0.0.1:1883", "mqtt://", "\"mqtt://user:secret@host\""] {
            let error = #expect(throws: UserError.self) { try DeliveryRig(url: url, outbox: path) }
            #expect(error?.code == .configuration)
            #expect(error?.message.contains("secret") == false)
        }
    }
}
