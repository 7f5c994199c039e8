import FleetModel
import FleetRuntime
import FleetStore
import FoundationEssentials

/// Stores batches of messages and says what to answer. One transaction a batch; receipts only for what is on disk.
struct Ingestor: Sendable {
    /// What a batch leads to.
    struct Result: Sendable {
        /// One message a vehicle.
        var receipts: [VehicleIdentity: ReceiptWriter] = [:]
        /// Alert revisions that are new in the store.
        var storedAlerts = 0
    }

    let store: any AlertStore
    let counters: IngestCounters
    private let rejections = RejectionLog()

    init(store: any AlertStore, counters: IngestCounters) {
        self.store = store
        self.counters = counters
    }

    /// Reads a batch; to be called while the store is busy with the batch before.
    func read(_ messages: [InboundMessage]) -> [MessageReader.Reading] {
        let readings = messages.map(MessageReader.read)
        let rejected = zip(messages, readings).filter { $1.rejection != nil }
        if let (message, reading) = rejected.last, let reason = reading.rejection {
            rejections.note(rejected.count, topic: message.topic.printable, reason: reason)
        }
        return readings
    }

    /// Stores a batch that was read. Throws only when the store fails: then nothing of it is stored and nothing may be receipted.
    func store(_ readings: [MessageReader.Reading]) async throws -> Result {
        let outcomes = try await store.store(readings.map(\.item))
        var result = Result()
        counters.count(zip(readings, outcomes).map { ($0.item, $1) })
        for (reading, outcome) in zip(readings, outcomes) {
            if let key = reading.receiptKey {
                answer(key, outcome, reading.rejection, in: &result.receipts[key.vehicle, default: .init()])
            }
            if case .alert = reading.item, case .stored = outcome { result.storedAlerts += 1 }
        }
        return result
    }

    private func answer(
        _ key: MessageReader.ReceiptKey, _ outcome: StoreOutcome, _ rejection: String?, in receipts: inout ReceiptWriter
    ) {
        let result: Receipt.Result =
            if rejection != nil { .rejected } else if case .stored = outcome { .stored } else { .duplicate }
        receipts.add(id: key.id, revision: key.revision, result: result, reason: rejection)
    }
}
