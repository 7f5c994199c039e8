import DurableOutbox
import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import MQTTClient
import Synchronization
import Testing

/// Alerts from the outbox to a subscriber and their receipts back, over a real broker.
@Suite(.serialized) struct DeliveryAlertTests {
    let folder: TemporaryFolder
    var path: String { folder.path("outbox.db") }

    init() throws { folder = try TemporaryFolder() }

    @Test("01-alert-reaches-subscriber: with its properties; the row goes when the receipt comes")
    func reachesSubscriber() async throws {
        let broker = try await MosquittoBroker()
        let sync = try await TestSubscriber.sync(url: broker.url)
        let rig = try DeliveryRig(url: broker.url, outbox: path)
        #expect(await rig.outbox.append(SampleAlerts.alert(1, severity: .critical)) == .stored(seq: 1))
        #expect(await rig.isEmpty())
        var expected = SampleAlerts.alert(1, severity: .critical)
        expected.seq = 1
        #expect(sync.alerts == [expected])
        let message = try #require(sync.messages.first)
        #expect(message.topic == "fleet/v1/demo/truck-17/alert")
        #expect(message.userProperties.map(\.name) == ["schema", "id", "revision"])
        #expect(message.userProperties.map(\.value) == ["fleet.alert/1", expected.id.description, "1"])
        #expect(await rig.service.waitUntilDelivered(progressTimeoutS: 1) == 0)
        await rig.stop()
    }

    @Test("02-no-subscriber: the broker's acknowledgement is no receipt, and what is left is counted")
    func noSubscriber() async throws {
        let broker = try await MosquittoBroker()
        let rig = try DeliveryRig(url: broker.url, outbox: path)
        _ = await rig.outbox.append(SampleAlerts.alert(1))
        #expect(await rig.isConnected())
        #expect(await rig.service.waitUntilDelivered(progressTimeoutS: 0.5) == 1)
        await rig.stop()
    }

    @Test("03-agent-ended-before-receipt: the next start sends the row again")
    func endedBeforeReceipt() async throws {
        let broker = try await MosquittoBroker()
        let deaf = try await TestSubscriber.sync(url: broker.url) { _ in nil }
        do {
            let rig = try DeliveryRig(url: broker.url, outbox: path)
            _ = await rig.outbox.append(SampleAlerts.alert(1))
            #expect(await eventually { deaf.alerts.count == 1 })
            await rig.stop()
        }
        await deaf.stop()
        let sync = try await TestSubscriber.sync(url: broker.url)
        let rig = try DeliveryRig(url: broker.url, outbox: path)
        #expect(await rig.isEmpty())
        #expect(sync.alerts.map(\.seq) == [1])
        await rig.stop()
    }

    @Test("04-broker-down-at-start: alerts queue and go out when it comes")
    func brokerDownAtStart() async throws {
        let broker = try await MosquittoBroker()
        await broker.stop()
        let rig = try DeliveryRig(url: broker.url, outbox: path)
        for i in 1...5 { _ = await rig.outbox.append(SampleAlerts.alert(i)) }
        #expect(!rig.service.isConnected)
        try await broker.start()
        let sync = try await TestSubscriber.sync(url: broker.url)
        #expect(await rig.isConnected())
        // Sent before anybody had subscribed: due again after 30 s.
        #expect(
            await eventually {
                rig.clock.advance(bySeconds: 31); return await rig.rows == 0
            })
        #expect(Set(sync.alerts.map(\.seq)) == [1, 2, 3, 4, 5])
        await rig.stop()
    }

    @Test("05-broker-killed-and-back (Q2): 500 acknowledged alerts survive kill -9 of the broker")
    func brokerKilled() async throws {
        let broker = try await MosquittoBroker(settings: ["persistence false"])
        let rig = try DeliveryRig(url: broker.url, outbox: path) { $0.window = 1000 }
        #expect(await rig.isConnected())
        for batch in 0..<5 { _ = await rig.outbox.append((1...100).map { SampleAlerts.alert(batch * 100 + $0) }) }
        #expect(await eventually { broker.log.components(separatedBy: "Sending PUBACK").count > 500 })
        await broker.kill()
        #expect(await eventually { !rig.service.isConnected })
        try await broker.start()
        let sync = try await TestSubscriber.sync(url: broker.url)
        #expect(await rig.isConnected())
        #expect(
            await eventually(timeout: 60) {
                rig.clock.advance(bySeconds: 31); return await rig.rows == 0
            })
        #expect(Set(sync.alerts.map(\.seq)) == Set(1...500))
        await rig.stop()
    }

    @Test("06-receipt-lost-resend: a lost receipt costs one resend after 30 s, not before")
    func receiptLost() async throws {
        let broker = try await MosquittoBroker()
        let seen = Seen()
        let sync = try await TestSubscriber.sync(url: broker.url) { receipt in
            seen.count(receipt.id) == 1 ? nil : Receipt(id: receipt.id, revision: receipt.revision, result: .duplicate)
        }
        let rig = try DeliveryRig(url: broker.url, outbox: path)
        _ = await rig.outbox.append(SampleAlerts.alert(1))
        #expect(await eventually { sync.alerts.count == 1 })
        rig.clock.advance(bySeconds: 29)
        #expect(await !eventually(timeout: 1.5) { sync.alerts.count > 1 })
        rig.clock.advance(bySeconds: 2)
        #expect(await rig.isEmpty())
        #expect(sync.alerts.count == 2)
        await rig.stop()
    }

    @Test("07-rejected-row: kept apart, reported in the heartbeat's codes, never sent again")
    func rejectedRow() async throws {
        let broker = try await MosquittoBroker()
        let sync = try await TestSubscriber.sync(url: broker.url) {
            $0.id == SampleAlerts.id(1) ? Receipt(id: $0.id, revision: $0.revision, result: .rejected, reason: "test") : $0
        }
        let rig = try DeliveryRig(url: broker.url, outbox: path)
        _ = await rig.outbox.append([SampleAlerts.alert(1), SampleAlerts.alert(2)])
        #expect(await rig.isEmpty())
        #expect(await rig.outbox.rejected().map(\.reason) == ["test"])
        #expect(await rig.service.degraded() == [.alertsRejected])
        rig.clock.advance(bySeconds: 1000)
        #expect(await !eventually(timeout: 1.5) { sync.alerts.count > 2 })
        await rig.stop()
    }

    @Test("Q4 1,500 alerts raised while the sync service is away are all stored when it is back")
    func syncAway() async throws {
        let broker = try await MosquittoBroker()
        let rig = try DeliveryRig(url: broker.url, outbox: path)
        #expect(await rig.isConnected())
        for batch in 0..<15 { _ = await rig.outbox.append((1...100).map { SampleAlerts.alert(batch * 100 + $0) }) }
        // An hour of resending into the void: the window's rows are on their longest delay.
        for attempt in 2...6 {
            rig.clock.advance(bySeconds: 601)
            #expect(await eventually { broker.log.components(separatedBy: "Received PUBLISH from agent-").count > attempt * 100 })
        }
        let sync = try await TestSubscriber.sync(url: broker.url)
        rig.clock.advance(bySeconds: 61)
        #expect(await rig.isEmpty(timeout: 30))
        #expect(Set(sync.alerts.map(\.seq)) == Set(1...1500))
        await rig.stop()
    }

    @Test("Q5 Every message lost on a network that is cut again and again comes again")
    func cutNetwork() async throws {
        let broker = try await MosquittoBroker()
        let sync = try await TestSubscriber.sync(url: broker.url)
        let proxy = TCPProxy(to: broker.port)
        let rig = try DeliveryRig(url: "mqtt://127.0.0.1:\(proxy.port)", outbox: path)
        for round in 0..<5 {
            #expect(await rig.isConnected())
            _ = await rig.outbox.append((1...50).map { SampleAlerts.alert(round * 50 + $0) })
            proxy.cut()
            #expect(await eventually { !rig.service.isConnected })
        }
        #expect(
            await eventually(timeout: 20) {
                rig.clock.advance(bySeconds: 31); return await rig.rows == 0
            })
        #expect(Set(sync.alerts.map(\.seq)) == Set(1...250))
        await rig.stop()
    }

    @Test("Q6 A denied topic is reported, and the alerts are kept and tried again")
    func denied() async throws {
        let folder = try TemporaryFolder()
        let acl = folder.path("acl")
        func allow(_ topic: String) throws {
            try "pattern readwrite fleet/v1/%u/\(topic)\n".write(toFile: acl, atomically: true, encoding: .utf8)
        }
        try allow("status")
        let broker = try await MosquittoBroker(settings: ["acl_file \(acl)"], folder: folder)
        let rig = try DeliveryRig(url: broker.url, outbox: path)
        _ = await rig.outbox.append(SampleAlerts.alert(1))
        #expect(await eventually { await rig.service.degraded() == [.brokerRefused] })
        #expect(await rig.rows == 1)
        try "pattern readwrite fleet/v1/%u/#\nuser sync\ntopic readwrite fleet/#\n".write(
            toFile: acl, atomically: true, encoding: .utf8)
        await broker.kill()
        try await broker.start()
        let sync = try await TestSubscriber.sync(url: broker.url, username: "sync")
        #expect(
            await eventually(timeout: 20) {
                rig.clock.advance(bySeconds: 31); return await rig.rows == 0
            })
        #expect(sync.alerts.count >= 1)
        #expect(await rig.service.degraded().isEmpty)
        await rig.stop()
    }

    @Test("Q7 An alert over the broker's packet limit waits until that is raised, and holds up nothing; a picture is moved aside")
    func tooLarge() async throws {
        let broker = try await MosquittoBroker(settings: ["max_packet_size 2000"])
        let sync = try await TestSubscriber.sync(url: broker.url)
        let rig = try DeliveryRig(url: broker.url, outbox: path)
        // More than the window holds.
        let large = (1...120).map { number in
            var alert = SampleAlerts.alert(number)
            alert.software = String(repeating: "x", count: 3000)
            return alert
        }
        _ = await rig.outbox.append(large + [SampleAlerts.alert(1000)])
        try await rig.outbox.append(snapshot: Data(count: 5000), of: SampleAlerts.id(1000), takenAt: nil)
        #expect(await eventually(timeout: 20) { await rig.rows == large.count })
        #expect(sync.alerts.map(\.id) == [SampleAlerts.id(1000)])
        #expect(await rig.outbox.rejected().map(\.revision) == [0])
        #expect(await rig.service.degraded().contains(.brokerRefused))
        let file = broker.folder.path("mosquitto.conf")
        try String(contentsOfFile: file, encoding: .utf8).replacing("max_packet_size 2000", with: "max_packet_size 262144").write(
            toFile: file, atomically: true, encoding: .utf8)
        await broker.kill()
        try await broker.start()
        // What came before the sync service was back has no receipt, and is sent again.
        let isDelivered = await eventually(timeout: 20) {
            rig.clock.advance(bySeconds: 31)
            return await rig.rows == 0
        }
        #expect(isDelivered)
        let arrived = sync.messages.flatMap(\.userProperties).filter { $0.name == "id" }.map(\.value)
        #expect(Set(arrived) == Set((large.map(\.id) + [SampleAlerts.id(1000)]).map(\.description)))
        #expect(await eventually { await !rig.service.degraded().contains(.brokerRefused) })
        await rig.stop()
    }

    @Test("A broker that refuses the connection is told by a code, and the alerts wait")
    func refusedConnection() async throws {
        let broker = try await MosquittoBroker(settings: ["allow_anonymous false"])
        let rig = try DeliveryRig(url: broker.url, outbox: path)
        _ = await rig.outbox.append(SampleAlerts.alert(1))
        #expect(await eventually { await rig.service.degraded() == [.brokerRefused] })
        #expect(await rig.rows == 1)
        await rig.stop()
    }

    @Test("A receipt that is nonsense is ignored")
    func nonsense() async throws {
        let broker = try await MosquittoBroker()
        let rig = try DeliveryRig(url: broker.url, outbox: path)
        let intruder = try await TestSubscriber(url: broker.url, id: "intruder", filters: ["nothing"])
        _ = await rig.outbox.append(SampleAlerts.alert(1))
        #expect(await rig.isConnected())
        for payload in [
            "", "{", "[]", "{\"receipts\":[{\"id\":\"x\"}]}", "{\"receipts\":7}", String(repeating: "[", count: 60_000),
        ] {
            _ = try intruder.client.publish(
                MQTTMessage(topic: Topic.receipt(SampleAlerts.identity).name, payload: Data(payload.utf8)))
        }
        let sync = try await TestSubscriber.sync(url: broker.url)
        #expect(
            await eventually {
                rig.clock.advance(bySeconds: 31); return await rig.rows == 0
            })
        #expect(sync.alerts.count >= 1)
        await rig.stop()
    }
}

/// Counts how often something was seen.
final class Seen: Sendable {
    private let counts = Mutex<[AlertID: Int]>([:])
    func count(_ id: AlertID) -> Int {
        counts.withLock {
            $0[id, default: 0] += 1
            return $0[id, default: 0]
        }
    }
}
