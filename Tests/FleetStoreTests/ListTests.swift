import FleetModel
import FleetStore
import FleetTestSupport
import Foundation
import Testing

@Suite("Lists of a store with more than one look holds")
struct ListTests {
    /// 6,400 alerts, one every ten seconds: two fleets of four vehicles each; of the first hundred some are critical collisions.
    private static func fill(_ store: any AlertStore) async throws {
        let alerts = (0..<6400).map { n in
            let who =
                VehicleIdentity(fleet: n % 2 == 0 ? "north" : "south", vehicle: n < 40 ? "old" : "truck-\(n % 8)")
                ?? SampleAlerts.identity
            var alert = SampleAlerts.alert(
                n, severity: n < 100 && n % 10 == 0 ? .critical : .warning, identity: who,
                at: StoreFixture.at.advanced(bySeconds: Double(n) * 10))
            if n < 100, n % 20 == 0 {
                (alert.kind, alert.headway) = (.headway, HeadwayDetails(timeHeadwayS: 0.5, leadSpeedMps: 20))
            }
            return alert
        }
        _ = try await store.store(alerts.map { try StoreFixture.arriving($0) })
    }

    @Test("rare things far from the newest are found whole, in order, forwards and backwards", arguments: Engine.present)
    func rare(engine: Engine) async throws {
        let fixture = try StoreFixture(engine)
        try await Self.fill(fixture.store)
        func both(_ narrow: (inout AlertQuery) -> Void) async throws -> [Int64] {
            var query = AlertQuery(limit: 15)
            narrow(&query)
            var back: [Int64] = []
            repeat {
                let page = try await fixture.store.alerts(query)
                back += page.alerts.map(\.cursor)
                query.before = page.nextBefore
            } while query.before != nil
            var forth: [Int64] = []
            query.before = nil
            while case let page = try await fixture.store.changes(after: forth.last ?? 0, query), !page.alerts.isEmpty {
                forth += page.alerts.map(\.cursor)
            }
            #expect(forth == back.reversed())
            return forth
        }
        let end = StoreFixture.at.advanced(bySeconds: 300)
        #expect(try await both { $0.severity = .critical } == (0..<10).map { $0 * 10 + 1 })
        #expect(try await both { $0.kind = .headway } == (0..<5).map { $0 * 20 + 1 })
        #expect(try await both { ($0.kind, $0.fleet) = (.headway, "south") } == [])
        #expect(try await both { $0.until = end } == Array(1...30))
        #expect(try await both { ($0.until, $0.severity) = (end, .critical) } == [1, 11, 21])
        #expect(try await both { ($0.fleet, $0.vehicle) = ("north", "old") } == (0..<20).map { $0 * 2 + 1 })
        #expect(try await both { $0.vehicle = "old" } == Array(1...40))
        #expect(try await both { ($0.vehicle, $0.until) = ("old", end) } == Array(1...30))
        #expect(try await both { $0.fleet = "nobody" } == [])
        #expect(try await both { $0.since = StoreFixture.at.advanced(bySeconds: 1e6) } == [])
    }

    @Test(
        "a span in the middle holds what began in it, also what was heard of again much later, and nothing of the days around",
        arguments: Engine.present)
    func spans(engine: Engine) async throws {
        let fixture = try StoreFixture(engine)
        func began(_ n: Int) -> Timestamp { StoreFixture.at.advanced(bySeconds: Double(n) * 600) }
        // One every ten minutes for two weeks; then the tenth day's first one ends, long after.
        let count = 14 * 144
        _ = try await fixture.store.store(
            (0..<count).map {
                try StoreFixture.arriving(SampleAlerts.alert($0, severity: $0 % 7 == 0 ? .critical : .warning, at: began($0)))
            })
        var again = SampleAlerts.alert(1300, revision: 2, phase: .end, at: began(count))
        again.startedAt = began(1300)
        try await fixture.store(StoreFixture.arriving(again))
        func found(_ range: Range<Int>, from severity: Severity? = nil) async throws -> [Int64] {
            var query = AlertQuery(limit: 100)
            (query.since, query.until, query.severity) = (began(range.lowerBound), began(range.upperBound), severity)
            var cursors: [Int64] = []
            repeat {
                let page = try await fixture.store.alerts(query)
                cursors += page.alerts.map(\.cursor)
                query.before = page.nextBefore
            } while query.before != nil
            query.before = nil
            #expect(try await fixture.store.changes(after: 0, query).alerts.map(\.cursor) == Array(cursors.reversed().prefix(100)))
            return cursors.reversed()
        }
        let last = Int64(count) + 1
        #expect(try await found(500..<900) == Array(501...900))
        #expect(try await found(500..<900, from: .critical) == (500..<900).filter { $0 % 7 == 0 }.map { Int64($0) + 1 })
        #expect(try await found(1299..<1302) == [1300, 1302, last])
        #expect(try await found(1300..<1301) == [last])
        #expect(try await found(count..<(count + 1000)) == [])
        #expect(try await found(-1000..<0) == [])
        // What retention deletes takes its days along, and the rest is found as before.
        while try await fixture.store.trim(Retention(maximumAgeS: 600 * 1000), now: began(count)) > 0 {}
        #expect(try await found(0..<900) == [])
        #expect(try await found(1200..<1400) == Array(1201...1300) + Array(1302...1400) + [last])
    }

    @Test("old alerts go by age and by size, all their revisions with them, and the sums follow", arguments: Engine.present)
    func retention(engine: Engine) async throws {
        let fixture = try StoreFixture(engine)
        try await Self.fill(fixture.store)
        // The first alert of all was heard of again: it is the newest now.
        let again = SampleAlerts.alert(
            0, revision: 2, phase: .end, identity: VehicleIdentity(fleet: "north", vehicle: "old") ?? SampleAlerts.identity,
            at: StoreFixture.at.advanced(bySeconds: 70_000))
        try await fixture.store(StoreFixture.arriving(again))
        let before = try await fixture.store.totals()
        #expect(before.revisions == 6401)
        func trimAll(_ retention: Retention) async throws -> Int {
            var all = 0
            while case let some = try await fixture.store.trim(retention, now: StoreFixture.at.advanced(bySeconds: 70_000)),
                some > 0
            { all += some }
            return all
        }
        #expect(try await trimAll(Retention()) == 0)
        // Arrived a second after they happened: alert n at 10 n + 1 s.
        #expect(try await trimAll(Retention(maximumAgeS: 70_000 - 10_001)) == 999)
        #expect(try await fixture.store.totals().alerts == 5401)
        let half = try await fixture.store.totals().alertBytes / 2
        _ = try await trimAll(Retention(maximumBytes: half))
        let after = try await fixture.store.totals()
        #expect(after.alertBytes <= half)
        #expect((2690...2701).contains(after.alerts))
        #expect(after.revisions == after.alerts + 1)
        #expect(try await fixture.store.history(of: SampleAlerts.id(0)).map(\.alert.revision) == [1, 2])
        #expect(try await fixture.store.history(of: SampleAlerts.id(1)).isEmpty)
        #expect(try await fixture.store.store([StoreFixture.arriving(SampleAlerts.alert(9000))]) == [.stored(cursor: 6402)])
    }
}
