import DurableOutbox
import FleetModel
import FleetRuntime
import MQTTClient

/// Takes rows from the outbox while there is a connection, publishes them, and settles them by their receipts.
actor AlertPublisher {
    private let identity: VehicleIdentity
    private let outbox: DurableOutbox
    private let transport: any MQTTTransport
    private let clock: any FleetClock
    private let log = Log("delivery")
    /// Rows whose acknowledgement by the broker is still to come, by the token under which it comes.
    private var sent: [Int32: OutboxRow] = [:]
    /// The broker's last refusal of a message; nil since it took one.
    private(set) var refusal: MQTTReasonCode?

    init(identity: VehicleIdentity, outbox: DurableOutbox, transport: any MQTTTransport, clock: any FleetClock) {
        self.identity = identity
        self.outbox = outbox
        self.transport = transport
        self.clock = clock
    }

    /// Publishes everything that is due and has room in the outbox's window.
    func publishDue() async {
        guard transport.isConnected else { return }
        for row in await outbox.handOver(nowS: clock.monotonicS()) { await publish(row) }
    }

    private func publish(_ row: OutboxRow) async {
        let message = MQTTMessage(
            topic: Topic.alert(identity).name, payload: row.payload, contentType: "application/json",
            userProperties: [("schema", row.schema), ("id", row.id.description), ("revision", String(row.revision))])
        do throws(MQTTError) {
            sent[try transport.publish(message)] = row
        } catch .notConnected {
            await outbox.returned(row)
        } catch .tooLarge {
            await outbox.setAside(row, reason: "larger than the broker takes (\(row.payload.count) bytes)")
        } catch {
            log.error("alert \(row.id) revision \(row.revision) cannot be published: \(error)")
        }
    }

    /// The broker answered for a message. An acknowledgement is no receipt: the row stays.
    func answered(token: Int32, reason: MQTTReasonCode) async {
        guard let row = sent.removeValue(forKey: token) else { return }
        guard reason.isFailure else {
            refusal = nil
            return await outbox.acknowledged(row)
        }
        if refusal != reason { log.error("the broker refuses alerts: \(reason)") }
        refusal = reason
        _ = await outbox.refused(row, isPermanent: Self.permanent.contains(reason), reason: "refused by the broker: \(reason)")
    }

    /// Refusals that depend on the message alone: sending it again changes nothing. All others are a matter of the broker's
    /// configuration or load, and their messages are kept.
    private static let permanent: Set<MQTTReasonCode> = [
        .packetTooLarge, MQTTReasonCode(rawValue: 0x90), MQTTReasonCode(rawValue: 0x99),
    ]

    /// The connection is lost; what was under way on it is sent again on the next.
    func connectionLost() async {
        sent = [:]
        await outbox.connectionLost()
    }

    /// Takes a message from the receipt topic in; nonsense is told and ignored.
    func received(receipt message: MQTTMessage) async {
        do throws(WireCodec.Malformed) {
            await outbox.settle(try WireCodec.decode(ReceiptMessage.self, from: message.payload))
        } catch {
            log.warning("a receipt is not readable: \(error.reason)")
        }
    }
}
