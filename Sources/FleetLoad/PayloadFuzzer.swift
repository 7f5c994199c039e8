import FleetModel
import FleetRuntime
import Foundation

/// Makes messages that no reader of the contract may accept, each by the seed; every one of them is checked to be unreadable.
struct PayloadFuzzer: Sendable {
    /// One message, and the id under which it must be receipted as rejected; nil where it names none.
    struct Message: Sendable {
        var topic: String
        var payload: Data
        /// The user properties `id` and `revision`.
        var names: (id: AlertID, revision: Int)?
    }

    private var random: SeededGenerator

    /// The messages of `seed`.
    init(seed: UInt64) { random = SeededGenerator(seed: seed, purpose: "fuzzer") }

    /// A malformed message from `alert`'s vehicle, made out of `alert`.
    mutating func malformed(from alert: Alert, wall: Timestamp) -> Message {
        var victim = alert
        victim.id = AlertID.v7(at: wall, using: &random)
        let good = (try? WireCodec.encode(victim)) ?? Data()
        if random.uniform(0...1) < 0.25 { return elsewhere(victim.identity, good) }
        if random.uniform(0...1) < 0.08 { return foreign(victim) }
        var payload = wreck(good)
        // What a few flipped bits leave readable is no malformed message.
        if Self.isReadable(payload) { payload = Data(good.prefix(good.count / 2)) }
        let isNamed = random.uniform(0...1) < 0.5
        return Message(
            topic: Topic.alert(victim.identity).name, payload: payload, names: isNamed ? (victim.id, victim.revision) : nil)
    }

    /// Whether anything of the contract can be read on the alert topic, whatever its fleet and vehicle.
    private static func isReadable(_ payload: Data) -> Bool {
        (try? WireCodec.decodeAlert(from: payload)) != nil || (try? WireCodec.decode(GapEvent.self, from: payload)) != nil
    }

    /// On other topics: names that are none, nonsense for heartbeat, status and snapshot.
    private mutating func elsewhere(_ who: VehicleIdentity, _ good: Data) -> Message {
        switch Int(random.next() % 4) {
        case 0: Message(topic: "fleet/v1/\(who.fleet) x/\(who.vehicle)/alert", payload: good)
        case 1: Message(topic: Topic.heartbeat(who).name, payload: wreckedObject(), names: nil)
        case 2: Message(topic: Topic.status(who).name, payload: wreckedObject(), names: nil)
        default: Message(topic: Topic.snapshot(who, alertID: "not-a-uuid").name, payload: noise(upTo: 4000), names: nil)
        }
    }

    /// Readable, but of another vehicle than its topic's: the id in it is receipted.
    private func foreign(_ victim: Alert) -> Message {
        var stranger = victim
        stranger.identity = VehicleIdentity(fleet: victim.identity.fleet, vehicle: "stranger") ?? victim.identity
        return Message(
            topic: Topic.alert(victim.identity).name, payload: (try? WireCodec.encode(stranger)) ?? Data(),
            names: (victim.id, victim.revision))
    }

    private mutating func wreck(_ good: Data) -> Data {
        switch Int(random.next() % 12) {
        case 0: return good.prefix(Int(random.uniform(1...Double(good.count - 1))))
        case 1: return flipBits(good)
        case 2: return noise(upTo: 2000)
        case 3: return Data()
        case 4: return nested()
        case 5: return replacing(good, "\"revision\":", with: "\"revision\":1e400,\"x\":")
        case 6: return replacing(good, "fleet.alert/1", with: "fleet.alert/\(random.next() % 1000 + 2)")
        // Seldom: a few thousand of them would be all that the quarantine can hold.
        case 7:
            return random.uniform(0...1) < 0.02 ? Data(repeating: 0x20, count: WireCodec.maximumPayloadBytes + 1) : noise(upTo: 20)
        case 8: return good + good
        case 9: return replacing(good, "\"phase\":\"", with: "\"phase\":\"\u{0}\u{202E}")
        case 10: return replacing(good, "\"monotonicS\":", with: "\"monotonicS\":-")
        default:
            return replacing(good, "\"seq\":", with: random.pick(["\"seq\":null,\"y\":", "\"seq\":\"1\",\"y\":", "\"seq\":-"]))
        }
    }

    private mutating func wreckedObject() -> Data {
        let members = [
            "\"fleet\":5", "\"vehicle\":null", "\"schema\":\"fleet.heartbeat/1\"", "\"seq\":1e999", "\"at\":\"yesterday\"",
            "\"boot\":[]",
        ]
        return Data("{\(members.shuffled(using: &random).prefix(3).joined(separator: ","))}".utf8)
    }

    private mutating func noise(upTo limit: Int) -> Data {
        let count = Int(random.uniform(1...Double(limit)))
        return Data((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }

    private mutating func flipBits(_ good: Data) -> Data {
        var bytes = [UInt8](good)
        for _ in 0..<Int(random.uniform(1...20)) {
            bytes[Int(random.next() % UInt64(bytes.count))] ^= 1 << UInt8(random.next() % 8)
        }
        return Data(bytes)
    }

    private mutating func nested() -> Data {
        let depth = Int(random.uniform(100...30_000))
        return Data(repeating: random.pick([0x5B, 0x7B]), count: depth)
    }

    private func replacing(_ good: Data, _ old: String, with new: String) -> Data {
        Data(String(decoding: good, as: UTF8.self).replacing(old, with: new, maxReplacements: 1).utf8)
    }
}
