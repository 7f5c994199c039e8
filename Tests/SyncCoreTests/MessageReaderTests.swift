import FleetModel
import FleetStore
import FleetTestSupport
import Foundation
import Testing

@testable import SyncCore

@Suite("Reading messages")
struct MessageReaderTests {
    static let topic = Topic.alert(SampleAlerts.identity).name

    static func message(_ topic: String, _ payload: Data, properties: [String: String] = [:], isRetained: Bool = false)
        -> InboundMessage
    {
        InboundMessage(
            topic: topic, payload: payload, isRetained: isRetained, properties: properties,
            receivedAt: Timestamp(secondsSinceEpoch: 1_772_352_010))
    }

    /// What hostile or broken senders send; none of it may be taken for an alert, and none may end the process.
    static let adversarial: [(name: String, payload: Data)] = [
        ("nothing", Data()), ("a NUL", Data([0])), ("no UTF-8", Data([0xFF, 0xFE, 0x80])), ("text", Data("hello".utf8)),
        ("null", Data("null".utf8)), ("a number", Data("1e999".utf8)), ("an array", Data("[]".utf8)),
        ("an empty object", Data("{}".utf8)),
        ("half an object", Data(#"{"schema":"fleet.alert/1","id":"#.utf8)),
        ("another schema", Data(#"{"schema":"fleet.alert/2"}"#.utf8)),
        ("a schema that is a list", Data(#"{"schema":["fleet.alert/1"]}"#.utf8)),
        ("deep nesting", Data(String(repeating: "[", count: 50_000).utf8)),
        ("deep objects", Data(String(repeating: #"{"a":"#, count: 10_000).utf8)),
        ("a megabyte", Data(repeating: 0x20, count: 1 << 20)),
        ("doubled keys", altered(#""revision":1"#, #""revision":1,"revision":2"#)),
        ("revision 0", altered(#""revision":1"#, #""revision":0"#)),
        ("a negative revision", altered(#""revision":1"#, #""revision":-1"#)),
        ("a fractional revision", altered(#""revision":1"#, #""revision":1.5"#)),
        ("a huge revision", altered(#""revision":1"#, #""revision":99999999999999999999"#)),
        ("the highest sequence number of 64 bits", altered(#""seq":0"#, #""seq":9223372036854775807"#)),
        ("no UUID", altered(SampleAlerts.id(1).description, "../../etc/passwd")),
        ("a fleet with a wildcard", altered(#""fleet":"demo""#, #""fleet":"+""#)),
        ("a kind that nobody knows", altered(#""kind":"overspeed""#, #""kind":"flying""#)),
        ("details of another kind", altered(#""kind":"overspeed""#, #""kind":"collision""#)),
        ("a time that is none", altered("2026-03-01T08:00:00.000Z", "2026-13-01T08:00:00Z")),
        ("a speed above any road's", altered(#""maxSpeedMps":18.9"#, #""maxSpeedMps":1e30"#)),
    ]

    /// A good alert's bytes with a part replaced.
    private static func altered(_ part: String, _ replacement: String) -> Data {
        let text = (try? WireCodec.encode(SampleAlerts.alert(1))).map { String(decoding: $0, as: UTF8.self) } ?? ""
        precondition(text.contains(part), part)
        return Data(text.replacing(part, with: replacement).utf8)
    }

    @Test("what is no alert is quarantined with its bytes and a reason", arguments: adversarial.indices)
    func adversarialPayloads(index: Int) throws {
        let (name, payload) = Self.adversarial[index]
        let reading = MessageReader.read(Self.message(Self.topic, payload))
        guard case .quarantine(let topic, let kept, let reason, _) = reading.item else {
            Issue.record("\(name) was taken")
            return
        }
        #expect(topic == Self.topic)
        #expect(kept == payload.prefix(MessageReader.quarantinedPayloadLimit))
        #expect((1...300).contains(reason.count))
        #expect(reading.receiptKey == nil || name == "a fleet with a wildcard")
    }

    @Test("an unreadable message is answered under the id and revision that its properties name")
    func namedByProperties() {
        let id = SampleAlerts.id(5)
        let named = MessageReader.read(
            Self.message(Self.topic, Data("x".utf8), properties: ["id": id.description, "revision": "3"]))
        #expect(named.receiptKey == .init(vehicle: SampleAlerts.identity, id: id, revision: 3))
        for wrong in [["id": id.description], ["id": "x", "revision": "1"], ["id": id.description, "revision": "0"]] {
            #expect(MessageReader.read(Self.message(Self.topic, Data("x".utf8), properties: wrong)).receiptKey == nil)
        }
    }

    @Test("an alert of another vehicle than its topic's is quarantined and answered to the topic's vehicle")
    func wrongTopic() throws {
        let other = try #require(VehicleIdentity(fleet: "demo", vehicle: "bus-4"))
        let payload = try WireCodec.encode(SampleAlerts.alert(1))
        let reading = MessageReader.read(Self.message(Topic.alert(other).name, payload))
        #expect(reading.rejection != nil)
        #expect(reading.receiptKey?.vehicle == other)
    }

    @Test(
        "topics that the contract does not know are quarantined",
        arguments: [
            "", "fleet", "fleet/v2/a/b/alert", "fleet/v1/a/b/c/alert", "fleet/v1//b/alert", "fleet/v1/a/b/alert/", "$SYS/x",
        ])
    func unknownTopics(topic: String) throws {
        let reading = MessageReader.read(Self.message(topic, try WireCodec.encode(SampleAlerts.alert(1))))
        #expect(reading.rejection != nil)
        #expect(reading.receiptKey == nil)
    }

    @Test("a heartbeat of a newer agent with a code that is not known here is kept")
    func newerHeartbeat() throws {
        let beat = Heartbeat(
            identity: SampleAlerts.identity, boot: "boot", seq: 1, at: .epoch, intervalS: 10, queue: .init(alerts: 0, bytes: 0),
            uptimeS: 1, software: "9.0.0")
        let text = String(decoding: try WireCodec.encode(beat), as: UTF8.self)
            .replacing(
                #""degraded":[]"#, with: #""degraded":[{"code":"lidar_wet","since":"2026-03-01T08:00:00.000Z"}],"lidar":{"x":1}"#)
        let reading = MessageReader.read(Self.message(Topic.heartbeat(SampleAlerts.identity).name, Data(text.utf8)))
        guard case .heartbeat(let read, _, _) = reading.item else {
            Issue.record("\(reading.rejection ?? "")")
            return
        }
        #expect(read.degraded.map(\.code.rawValue) == ["lidar_wet"])
    }

    @Test("a retained status is as old as its connection; an empty one takes the vehicle off")
    func statuses() throws {
        let status = VehicleStatus(
            identity: SampleAlerts.identity, state: .online, reason: nil, boot: "boot", session: 3,
            connectedAt: Timestamp(secondsSinceEpoch: 1_772_350_000))
        let topic = Topic.status(SampleAlerts.identity).name
        let reading = MessageReader.read(Self.message(topic, try WireCodec.encode(status), isRetained: true))
        guard case .status(status, let heardAt) = reading.item else {
            Issue.record("not read")
            return
        }
        #expect(heardAt == status.connectedAt)
        guard case .statusCleared(SampleAlerts.identity) = MessageReader.read(Self.message(topic, Data())).item else {
            Issue.record("not cleared")
            return
        }
    }
}
