import FleetModel
import FleetStore
import FleetTestSupport
import Foundation
import Testing

@Suite("Erasing a vehicle")
struct ForgetTests {
    private let other = VehicleIdentity(fleet: "demo", vehicle: "truck_17")!

    /// Alerts 1 and 2 of `truck-17`, an hour apart, 3 of another vehicle; status, gap and quarantine of both.
    private func filled(_ engine: Engine) async throws -> StoreFixture {
        let fixture = try StoreFixture(engine)
        let later = StoreFixture.at.advanced(bySeconds: 3600)
        for (alert, delayS) in [
            (SampleAlerts.alert(1), 1.0), (SampleAlerts.alert(1, revision: 2, phase: .end), 1),
            (SampleAlerts.alert(2, at: later), 1),
            (SampleAlerts.alert(3, identity: other), 1),
        ] { try await fixture.store(StoreFixture.arriving(alert, delayS: delayS)) }
        try await fixture.store(.status(StoreFixture.status(1, .online), receivedAt: StoreFixture.at))
        for who in [SampleAlerts.identity, other] {
            let gap = GapEvent(
                identity: who, id: SampleAlerts.id(90), fromSeq: 3, toSeq: 9, reason: .outboxFull, at: StoreFixture.at)
            try await fixture.store(.gap(gap, payload: WireCodec.encode(gap), receivedAt: StoreFixture.at))
            try await fixture.store(
                .quarantine(
                    topic: Topic.alert(who).name, payload: Data("nonsense".utf8), reason: "not readable",
                    receivedAt: StoreFixture.at))
        }
        return fixture
    }

    private func forget(_ store: any AlertStore, before: Timestamp? = nil) async throws -> Int {
        var gone = 0
        while case let count = try await store.forget(SampleAlerts.identity, before: before), count > 0 { gone += count }
        return gone
    }

    @Test("nothing that names it is left, nothing of others goes, and the sums stay right", arguments: Engine.present)
    func all(engine: Engine) async throws {
        let store = try await filled(engine).store
        #expect(try await forget(store) == 2)
        #expect(try await store.alerts(AlertQuery()).alerts.map(\.alert.identity) == [other])
        #expect(try await store.history(of: SampleAlerts.id(1)).isEmpty)
        #expect(try await store.vehicles().map(\.identity) == [other])
        let totals = try await store.totals()
        #expect(totals.alerts == 1)
        #expect(totals.revisions == 1)
        #expect(totals.quarantined == 1)
        let alone = try StoreFixture(engine)
        try await alone.store(StoreFixture.arriving(SampleAlerts.alert(3, identity: other)))
        #expect(try await alone.store.totals().alertBytes == totals.alertBytes)
        // Asked again there is nothing to do, and what comes later is stored as ever.
        #expect(try await forget(store) == 0)
        #expect(try await store.store([StoreFixture.arriving(SampleAlerts.alert(1))]) == [.stored(cursor: 5)])
    }

    @Test("with a time only what began before it goes; the vehicle stays in the list", arguments: Engine.present)
    func before(engine: Engine) async throws {
        let store = try await filled(engine).store
        #expect(try await forget(store, before: StoreFixture.at.advanced(bySeconds: 3600)) == 1)
        #expect(Set(try await store.alerts(AlertQuery()).alerts.map(\.alert.id)) == [SampleAlerts.id(2), SampleAlerts.id(3)])
        #expect(try await store.vehicles().count == 2)
        #expect(try await store.totals().quarantined == 2)
    }

    @Test("an SQLite file holds none of the erased bytes any more")
    func bytes() async throws {
        let fixture = try StoreFixture(.sqlite)
        var alert = SampleAlerts.alert(1)
        alert.boot = "11111111-2222-3333-4444-555555555555"
        try await fixture.store(StoreFixture.arriving(alert))
        #expect(try await forget(fixture.store) == 1)
        for name in ["fleet.db", "fleet.db-wal"] {
            let data = (try? Data(contentsOf: fixture.folder.url.appending(path: name))) ?? Data()
            #expect(data.range(of: Data(alert.boot.utf8)) == nil, "\(name)")
        }
    }
}
