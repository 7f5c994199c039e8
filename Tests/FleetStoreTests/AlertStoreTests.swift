import FleetModel
import FleetStore
import FleetTestSupport
import Foundation
import Testing

@Suite("A store of alerts")
struct AlertStoreTests {
    @Test("the key of the shared group is made at random with each store", arguments: Engine.present)
    func shareKey(engine: Engine) throws {
        let keys = try (1...2).map { _ in try StoreFixture(engine).store.shareKey }
        #expect(keys.allSatisfy { $0.count == 32 && $0.allSatisfy("0123456789abcdef".contains) })
        #expect(keys[0] != keys[1])
    }

    @Test("Q19 the same revision again is a duplicate and changes nothing", arguments: Engine.present)
    func duplicate(engine: Engine) async throws {
        let fixture = try StoreFixture(engine)
        let item = try StoreFixture.arriving(SampleAlerts.alert(1))
        #expect(try await fixture.store(item) == .stored(cursor: 1))
        let before = try await fixture.store.alerts(AlertQuery())
        #expect(try await fixture.store(item) == .duplicate)
        #expect(try await fixture.store.alerts(AlertQuery()) == before)
        #expect(try await fixture.store.totals().revisions == 1)
    }

    @Test("Q19 a duplicate within one batch is found as well", arguments: Engine.present)
    func duplicateInBatch(engine: Engine) async throws {
        let fixture = try StoreFixture(engine)
        let item = try StoreFixture.arriving(SampleAlerts.alert(1))
        #expect(try await fixture.store.store([item, item]) == [.stored(cursor: 1), .duplicate])
    }

    @Test("Q18 old batches that are sent again add no row", arguments: Engine.present)
    func oldBatches(engine: Engine) async throws {
        let fixture = try StoreFixture(engine)
        let batches = try (0..<5).map { batch in
            try (0..<20).map { try StoreFixture.arriving(SampleAlerts.alert(batch * 100 + $0)) }
        }
        for batch in batches { _ = try await fixture.store.store(batch) }
        for batch in batches.prefix(3) {
            #expect(try await fixture.store.store(batch).allSatisfy { $0 == .duplicate })
        }
        #expect(try await fixture.store.totals().revisions == 100)
    }

    @Test("the same key with other bytes: the first stays, the second goes into quarantine", arguments: Engine.present)
    func conflict(engine: Engine) async throws {
        let fixture = try StoreFixture(engine)
        try await fixture.store(StoreFixture.arriving(SampleAlerts.alert(1, severity: .warning)))
        #expect(try await fixture.store(StoreFixture.arriving(SampleAlerts.alert(1, severity: .critical))) == .conflict)
        let history = try await fixture.store.history(of: SampleAlerts.id(1))
        #expect(history.map(\.alert.severity) == [.warning])
        #expect(try await fixture.store.totals().quarantined == 1)
    }

    @Test("the same id and revision of two vehicles are two alerts", arguments: Engine.present)
    func keyHoldsTheVehicle(engine: Engine) async throws {
        let fixture = try StoreFixture(engine)
        let other = try #require(VehicleIdentity(fleet: "demo", vehicle: "bus-4"))
        #expect(try await fixture.store(StoreFixture.arriving(SampleAlerts.alert(1))) == .stored(cursor: 1))
        #expect(try await fixture.store(StoreFixture.arriving(SampleAlerts.alert(1, identity: other))) == .stored(cursor: 2))
        #expect(try await fixture.store.alerts(AlertQuery()).alerts.count == 2)
    }

    @Test(
        "an alert is its highest revision, in whatever order they arrive",
        arguments: Engine.present, [[1, 2, 5], [5, 2, 1], [2, 5, 1], [1, 5, 2]])
    func anyOrder(engine: Engine, order: [Int]) async throws {
        let fixture = try StoreFixture(engine)
        for revision in order {
            let alert = SampleAlerts.alert(1, revision: revision, phase: revision == 5 ? .end : .update)
            try await fixture.store(StoreFixture.arriving(alert))
        }
        let page = try await fixture.store.alerts(AlertQuery())
        #expect(page.alerts.map(\.alert.revision) == [5])
        #expect(page.alerts.map(\.alert.phase) == [.end])
        #expect(try await fixture.store.history(of: SampleAlerts.id(1)).map(\.alert.revision) == [1, 2, 5])
    }

    @Test("an alert of which only a later revision arrived is shown", arguments: Engine.present)
    func missingStart(engine: Engine) async throws {
        let fixture = try StoreFixture(engine)
        try await fixture.store(StoreFixture.arriving(SampleAlerts.alert(1, revision: 3, phase: .end)))
        #expect(try await fixture.store.alerts(AlertQuery()).alerts.map(\.alert.revision) == [3])
    }

    @Test("filters narrow the list by time, fleet, vehicle, kind and severity", arguments: Engine.present)
    func filters(engine: Engine) async throws {
        let fixture = try StoreFixture(engine)
        let other = try #require(VehicleIdentity(fleet: "north", vehicle: "bus-4"))
        let later = StoreFixture.at.advanced(bySeconds: 3600)
        _ = try await fixture.store.store([
            StoreFixture.arriving(SampleAlerts.alert(1, severity: .caution)),
            StoreFixture.arriving(SampleAlerts.alert(2, severity: .critical, at: later)),
            StoreFixture.arriving(SampleAlerts.alert(3, severity: .warning, identity: other)),
        ])
        func ids(_ narrow: (inout AlertQuery) -> Void) async throws -> Set<AlertID> {
            var query = AlertQuery()
            narrow(&query)
            return Set(try await fixture.store.alerts(query).alerts.map(\.alert.id))
        }
        let id = SampleAlerts.id
        #expect(try await ids { _ in } == [id(1), id(2), id(3)])
        #expect(try await ids { $0.since = later } == [id(2)])
        #expect(try await ids { $0.until = later } == [id(1), id(3)])
        #expect(try await ids { $0.fleet = "north" } == [id(3)])
        #expect(try await ids { $0.vehicle = "truck-17" } == [id(1), id(2)])
        #expect(try await ids { $0.kind = .collision } == [])
        #expect(try await ids { $0.severity = .warning } == [id(2), id(3)])
    }

    @Test("a list is read page by page without a miss or a repeat", arguments: Engine.present)
    func pages(engine: Engine) async throws {
        let fixture = try StoreFixture(engine)
        _ = try await fixture.store.store((1...25).map { try StoreFixture.arriving(SampleAlerts.alert($0)) })
        var query = AlertQuery(limit: 10)
        var seen: [Int64] = []
        repeat {
            let page = try await fixture.store.alerts(query)
            seen += page.alerts.map(\.cursor)
            query.before = page.nextBefore
        } while query.before != nil
        #expect(seen == (1...25).reversed().map(Int64.init))
    }

    @Test("D8 polling by cursor misses nothing and repeats nothing while others write", arguments: Engine.present)
    func cursorUnderWrites(engine: Engine) async throws {
        let fixture = try StoreFixture(engine)
        let store = fixture.store
        let (writers, each) = (4, 60)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<writers {
                group.addTask {
                    for n in 0..<each {
                        _ = try await store.store([StoreFixture.arriving(SampleAlerts.alert(writer * 1000 + n))])
                    }
                }
            }
            var seen: [AlertID] = []
            var cursor: Int64 = 0
            let isComplete = try await eventually(timeout: 30) {
                let page = try await store.changes(after: cursor, AlertQuery(limit: 7))
                #expect(page.alerts.allSatisfy { $0.cursor > cursor })
                seen += page.alerts.map(\.alert.id)
                cursor = page.nextCursor
                return seen.count >= writers * each
            }
            #expect(isComplete)
            #expect(Set(seen).count == seen.count)
            try await group.waitForAll()
            #expect(try await store.changes(after: cursor, AlertQuery()).alerts.isEmpty)
        }
    }

    @Test("an update moves an alert to the end of the changes; an overtaken revision does not", arguments: Engine.present)
    func changesFollowUpdates(engine: Engine) async throws {
        let fixture = try StoreFixture(engine)
        try await fixture.store(StoreFixture.arriving(SampleAlerts.alert(1)))
        try await fixture.store(StoreFixture.arriving(SampleAlerts.alert(2)))
        try await fixture.store(StoreFixture.arriving(SampleAlerts.alert(1, revision: 3, phase: .end)))
        let page = try await fixture.store.changes(after: 2, AlertQuery())
        #expect(page.alerts.map(\.alert.id) == [SampleAlerts.id(1)])
        try await fixture.store(StoreFixture.arriving(SampleAlerts.alert(1, revision: 2, phase: .update)))
        #expect(try await fixture.store.changes(after: page.nextCursor, AlertQuery()).alerts.isEmpty)
    }

    @Test(
        "Q20 an alert that arrives long after it happened is stored and marked late", arguments: Engine.present,
        [(59.0, false), (61.0, true)])
    func late(engine: Engine, arrival: (delayS: Double, isLate: Bool)) async throws {
        let fixture = try StoreFixture(engine)
        try await fixture.store(StoreFixture.arriving(SampleAlerts.alert(1), delayS: arrival.delayS))
        let stored = try #require(try await fixture.store.alerts(AlertQuery()).alerts.first)
        #expect(stored.late == arrival.isLate)
        #expect(stored.receivedAt == StoreFixture.at.advanced(bySeconds: arrival.delayS))
    }

    @Test("statistics count alerts, not revisions, and leave replays out", arguments: Engine.present)
    func statistics(engine: Engine) async throws {
        let fixture = try StoreFixture(engine)
        var replayed = SampleAlerts.alert(3)
        replayed.origin = .replay
        let nextDay = StoreFixture.at.advanced(bySeconds: 86_400)
        _ = try await fixture.store.store([
            StoreFixture.arriving(SampleAlerts.alert(1, severity: .warning)),
            StoreFixture.arriving(SampleAlerts.alert(1, revision: 2, phase: .end, severity: .critical)),
            StoreFixture.arriving(SampleAlerts.alert(2, severity: .info, at: nextDay)),
            StoreFixture.arriving(replayed),
        ])
        let byKind = try await fixture.store.statistics(since: .epoch, by: .kind)
        #expect(byKind == [StatisticsRow(group: "overspeed", alerts: 2, info: 1, caution: 0, warning: 0, critical: 1)])
        let byDay = try await fixture.store.statistics(since: .epoch, by: .day)
        #expect(byDay.map(\.group) == ["2026-03-01", "2026-03-02"])
        let byVehicle = try await fixture.store.statistics(since: nextDay, by: .vehicle)
        #expect(byVehicle == [StatisticsRow(group: "demo/truck-17", alerts: 1, info: 1, caution: 0, warning: 0, critical: 0)])
    }

    @Test("the quarantine stays within its bound and gives up the oldest", arguments: Engine.present)
    func quarantineBound(engine: Engine) async throws {
        let fixture = try StoreFixture(engine, quarantineBytes: 400_000)
        for _ in 0..<10 {
            let item = IncomingItem.quarantine(
                topic: "t", payload: Data(repeating: 1, count: 1000), reason: "nonsense", receivedAt: StoreFixture.at)
            _ = try await fixture.store.store(Array(repeating: item, count: 50))
        }
        let totals = try await fixture.store.totals()
        #expect(totals.quarantinedBytes <= 400_000)
        #expect((200...400).contains(totals.quarantined))
        let empty = IncomingItem.quarantine(topic: "t", payload: Data(), reason: "empty", receivedAt: StoreFixture.at)
        _ = try await fixture.store.store(Array(repeating: empty, count: 5000))
        #expect(try await fixture.store.totals().quarantined < 2000)
    }
}
