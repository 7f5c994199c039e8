import FleetModel
import FleetRuntime
import FleetStore
import FleetTestSupport
import Foundation
import HTTPServer
import Testing

@testable import SyncCore

@Suite("Alerts' pictures")
struct SnapshotTests {
    let fixture: APIFixture
    let ingestor: SnapshotIngestor
    let jpeg = SamplePicture.jpeg(1)

    init() throws {
        fixture = try APIFixture()
        ingestor = SnapshotIngestor(store: fixture.store, folder: fixture.snapshots)
    }

    private func picture(_ data: Data, of id: String, by vehicle: VehicleIdentity = SampleAlerts.identity) -> InboundMessage {
        InboundMessage(
            topic: Topic.snapshot(vehicle, alertID: id).name, payload: data, properties: [:], receivedAt: fixture.clock.wallTime())
    }

    private func alert(_ number: Int, picture: Data?) -> Alert {
        var alert = SampleAlerts.alert(number)
        alert.snapshot = picture.map {
            SnapshotReference(
                sha256: SHA256.hexadecimal(SHA256.digest(of: $0)), width: 640, height: 480, sessionTimeS: nil, box: nil)
        }
        return alert
    }

    @Test("a picture is kept, answered for, and served as what it is and nothing else")
    func served() async throws {
        try await fixture.fill(alert(1, picture: jpeg))
        let result = await ingestor.ingest([picture(jpeg, of: SampleAlerts.id(1).description)])
        #expect(result.stored == [SampleAlerts.identity: [SampleAlerts.id(1)]])
        #expect(result.rejected.isEmpty && result.failure == nil)
        let answer = await fixture.get("/api/v1/alerts/\(SampleAlerts.id(1))/snapshot")
        guard case .data(let data) = answer.body else { throw CocoaError(.fileReadUnknown) }
        #expect(answer.status == 200 && data == jpeg)
        let headers = Dictionary(answer.headers.map { ($0.name, $0.value) }) { $1 }
        #expect(headers["Content-Type"] == "image/jpeg" && headers["X-Content-Type-Options"] == "nosniff")
    }

    @Test("a picture that comes before its alert waits for it, a day at most")
    func waits() async throws {
        let now = WallClock.now()
        for i in 1...2 { _ = await ingestor.ingest([picture(SamplePicture.jpeg(i), of: SampleAlerts.id(i).description)]) }
        #expect(await fixture.get("/api/v1/alerts/\(SampleAlerts.id(1))/snapshot").status == 404)
        #expect(try await ingestor.lookAfterWaiting(now: now) == (0, 0))
        try await fixture.fill(alert(1, picture: SamplePicture.jpeg(1)))
        #expect(await fixture.get("/api/v1/alerts/\(SampleAlerts.id(1))/snapshot").status == 200)
        #expect(try await ingestor.lookAfterWaiting(now: now) == (1, 0))
        #expect(await fixture.get("/api/v1/alerts/\(SampleAlerts.id(1))/snapshot").status == 200)
        #expect(try await ingestor.lookAfterWaiting(now: now.advanced(bySeconds: 90_000)) == (0, 1))
        #expect(await fixture.snapshots.waiting().isEmpty)
    }

    @Test("the picture of an alert that is gone goes, also behind a row of alerts that are there")
    func gone() async throws {
        let other = try #require(VehicleIdentity(fleet: "demo", vehicle: "truck-18"))
        for number in 1...3 {
            let (vehicle, data) = (number == 3 ? other : SampleAlerts.identity, SamplePicture.jpeg(number))
            var alert = alert(number, picture: data)
            alert.identity = vehicle
            try await fixture.fill(alert)
            _ = await ingestor.ingest([picture(data, of: SampleAlerts.id(number).description, by: vehicle)])
        }
        _ = try await fixture.store.forget(other, before: nil)
        let first = try await ingestor.forgetGone(after: nil, presentInARow: 1, inTurn: 1)
        #expect(first == (0, SampleAlerts.id(2)))
        #expect(try await ingestor.forgetGone(after: first.last, presentInARow: 1, inTurn: 1) == (1, SampleAlerts.id(3)))
        #expect(await fixture.snapshots.pictured().map(\.id) == [SampleAlerts.id(1), SampleAlerts.id(2)])
        #expect(try await ingestor.forgetGone(after: SampleAlerts.id(3), presentInARow: 1, inTurn: 1) == (0, nil))
    }

    @Test("what is no picture, too large, or not this vehicle's goes into quarantine with its reason, and is answered for")
    func refused() async throws {
        let other = try #require(VehicleIdentity(fleet: "demo", vehicle: "truck-18"))
        try await fixture.fill(alert(1, picture: jpeg), alert(2, picture: nil))
        let id = SampleAlerts.id(1).description
        let result = await ingestor.ingest([
            picture(Data("GIF89a".utf8), of: id), picture(Data(), of: id),
            picture(jpeg + Data(count: 140_000) + [0xFF, 0xD9], of: id),
            picture(jpeg, of: id, by: other), picture(SamplePicture.jpeg(2), of: id), picture(jpeg, of: "no-uuid"),
            picture(SamplePicture.jpeg(1, width: 30_000), of: SampleAlerts.id(2).description),
        ])
        #expect(result.stored.isEmpty && result.failure == nil)
        #expect(
            result.rejected.map(\.rejection) == [
                "the snapshot is no JPEG", "the snapshot is no JPEG", "the snapshot has \(jpeg.count + 140_002) bytes",
                "the alert is another vehicle's",
                "the alert names another snapshot (\(SHA256.hexadecimal(SHA256.digest(of: jpeg)).prefix(16))...)",
                "the topic names no alert", "the snapshot is 30000 x 480 pixels",
            ])
        #expect(result.rejected.map(\.receiptKey?.revision) == [0, 0, 0, 0, 0, nil, 0])
        #expect(await fixture.get("/api/v1/alerts/\(id)/snapshot").status == 404)
        // An alert without a picture, one that is not there, and nonsense.
        #expect(await fixture.get("/api/v1/alerts/\(SampleAlerts.id(2))/snapshot").status == 404)
        #expect(await fixture.get("/api/v1/alerts/\(SampleAlerts.id(9))/snapshot").status == 404)
        #expect(await fixture.get("/api/v1/alerts/..%2f..%2fetc/snapshot").status == 400)
    }

    @Test("a disk that does not take a picture is a failure without an answer, not a rejection")
    func diskFails() async throws {
        let blocked = SnapshotFolder(path: fixture.folder.path("fleet.db") + "/pictures")
        let result = await SnapshotIngestor(store: fixture.store, folder: blocked)
            .ingest([picture(jpeg, of: SampleAlerts.id(1).description)])
        #expect(result.stored.isEmpty && result.rejected.isEmpty && result.failure?.contains("pictures") == true)
    }

    @Test("the names of stored pictures stand in the receipt, byte for byte as the codec writes them")
    func receipt() throws {
        var receipts = ReceiptWriter()
        receipts.add(snapshot: SampleAlerts.id(1))
        receipts.add(snapshot: SampleAlerts.id(2))
        #expect(
            try receipts.payload
                == WireCodec.encode(ReceiptMessage(receipts: [], snapshots: [SampleAlerts.id(1), SampleAlerts.id(2)])))
    }
}
