import FleetModel
import FleetRuntime
import FleetStore
import FoundationEssentials

/// Turns a message into something to store, or into a row of the quarantine with its reason. Pure.
enum MessageReader {
    /// What a message is, and what its receipt answers to.
    struct Reading: Sendable {
        let item: IncomingItem
        /// Vehicle, id and revision to receipt; nil for what is not receipted.
        let receiptKey: ReceiptKey?
        /// Why it goes into quarantine; nil when it does not.
        let rejection: String?
    }

    /// What a receipt is about.
    struct ReceiptKey: Hashable, Sendable {
        let vehicle: VehicleIdentity
        let id: AlertID
        let revision: Int
    }

    /// Largest payload that the quarantine keeps whole, in bytes.
    static let quarantinedPayloadLimit = 64 * 1024

    static func read(_ message: InboundMessage) -> Reading {
        guard let topic = Topic(name: message.topic) else { return reject(message, "the topic is none of the contract", key: nil) }
        do {
            switch topic {
            case .alert(let vehicle): return try readAlert(message, vehicle)
            case .heartbeat(let vehicle):
                let heartbeat = try WireCodec.decode(Heartbeat.self, from: message.payload)
                guard heartbeat.identity == vehicle else { return reject(message, "fleet or vehicle is not its topic's", key: nil) }
                return Reading(
                    item: .heartbeat(heartbeat, payload: message.payload, receivedAt: message.receivedAt), receiptKey: nil,
                    rejection: nil)
            case .status(let vehicle):
                if message.payload.isEmpty { return Reading(item: .statusCleared(vehicle), receiptKey: nil, rejection: nil) }
                let status = try WireCodec.decode(VehicleStatus.self, from: message.payload)
                guard status.identity == vehicle else { return reject(message, "fleet or vehicle is not its topic's", key: nil) }
                let heardAt = message.isRetained ? min(status.connectedAt, message.receivedAt) : message.receivedAt
                return Reading(item: .status(status, receivedAt: heardAt), receiptKey: nil, rejection: nil)
            // Pictures go another way, see `SnapshotIngestor`.
            case .snapshot, .receipt: return reject(message, "nothing that a service takes in here", key: nil)
            }
        } catch {
            let key: ReceiptKey? = if case .alert(let vehicle) = topic { namedKey(message, vehicle) } else { nil }
            return reject(message, (error as? WireCodec.Malformed)?.reason ?? "not readable", key: key)
        }
    }

    private static func readAlert(_ message: InboundMessage, _ vehicle: VehicleIdentity) throws -> Reading {
        switch try WireCodec.decodeAlertTopicMessage(from: message.payload) {
        case .gap(let gap):
            let key = ReceiptKey(vehicle: vehicle, id: gap.id, revision: 1)
            guard gap.identity == vehicle else { return reject(message, "fleet or vehicle is not its topic's", key: key) }
            return Reading(
                item: .gap(gap, payload: message.payload, receivedAt: message.receivedAt), receiptKey: key, rejection: nil)
        case .alert(let alert):
            let key = ReceiptKey(vehicle: vehicle, id: alert.id, revision: alert.revision)
            guard alert.identity == vehicle else { return reject(message, "fleet or vehicle is not its topic's", key: key) }
            return Reading(
                item: .alert(alert, payload: message.payload, receivedAt: message.receivedAt), receiptKey: key, rejection: nil)
        }
    }

    /// What the message's user properties say that it is, so that even an unreadable one can be answered.
    private static func namedKey(_ message: InboundMessage, _ vehicle: VehicleIdentity) -> ReceiptKey? {
        guard let id = message.properties["id"].flatMap(AlertID.init),
            let revision = message.properties["revision"].flatMap({ Int($0) }),
            (1...1_000_000).contains(revision)
        else { return nil }
        return ReceiptKey(vehicle: vehicle, id: id, revision: revision)
    }

    /// `message` as a row of the quarantine, and what it is answered for.
    static func reject(_ message: InboundMessage, _ reason: String, key: ReceiptKey?) -> Reading {
        let item = IncomingItem.quarantine(
            topic: message.topic.printable, payload: message.payload.prefix(quarantinedPayloadLimit), reason: reason,
            receivedAt: message.receivedAt)
        return Reading(item: item, receiptKey: key, rejection: reason)
    }
}
