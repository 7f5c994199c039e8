import FleetTestSupport
import Foundation
import MQTTClient
import Synchronization
import Testing

/// What a broker may say against a client, at every point at which it may say it.
@Suite struct ReasonCodeTests {
    static let codes: [(UInt8, String)] = [
        (0x87, "not authorised (0x87)"), (0x8E, "session taken over by another client with the same id (0x8E)"),
        (0x95, "packet too large (0x95)"), (0x97, "quota exceeded (0x97)"),
    ]

    /// A script whose answer a test changes.
    final class Switch: Sendable {
        private let on = Mutex(true)
        var isOn: Bool { on.withLock { $0 } }
        func turnOff() { on.withLock { $0 = false } }
    }

    @Test("A refused connection is named, tried again, and made once the broker takes it", arguments: codes)
    func refusedConnection(code: UInt8, name: String) async throws {
        let refusing = Switch()
        let broker = ScriptedBroker { packet, _ in
            if case .connect = packet, refusing.isOn { return [.connectAnswer(code), .hangUp] }
            return ScriptedBroker.polite(packet)
        }
        let client = try await Connected(url: broker.url, id: "c", minimumBackoffS: 0.05, wait: false)
        #expect(await eventually { client.client.refusal?.description == name && broker.connections >= 3 })
        #expect(!client.client.isConnected && client.losses.isEmpty)
        refusing.turnOff()
        #expect(await eventually { client.client.isConnected })
        #expect(client.client.refusal == nil)
        await client.stop()
    }

    @Test("A connection that the broker ends is named, and made again", arguments: codes)
    func endedConnection(code: UInt8, name: String) async throws {
        let ending = Switch()
        let broker = ScriptedBroker { packet, _ in
            if case .publish = packet, ending.isOn { return [.disconnect(code)] }
            return ScriptedBroker.polite(packet)
        }
        let client = try await Connected(url: broker.url, id: "c", minimumBackoffS: 0.05)
        _ = try client.client.publish(MQTTMessage(topic: "t", payload: Data([1])))
        #expect(await eventually { client.losses.count == 1 })
        #expect(client.losses.first == "connection to 127.0.0.1:\(broker.port) lost: " + name)
        #expect(client.ends.first?.reason == MQTTReasonCode(rawValue: Int32(code)) && client.ends.first?.isOwnDoing == false)
        ending.turnOff()
        #expect(await eventually { client.client.isConnected })
        #expect(client.client.hasRival == (code == 0x8E))
        await client.stop()
    }

    @Test("A refused message is named, and the connection stays", arguments: codes)
    func refusedMessage(code: UInt8, name: String) async throws {
        let broker = ScriptedBroker { packet, _ in
            if case .publish(_, _, let id) = packet { return [.publishAnswer(id: id, reason: code)] }
            return ScriptedBroker.polite(packet)
        }
        let client = try await Connected(url: broker.url, id: "c")
        let token = try client.client.publish(MQTTMessage(topic: "t", payload: Data([1])))
        #expect(await eventually { client.answer(to: token) != nil })
        let reason = try #require(client.answer(to: token))
        #expect(reason.description == name && reason.isFailure)
        #expect(reason.blamesMessage == (code == 0x95) && reason.asksForPatience == (code == 0x97))
        #expect(client.client.isConnected && broker.connections == 1)
        await client.stop()
    }

    @Test("Every kind of nonsense from a broker ends the connection and not the client")
    func nonsense() async throws {
        let broker = ScriptedBroker { packet, connection in
            guard case .connect = packet else { return ScriptedBroker.polite(packet) }
            return switch connection {
            case 1: [.hangUp]
            // Answers that nobody asked for.
            case 2: [.publishAnswer(id: 7, reason: 0), .hangUp]
            case 3: [.subscribeAnswer(id: 9, count: 100), .hangUp]
            case 4: [.pingAnswer, .connectAnswer(0xFF), .hangUp]
            case 5: [.connectAnswer(0), .connectAnswer(0), .hangUp]
            case 6: [.connectAnswer(0), .publish(topic: "", payload: Data()), .publishAnswer(id: 0, reason: 0xFF), .hangUp]
            default: [.connectAnswer(0)]
            }
        }
        let client = try await Connected(url: broker.url, id: "c", minimumBackoffS: 0.02, wait: false)
        #expect(await eventually(timeout: 20) { broker.connections >= 7 && client.client.isConnected })
        await client.stop()
    }
}
