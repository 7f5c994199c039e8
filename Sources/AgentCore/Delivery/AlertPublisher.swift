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
    /// Whether alerts wait because they are larger than the present connection carries.
    private(set) var isHoldingBack = false
    /// Until when a broker whose quota is used up is left in peace, on the monotonic clock.
    private var restUntilS = -Double.infinity
    private var unreadableReceipts = 0
    private var nextTold = 1.0
    private var quota = Backoff(minimumS: 2, maximumS: 120)

    init(identity: VehicleIdentity, outbox: DurableOutbox, transport: any MQTTTransport, clock: any FleetClock) {
        self.identity = identity
        self.outbox = outbox
        self.transport = transport
        self.clock = clock
    }

    /// Publishes everything that is due and has room in the outbox's window; while the broker's quota is used up, only what is critical.
    func publishDue() async {
        guard transport.isConnected else { return }
        let nowS = clock.monotonicS()
        for row in await outbox.handOver(nowS: nowS, urgentOnly: nowS < restUntilS) { await publish(row) }
    }

    private func publish(_ row: OutboxRow) async {
        do throws(MQTTError) {
            sent[try transport.publish(message(row))] = row
        } catch .notConnected {
            await outbox.returned(row)
        } catch .tooLarge {
            await tooLarge(row)
        } catch {
            if error.blamesMessage {
                // The same as a broker that never takes it.
                _ = await outbox.refused(row, isPermanent: true, reason: "\(error)")
            } else {
                await holdBack(row, because: "alerts cannot be sent on this connection: \(error)")
            }
        }
    }

    /// An alert is never larger than the contract says: a broker that does not take it is set up wrongly, and the alert waits until that is
    /// put right. A picture is moved aside.
    private func tooLarge(_ row: OutboxRow) async {
        guard row.schema != nil else {
            await outbox.setAside(row, reason: "larger than the broker takes (\(row.payload.count) bytes)")
            return
        }
        await holdBack(row, because: "the broker takes no messages of \(row.payload.count) bytes: raise its limit")
    }

    /// The row waits for another connection; told once a connection.
    private func holdBack(_ row: OutboxRow, because reason: String) async {
        if !isHoldingBack { log.error("\(reason); they wait") }
        isHoldingBack = true
        await outbox.held(row)
    }

    private func message(_ row: OutboxRow) -> MQTTMessage {
        guard let schema = row.schema else {
            let topic = Topic.snapshot(identity, alertID: row.id.description).name
            return MQTTMessage(
                topic: topic, payload: row.payload, contentType: "image/jpeg", userProperties: [("id", row.id.description)])
        }
        return MQTTMessage(
            topic: Topic.alert(identity).name, payload: row.payload, contentType: "application/json",
            userProperties: [("schema", schema), ("id", row.id.description), ("revision", String(row.revision))])
    }

    /// The broker answered for a message. An acknowledgement is no receipt: the row stays.
    func answered(token: Int32, reason: MQTTReasonCode) async {
        guard let row = sent.removeValue(forKey: token) else { return }
        guard reason.isFailure else {
            refusal = nil
            quota.reset()
            return await outbox.acknowledged(row)
        }
        if refusal != reason { log.error("the broker refuses alerts: \(reason)") }
        refusal = reason
        if reason.asksForPatience { restUntilS = max(restUntilS, clock.monotonicS() + quota.next()) }
        _ = await outbox.refused(row, isPermanent: reason.blamesMessage, reason: "refused by the broker: \(reason)")
    }

    /// The connection is lost; what was under way on it is sent again on the next.
    func connectionLost(_ reason: MQTTReasonCode?, isOwnDoing: Bool) async {
        sent = [:]
        isHoldingBack = false
        let loss: DurableOutbox.ConnectionLoss =
            if isOwnDoing { .other } else if let reason { reason.blamesMessage ? .message : .other } else { .unknown }
        await outbox.connectionLost(loss)
    }

    /// Takes a message from the receipt topic in; nonsense is told and ignored.
    func received(receipt message: MQTTMessage) async {
        do throws(WireCodec.Malformed) {
            await outbox.settle(try WireCodec.decode(ReceiptMessage.self, from: message.payload))
        } catch {
            unreadableReceipts += 1
            // The first, then one line for ten times as many: who sends nonsense could else fill the log.
            if Double(unreadableReceipts) >= nextTold {
                log.warning("a receipt is not readable (\(unreadableReceipts) so far): \(error.reason)")
                nextTold *= 10
            }
        }
    }
}
