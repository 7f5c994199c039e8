import FleetModel
import MQTTClient

/// What was published and waits for its receipt: resends, and how long the receipts took. A value; its owner tells it the time.
struct ReceiptBook: Sendable {
    /// What a receipt names: a revision, or a snapshot.
    struct Key: Hashable, Sendable {
        let id: AlertID
        /// 0 for a snapshot.
        let revision: Int
    }

    /// Counts over the whole run.
    struct Counts: Sendable {
        /// Receipts for messages that were waiting.
        var stored = 0, duplicate = 0, rejected = 0
        /// Snapshots that were receipted.
        var snapshots = 0
        /// Malformed messages that were receipted as rejected, as they should be, and otherwise.
        var malformedRejected = 0, malformedAccepted = 0
        /// Publications of a message after its first.
        var resent = 0
        /// Receipts for what does not wait any more, or never did.
        var unexpected = 0
    }

    /// What is expected of a message.
    enum Expectation: Sendable { case stored, rejected, snapshot }

    private struct Entry {
        let message: MQTTMessage
        let connection: Int
        let expectation: Expectation
        /// When it was published first; nil when the time of its receipt says nothing, because a fault was put in its way.
        let raisedS: Double?
        var attempt = 1
    }

    private let resendS: Double
    private var waiting: [Key: Entry] = [:]
    private var due = DueQueue<(key: Key, attempt: Int)>()
    private(set) var counts = Counts()
    private(set) var latency = LatencyHistogram()

    /// Sends again after `resendS`, doubling up to twenty times that, as the contract has it (30 s, 10 min).
    init(resendS: Double) { self.resendS = resendS }

    /// Messages without a receipt.
    var left: Int { waiting.count }

    /// Notes that `message` is published now, or left out on purpose (`isTimed` false).
    mutating func expect(
        _ key: Key, _ expectation: Expectation, _ message: MQTTMessage, connection: Int, nowS: Double, isTimed: Bool
    ) {
        waiting[key] = Entry(
            message: message, connection: connection, expectation: expectation, raisedS: isTimed ? nowS : nil)
        due.add((key, 1), atS: nowS + resendS)
    }

    /// The next message whose receipt is overdue; it counts as published again.
    mutating func overdue(nowS: Double) -> (message: MQTTMessage, connection: Int)? {
        while let (key, attempt) = due.take(dueBy: nowS) {
            guard var entry = waiting[key], entry.attempt == attempt else { continue }
            entry.attempt += 1
            waiting[key] = entry
            counts.resent += 1
            due.add((key, entry.attempt), atS: nowS + min(resendS * Double(1 << min(attempt, 10)), resendS * 20))
            return (entry.message, entry.connection)
        }
        return nil
    }

    /// Takes a receipt message in.
    mutating func settle(_ message: ReceiptMessage, nowS: Double) {
        for receipt in message.receipts {
            guard let entry = waiting.removeValue(forKey: Key(id: receipt.id, revision: receipt.revision)) else {
                counts.unexpected += 1
                continue
            }
            if let raisedS = entry.raisedS { latency.add(nowS - raisedS) }
            switch (entry.expectation, receipt.result) {
            case (.rejected, .rejected): counts.malformedRejected += 1
            case (.rejected, _): counts.malformedAccepted += 1
            case (_, .stored): counts.stored += 1
            case (_, .duplicate): counts.duplicate += 1
            case (_, .rejected): counts.rejected += 1
            }
        }
        for id in message.snapshots where waiting.removeValue(forKey: Key(id: id, revision: 0)) != nil { counts.snapshots += 1 }
    }
}
