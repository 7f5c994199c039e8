import DurableOutbox
import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import MQTTClient
import Synchronization
import Testing

@testable import AgentCore

/// A broker that cannot stand one message.
@Suite(.serialized) struct DeliveryPoisonTests {
    let folder: TemporaryFolder
    var path: String { folder.path("outbox.db") }

    init() throws { folder = try TemporaryFolder() }

    /// Receipts every alert but those that `refuse` answers for.
    static func broker(_ refuse: @escaping @Sendable (Alert, UInt16) -> [ScriptedBroker.Reply]?) -> ScriptedBroker {
        ScriptedBroker { packet, _ in
            guard case .publish(let topic, let payload, let id) = packet, topic.hasSuffix("/alert") else {
                return ScriptedBroker.polite(packet)
            }
            if let alert = try? WireCodec.decodeAlert(from: payload), let refusal = refuse(alert, id) { return refusal }
            return ScriptedBroker.polite(packet) + [receipt(payload)]
        }
    }

    static func receipt(_ payload: Data) -> ScriptedBroker.Reply {
        struct Named: Decodable {
            let id: AlertID
            let revision: Int?
        }
        let named = try? JSONDecoder().decode(Named.self, from: payload)
        let receipts = named.map { [Receipt(id: $0.id, revision: $0.revision ?? 1, result: .stored)] } ?? []
        return .publish(
            topic: Topic.receipt(SampleAlerts.identity).name,
            payload: (try? WireCodec.encode(ReceiptMessage(receipts: receipts))) ?? Data())
    }

    func sent(_ broker: ScriptedBroker, _ id: AlertID) -> Int {
        broker.payloads("/alert").count { (try? WireCodec.decodeAlert(from: $0))?.id == id }
    }

    @Test(
        "Q7, Q8 A message over which the broker ends the connection (0x95) is moved aside after a few tries, and nothing else waits for it"
    )
    func tooLargeForTheBroker() async throws {
        let poison = SampleAlerts.id(2)
        let broker = Self.broker { alert, _ in alert.id == poison ? [.disconnect(0x95)] : nil }
        let rig = try DeliveryRig(url: broker.url, outbox: path)
        _ = await rig.outbox.append((1...5).map { SampleAlerts.alert($0) })
        #expect(
            await eventually(timeout: 30) {
                rig.clock.advance(bySeconds: 5)
                return await rig.outbox.status().rejected == 1
            })
        #expect(await rig.isEmpty())
        #expect(await rig.outbox.rejected().map(\.id) == [poison.description])
        // Three times with the others, three times alone.
        #expect(sent(broker, poison) <= 6)
        #expect(await rig.service.degraded().contains(.alertsRejected))
        #expect(await rig.isConnected())
        await rig.stop()
    }

    @Test(
        "Q7 A broker that hangs up without a word each time: the others come through, and the message is sent seldom, then moved aside"
    )
    func silentHangUp() async throws {
        let poison = SampleAlerts.id(2)
        let broker = Self.broker { alert, _ in alert.id == poison ? [.hangUp] : nil }
        let rig = try DeliveryRig(url: broker.url, outbox: path) { $0.silentLossLimit = 3 }
        _ = await rig.outbox.append((1...5).map { SampleAlerts.alert($0) })
        // Real time alone: the others are through, and the message is not sent every few seconds.
        #expect(await eventually(timeout: 20) { await rig.rows == 1 })
        let soFar = sent(broker, poison)
        #expect(soFar <= 4)
        // One resend after the other is due, alone each time, while others come through in between. How many were sent alone before,
        // one or two, depends on when the others' receipts came.
        var resends = 0
        while await rig.outbox.status().rejected == 0, resends < 2 {
            resends += 1
            rig.clock.advance(bySeconds: 601)
            #expect(
                await eventually(timeout: 20) {
                    let isRejected = await rig.outbox.status().rejected == 1
                    return isRejected || sent(broker, poison) == soFar + resends
                })
            _ = await rig.outbox.append(SampleAlerts.alert(10 + resends))
            #expect(
                await eventually(timeout: 40) {
                    let status = await rig.outbox.status()
                    return status.rows + status.rejected == 1
                })
        }
        #expect(await eventually { await rig.outbox.status().rejected == 1 })
        #expect(sent(broker, poison) <= soFar + 2)
        #expect(await rig.isEmpty())
        await rig.stop()
    }

    @Test("A broker that takes no acknowledged messages is the connection's fault: the alerts wait for one that does")
    func maximumQoS0() async throws {
        let broker = ScriptedBroker { packet, _ in
            if case .connect = packet { [.connectAnswerMaximumQoS0] } else { ScriptedBroker.polite(packet) }
        }
        let rig = try DeliveryRig(url: broker.url, outbox: path)
        _ = await rig.outbox.append((1...3).map { SampleAlerts.alert($0) })
        for _ in 1...5 {
            #expect(await eventually { await rig.service.degraded().contains(.brokerRefused) })
            rig.clock.advance(bySeconds: 601)
        }
        let status = await rig.outbox.status()
        #expect(status.rows == 3 && status.rejected == 0)
        await rig.stop()
    }

    @Test("A network that breaks again and again moves nothing aside")
    func brokenNetwork() async throws {
        let broker = try await MosquittoBroker()
        let sync = try await TestSubscriber.sync(url: broker.url) { _ in nil }
        let proxy = TCPProxy(to: broker.port)
        let rig = try DeliveryRig(url: "mqtt://127.0.0.1:\(proxy.port)", outbox: path)
        for round in 1...6 {
            _ = await rig.outbox.append(SampleAlerts.alert(round))
            #expect(await rig.isConnected())
            proxy.cut()
            #expect(await eventually { !rig.service.isConnected })
        }
        #expect(await rig.outbox.status().rejected == 0)
        #expect(await rig.rows == 6)
        await sync.stop()
        let back = try await TestSubscriber.sync(url: broker.url)
        #expect(
            await eventually(timeout: 30) {
                rig.clock.advance(bySeconds: 31)
                return await rig.rows == 0
            })
        #expect(Set(back.alerts.map(\.seq)).isSubset(of: Set(1...6)))
        await rig.stop()
    }

    @Test("0x97: a broker whose quota is used up is left in peace, except for what is critical; nothing is lost")
    func quota() async throws {
        let isUsedUp = ReasonSwitch()
        let broker = Self.broker { alert, id in
            alert.severity != .critical && isUsedUp.isOn ? [.publishAnswer(id: id, reason: 0x97)] : nil
        }
        let rig = try DeliveryRig(url: broker.url, outbox: path)
        _ = await rig.outbox.append((1...5).map { SampleAlerts.alert($0) })
        #expect(await eventually { broker.payloads("/alert").count == 5 })
        #expect(await eventually { await rig.service.degraded() == [.brokerRefused] })
        _ = await rig.outbox.append((6...10).map { SampleAlerts.alert($0) })
        _ = await rig.outbox.append(SampleAlerts.alert(11, severity: .critical))
        #expect(await eventually { await rig.rows == 10 })
        #expect(broker.payloads("/alert").count == 6)
        isUsedUp.turnOff()
        #expect(
            await eventually(timeout: 20) {
                rig.clock.advance(bySeconds: 31)
                return await rig.rows == 0
            })
        #expect(await rig.outbox.status().rejected == 0)
        #expect(await rig.service.degraded().isEmpty)
        await rig.stop()
    }

    @Test("0x87: a broker that forbids everything gets each message once in 30 s, then less, and everything stays")
    func forbidden() async throws {
        let broker = Self.broker { _, id in [.publishAnswer(id: id, reason: 0x87)] }
        let rig = try DeliveryRig(url: broker.url, outbox: path)
        _ = await rig.outbox.append((1...5).map { SampleAlerts.alert($0) })
        #expect(await eventually { broker.payloads("/alert").count == 5 })
        for (elapsedS, count) in [(31.0, 10), (61, 15), (121, 20)] {
            rig.clock.advance(bySeconds: elapsedS)
            #expect(await eventually { broker.payloads("/alert").count == count })
        }
        #expect(await rig.rows == 5 && broker.connections == 1)
        #expect(await rig.service.degraded() == [.brokerRefused])
        await rig.stop()
    }

    @Test("0x8E: a rival with the same id is told in the heartbeat's codes")
    func rival() async throws {
        let broker = ScriptedBroker { packet, connection in
            if case .publish(let topic, _, _) = packet, topic.hasSuffix("/status"), connection == 1 { return [.disconnect(0x8E)] }
            return ScriptedBroker.polite(packet)
        }
        let rig = try DeliveryRig(url: broker.url, outbox: path)
        #expect(await eventually { await rig.service.degraded() == [.clientIDTaken] })
        #expect(await rig.isConnected())
        await rig.stop()
    }

    @Test("A snapshot goes out on its own topic as JPEG, and its receipt takes it out of the outbox")
    func snapshot() async throws {
        let broker = ScriptedBroker { packet, _ in
            guard case .publish(let topic, let payload, _) = packet, !topic.hasSuffix("/status") else {
                return ScriptedBroker.polite(packet)
            }
            guard topic.contains("/snapshot/") else { return ScriptedBroker.polite(packet) + [Self.receipt(payload)] }
            let id = AlertID(String(topic.split(separator: "/").last ?? ""))
            let message = ReceiptMessage(receipts: [], snapshots: id.map { [$0] } ?? [])
            let bytes = (try? WireCodec.encode(message)) ?? Data()
            return ScriptedBroker.polite(packet) + [.publish(topic: Topic.receipt(SampleAlerts.identity).name, payload: bytes)]
        }
        let rig = try DeliveryRig(url: broker.url, outbox: path)
        let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 9, count: 100_000))
        try await rig.outbox.append(snapshot: jpeg, of: SampleAlerts.id(1), takenAt: rig.clock.wallTime())
        _ = await rig.outbox.append(SampleAlerts.alert(1))
        #expect(await rig.isEmpty())
        #expect(broker.payloads("/snapshot/\(SampleAlerts.id(1))") == [jpeg])
        await rig.stop()
    }
}

/// What a test turns off.
final class ReasonSwitch: Sendable {
    private let on = Mutex(true)
    var isOn: Bool { on.withLock { $0 } }
    func turnOff() { on.withLock { $0 = false } }
}
