import FleetModel
import FleetRuntime
import FleetStore
import FoundationEssentials

/// Stores batches of messages and says what to answer. One transaction a batch; receipts only for what is on disk.
struct Ingestor: Sendable {
    /// What a batch leads to.
    struct Result: Sendable {
        /// One message a vehicle.
        var receipts: [VehicleIdentity: ReceiptMessage] = [:]
        /// Alert revisions that are new in the store, for live readers.
        var storedAlerts: [StoredAlert] = []
        /// Whether a vehicle's status or heartbeat changed.
        var vehiclesChanged = false
    }

    let store: any AlertStore
    let lateAfterS: Double
    let counters: IngestCounters
    private let log = Log("ingest")

    init(store: any AlertStore, lateAfterS: Double, counters: IngestCounters) {
        self.store = store
        self.lateAfterS = lateAfterS
        self.counters = counters
    }

    /// Reads and stores a batch; throws as `store` does.
    func ingest(_ messages: [InboundMessage]) async throws -> Result { try await store(read(messages)) }

    /// Reads a batch; to be called while the store is busy with the batch before.
    func read(_ messages: [InboundMessage]) -> [MessageReader.Reading] {
        let readings = messages.map(MessageReader.read)
        // One line a batch: a flood of nonsense must not become a flood of lines.
        let rejections = readings.compactMap(\.rejection)
        if let first = rejections.first {
            log.warning("quarantined \(rejections.count) of \(messages.count) messages, the first: \(first)")
        }
        return readings
    }

    /// Stores a batch that was read. Throws only when the store fails: then nothing of it is stored and nothing may be receipted.
    func store(_ readings: [MessageReader.Reading]) async throws -> Result {
        let outcomes = try await store.store(readings.map(\.item))
        var result = Result()
        for (reading, outcome) in zip(readings, outcomes) {
            counters.count(reading.item, outcome)
            if let key = reading.receiptKey {
                result.receipts[key.vehicle, default: ReceiptMessage(receipts: [])].receipts.append(
                    receipt(key, outcome, reading.rejection))
            }
            note(reading.item, outcome, in: &result)
        }
        return result
    }

    private func receipt(_ key: MessageReader.ReceiptKey, _ outcome: StoreOutcome, _ rejection: String?) -> Receipt {
        if let rejection { return Receipt(id: key.id, revision: key.revision, result: .rejected, reason: rejection) }
        if case .stored = outcome { return Receipt(id: key.id, revision: key.revision, result: .stored) }
        return Receipt(id: key.id, revision: key.revision, result: .duplicate)
    }

    private func note(_ item: IncomingItem, _ outcome: StoreOutcome, in result: inout Result) {
        switch (item, outcome) {
        case (.alert(let alert, _, let receivedAt), .stored(let cursor)):
            let late = receivedAt.seconds(since: alert.at) > lateAfterS
            result.storedAlerts.append(StoredAlert(alert: alert, receivedAt: receivedAt, late: late, cursor: cursor))
        case (.status, .stored), (.heartbeat, _): result.vehiclesChanged = true
        default: break
        }
    }
}
