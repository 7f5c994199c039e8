import FleetModel
import FleetStore
import FleetTestSupport
import Foundation
import Testing

@testable import SyncCore

@Suite("Taking messages in")
struct IngestorTests {
    private func ingestor(_ folder: TemporaryFolder) throws -> (Ingestor, SQLiteStore) {
        let store = try SQLiteStore(path: folder.path("fleet.db"))
        return (Ingestor(store: store, counters: IngestCounters()), store)
    }

    private func message(_ alert: Alert) throws -> InboundMessage {
        MessageReaderTests.message(Topic.alert(alert.identity).name, try WireCodec.encode(alert))
    }

    /// The receipts of a vehicle, whose bytes have to be those that the codec writes.
    private func receipts(_ result: Ingestor.Result, _ vehicle: VehicleIdentity) throws -> [Receipt] {
        let payload = try #require(result.receipts[vehicle]).payload
        let message = try WireCodec.decode(ReceiptMessage.self, from: payload)
        #expect(try WireCodec.encode(message) == payload)
        return message.receipts
    }

    @Test("a batch is answered in one message a vehicle, every revision with its result")
    func receipts() async throws {
        let folder = try TemporaryFolder()
        let (ingestor, store) = try ingestor(folder)
        let other = try #require(VehicleIdentity(fleet: "demo", vehicle: "bus-4"))
        let first = SampleAlerts.alert(1)
        let bad = MessageReaderTests.message(
            Topic.alert(other).name, Data("{".utf8), properties: ["id": SampleAlerts.id(8).description, "revision": "2"])
        let result = try await ingestor.store(
            ingestor.read([
                message(first), message(first), message(SampleAlerts.alert(1, severity: .critical)), bad,
                message(SampleAlerts.alert(2, identity: other)),
            ]))
        let mine = try receipts(result, SampleAlerts.identity)
        #expect(mine.map(\.result) == [.stored, .duplicate, .duplicate])
        let others = try receipts(result, other)
        #expect(others.map(\.result) == [.rejected, .stored])
        #expect(others[0].id == SampleAlerts.id(8))
        #expect(others[0].reason?.isEmpty == false)
        #expect(result.storedAlerts == 2)
        let totals = try await store.totals()
        #expect(totals.revisions == 2)
        #expect(totals.quarantined == 2)
    }

    @Test("all nonsense in one batch holds up nothing that follows")
    func nonsenseFirst() async throws {
        let folder = try TemporaryFolder()
        let (ingestor, store) = try ingestor(folder)
        let nonsense = MessageReaderTests.adversarial.map { MessageReaderTests.message(MessageReaderTests.topic, $0.payload) }
        let result = try await ingestor.store(ingestor.read(nonsense + [message(SampleAlerts.alert(1))]))
        #expect(result.storedAlerts == 1)
        #expect(try await store.totals().quarantined == Int64(nonsense.count))
    }

    @Test("nothing is answered when the store fails")
    func storeFails() async throws {
        struct Failure: Error {}
        struct Broken: AlertStore {
            let shareKey = ""
            func store(_ batch: [IncomingItem]) async throws -> [StoreOutcome] { throw Failure() }
            func alerts(_ query: AlertQuery) async throws -> AlertPage { throw Failure() }
            func changes(after cursor: Int64, _ query: AlertQuery) async throws -> AlertPage { throw Failure() }
            func history(of id: AlertID) async throws -> [StoredAlert] { throw Failure() }
            func vehicles() async throws -> [VehicleRecord] { throw Failure() }
            func vehicle(_ identity: VehicleIdentity) async throws -> VehicleRecord? { throw Failure() }
            func track(of identity: VehicleIdentity, since: Timestamp, until: Timestamp) async throws -> VehicleTrack {
                throw Failure()
            }
            func statistics(_ query: StatisticsQuery) async throws -> [StatisticsRow] { throw Failure() }
            func add(_ review: AlertReview) async throws -> AlertReview? { throw Failure() }
            func reviews(of id: AlertID) async throws -> [AlertReview] { throw Failure() }
            func reviews(after number: Int64, limit: Int) async throws -> [AlertReview] { throw Failure() }
            func latestReview() async throws -> Int64 { throw Failure() }
            func trimTracks(before oldest: Timestamp) async throws -> Int { throw Failure() }
            func latestCursor() async throws -> Int64 { throw Failure() }
            func totals() async throws -> StoreTotals { throw Failure() }
            func decommission(_ identity: VehicleIdentity) async throws -> Bool { throw Failure() }
            func backup(to path: String) async throws { throw Failure() }
            func forget(_ identity: VehicleIdentity, before: Timestamp?) async throws -> Int { throw Failure() }
            func record(_ entry: AuditEntry) async throws { throw Failure() }
            func auditEntries(before: Int64?, limit: Int) async throws -> AuditList { throw Failure() }
            func removeAuditEntries(before oldest: Timestamp) async throws -> Int { throw Failure() }
            func webhookCursor(of rule: String) async throws -> Int64 { throw Failure() }
            func enqueue(
                _ alerts: [(alert: Alert, dueAt: Timestamp)], rule: String, upTo cursor: Int64, now: Timestamp
            ) async throws -> Int { throw Failure() }
            func claim(rule: String, now: Timestamp, leaseS: Double, limit: Int) async throws -> [WebhookDelivery] {
                throw Failure()
            }
            func settle(_ delivery: WebhookDelivery) async throws { throw Failure() }
            func webhookDeliveries(before: Int64?, limit: Int) async throws -> WebhookDeliveryList { throw Failure() }
            func removeWebhookDeliveries(before oldest: Timestamp) async throws -> Int { throw Failure() }
            func trim(_ retention: Retention, now: Timestamp) async throws -> Int { throw Failure() }
        }
        let ingestor = Ingestor(store: Broken(), counters: IngestCounters())
        let messages = [try message(SampleAlerts.alert(1))]
        await #expect(throws: Failure.self) { try await ingestor.store(ingestor.read(messages)) }
    }

    @Test("a gap event is receipted under its own id")
    func gap() async throws {
        let folder = try TemporaryFolder()
        let (ingestor, _) = try ingestor(folder)
        let gap = GapEvent(
            identity: SampleAlerts.identity, id: SampleAlerts.id(50), fromSeq: 3, toSeq: 9, reason: .outboxFull, at: .epoch)
        let arrived = MessageReaderTests.message(MessageReaderTests.topic, try WireCodec.encode(gap))
        let receipts = try receipts(await ingestor.store(ingestor.read([arrived, arrived])), SampleAlerts.identity)
        #expect(receipts.map(\.result) == [.stored, .duplicate])
        #expect(receipts.map(\.id) == [gap.id, gap.id])
    }
}
