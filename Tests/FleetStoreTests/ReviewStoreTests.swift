import FleetModel
import FleetStore
import FleetTestSupport
import Foundation
import Testing

@Suite("Reviews, tracks and mileage in a store")
struct ReviewStoreTests {
    private func review(_ episode: Int, _ state: ReviewState, note: String = "", identity: VehicleIdentity = SampleAlerts.identity)
        -> AlertReview
    {
        AlertReview(of: SampleAlerts.id(episode), by: identity, state: state, note: note, name: "Kim", at: StoreFixture.at)
    }

    /// Alerts 1 to 4; the second arrived late.
    private func filled(_ engine: Engine) async throws -> StoreFixture {
        let fixture = try StoreFixture(engine)
        for episode in 1...4 {
            try await fixture.store(StoreFixture.arriving(SampleAlerts.alert(episode), delayS: episode == 2 ? 9999 : 1))
        }
        return fixture
    }

    @Test("the last review holds, all of them are kept, and no revision takes it away", arguments: Engine.present)
    func history(engine: Engine) async throws {
        let fixture = try await filled(engine)
        let before = try await fixture.store.latestCursor()
        let first = try #require(try await fixture.store.add(review(1, .confirmed, note: "seen")))
        let second = try #require(try await fixture.store.add(review(1, .falseAlarm, note: "It's \"that\" bridge; 桥\n")))
        #expect(second.number > first.number)
        try await fixture.store(StoreFixture.arriving(SampleAlerts.alert(1, revision: 2, phase: .end)))
        #expect(try await fixture.store.reviews(of: SampleAlerts.id(1)) == [first, second])
        #expect(try await fixture.store.history(of: SampleAlerts.id(1)).last?.review == .falseAlarm)
        #expect(try await fixture.store.reviews(after: first.number, limit: 10) == [second])
        #expect(try await fixture.store.latestReview() == second.number)
        // Whoever follows alerts by cursor hears of the revision alone.
        #expect(try await fixture.store.changes(after: before, AlertQuery()).alerts.map(\.review) == [.falseAlarm])
    }

    @Test("nobody reviews an alert that is not there, nor another vehicle's", arguments: Engine.present)
    func unknown(engine: Engine) async throws {
        let fixture = try await filled(engine)
        let other = try #require(VehicleIdentity(fleet: "demo", vehicle: "other"))
        #expect(try await fixture.store.add(review(9, .confirmed)) == nil)
        #expect(try await fixture.store.add(review(1, .confirmed, identity: other)) == nil)
        #expect(try await fixture.store.reviews(of: SampleAlerts.id(1)).isEmpty)
        #expect(try await fixture.store.latestReview() == 0)
    }

    @Test("lists can be narrowed to what is late, and to what is reviewed how", arguments: Engine.present)
    func filters(engine: Engine) async throws {
        let fixture = try await filled(engine)
        _ = try await fixture.store.add(review(3, .falseAlarm))
        _ = try await fixture.store.add(review(4, .coached))
        _ = try await fixture.store.add(review(4, .new))
        func episodes(_ change: (inout AlertQuery) -> Void) async throws -> [AlertID] {
            var query = AlertQuery()
            change(&query)
            let list = try await fixture.store.alerts(query).alerts.map(\.alert.id)
            #expect(try await fixture.store.changes(after: 0, query).alerts.map(\.alert.id) == list.reversed())
            return list
        }
        #expect(try await episodes { $0.late = true } == [SampleAlerts.id(2)])
        #expect(try await episodes { $0.late = false } == [4, 3, 1].map(SampleAlerts.id))
        #expect(try await episodes { $0.review = .new } == [4, 2, 1].map(SampleAlerts.id))
        #expect(try await episodes { $0.review = .falseAlarm } == [SampleAlerts.id(3)])
        #expect(try await episodes { $0.review = .coached } == [])
        #expect(
            try await episodes { ($0.review, $0.late, $0.severity, $0.kind) = (.new, false, .warning, .overspeed) }
                == [4, 1].map(SampleAlerts.id))
    }

    @Test("what retention removes takes its reviews along", arguments: Engine.present)
    func retention(engine: Engine) async throws {
        let fixture = try await filled(engine)
        _ = try await fixture.store.add(review(1, .confirmed))
        let later = StoreFixture.at.advanced(bySeconds: 99_999)
        #expect(try await fixture.store.trim(Retention(maximumAgeS: 90_000), now: later) > 0)
        #expect(try await fixture.store.reviews(of: SampleAlerts.id(1)).isEmpty)
    }

    private func heartbeat(_ afterS: Double, lat: Double, odometerM: Double?) throws -> IncomingItem {
        let at = StoreFixture.at.advanced(bySeconds: afterS)
        var beat = Heartbeat(
            identity: SampleAlerts.identity, boot: "boot", seq: 1, at: at, intervalS: 10, queue: .init(alerts: 0, bytes: 0),
            uptimeS: 1,
            software: "1.0.0")
        beat.position = AlertPosition(lat: lat, lon: -11.5)
        beat.speedMps = afterS == 0 ? nil : 12.5
        beat.odometerM = odometerM
        return .heartbeat(beat, payload: try WireCodec.encode(beat), receivedAt: at)
    }

    @Test("a track has a point every half minute while the vehicle moves, and none while it stands", arguments: Engine.present)
    func track(engine: Engine) async throws {
        let fixture = try StoreFixture(engine)
        // Two minutes of driving, then five of standing, a heartbeat every ten seconds.
        for beat in 0..<42 {
            try await fixture.store(heartbeat(Double(beat) * 10, lat: 48 + Double(min(beat, 12)) * 0.001, odometerM: nil))
        }
        let end = StoreFixture.at.advanced(bySeconds: 9999)
        let track = try await fixture.store.track(of: SampleAlerts.identity, since: StoreFixture.at, until: end)
        #expect(track.points.map { $0.at.seconds(since: StoreFixture.at) } == [0, 30, 60, 90, 120])
        #expect(track.points[1] == TrackPoint(at: StoreFixture.at.advanced(bySeconds: 30), lat: 48.003, lon: -11.5, speedMps: 12.5))
        #expect(track.points[0].speedMps == nil)
        #expect(track.distanceM == nil)
        let part = try await fixture.store.track(
            of: SampleAlerts.identity, since: StoreFixture.at.advanced(bySeconds: 30),
            until: StoreFixture.at.advanced(bySeconds: 90))
        #expect(part.points.count == 2)
        #expect(try await fixture.store.trimTracks(before: StoreFixture.at.advanced(bySeconds: 60)) == 2)
        #expect(try await fixture.store.trimTracks(before: StoreFixture.at.advanced(bySeconds: 60)) == 0)
        #expect(try await fixture.store.track(of: SampleAlerts.identity, since: StoreFixture.at, until: end).points.count == 3)
    }

    @Test("distances are counted on the day they are told; an odometer that fell has begun anew", arguments: Engine.present)
    func mileage(engine: Engine) async throws {
        let fixture = try StoreFixture(engine)
        // 2026-03-01 08:00: 5 km; the next day 3 km more, then a new odometer that tells 1 km.
        for (afterS, odometerM) in [(0.0, 1000.0), (600, 6000), (86_400, 9000), (87_000, 1000)] {
            try await fixture.store(heartbeat(afterS, lat: 48, odometerM: odometerM))
        }
        try await fixture.store(StoreFixture.arriving(SampleAlerts.alert(1)))
        _ = try await fixture.store.add(review(1, .falseAlarm))
        let days = try await fixture.store.statistics(since: .epoch, by: .day)
        #expect(
            days == [
                StatisticsRow(
                    group: "2026-03-01", alerts: 1, info: 0, caution: 0, warning: 1, critical: 0, falseAlarm: 1, distanceM: 5000)
            ])
        #expect(try await fixture.store.statistics(since: .epoch, by: .kind).map(\.distanceM) == [9000])
        var query = StatisticsQuery(since: StoreFixture.at.advanced(bySeconds: 86_400), by: .vehicle)
        let silent = StatisticsRow(
            group: "demo/truck-17", alerts: 0, info: 0, caution: 0, warning: 0, critical: 0, distanceM: 4000)
        #expect(try await fixture.store.statistics(query) == [silent])
        (query.fleet, query.vehicle) = ("demo", "another")
        #expect(try await fixture.store.statistics(query) == [])
        let whole = try await fixture.store.track(
            of: SampleAlerts.identity, since: StoreFixture.at, until: StoreFixture.at.advanced(bySeconds: 200_000))
        #expect(whole.distanceM == 9000)
    }

    @Test("one vehicle is found by its name", arguments: Engine.present)
    func vehicle(engine: Engine) async throws {
        let fixture = try StoreFixture(engine)
        try await fixture.store(heartbeat(0, lat: 48, odometerM: 1))
        #expect(try await fixture.store.vehicle(SampleAlerts.identity) == (try await fixture.store.vehicles().first))
        #expect(try await fixture.store.vehicle(try #require(VehicleIdentity(fleet: "demo", vehicle: "other"))) == nil)
    }
}
