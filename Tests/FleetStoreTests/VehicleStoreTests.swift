import FleetModel
import FleetStore
import FleetTestSupport
import Foundation
import Testing

@Suite("What a store knows of vehicles")
struct VehicleStoreTests {
    private func vehicle(_ fixture: StoreFixture) async throws -> VehicleRecord {
        try #require(try await fixture.store.vehicles().first)
    }

    @Test("the status with the highest session counts, whatever the order", arguments: Engine.present)
    func sessions(engine: Engine) async throws {
        let fixture = try StoreFixture(engine)
        let now = StoreFixture.at.advanced(bySeconds: 100)
        #expect(try await fixture.store(.status(StoreFixture.status(7, .online), receivedAt: now)) == .stored(cursor: 0))
        let lost = StoreFixture.status(6, .offline, reason: .lost)
        #expect(try await fixture.store(.status(lost, receivedAt: now)) == .superseded)
        #expect(try await vehicle(fixture).status?.session == 7)
        let stopped = StoreFixture.status(7, .offline, reason: .stopped)
        #expect(try await fixture.store(.status(stopped, receivedAt: now)) == .stored(cursor: 0))
        #expect(try await vehicle(fixture).status == stopped)
    }

    @Test(
        "a vehicle that counts its connections anew, with a new disk, is believed; its old last will is not",
        arguments: Engine.present)
    func newCount(engine: Engine) async throws {
        let fixture = try StoreFixture(engine)
        func status(_ session: Int64, _ boot: String, _ state: VehicleStatus.State, afterS: Double) -> VehicleStatus {
            VehicleStatus(
                identity: SampleAlerts.identity, state: state, reason: state == .offline ? .lost : nil, boot: boot,
                session: session,
                connectedAt: StoreFixture.at.advanced(bySeconds: afterS))
        }
        func take(_ status: VehicleStatus) async throws -> StoreOutcome {
            try await fixture.store(.status(status, receivedAt: StoreFixture.at.advanced(bySeconds: 500)))
        }
        #expect(try await take(status(500, "old", .offline, afterS: 0)) == .stored(cursor: 0))
        // Of the same boot, before, or not online: an older connection.
        #expect(try await take(status(1, "old", .online, afterS: 60)) == .superseded)
        #expect(try await take(status(1, "older", .online, afterS: -60)) == .superseded)
        #expect(try await take(status(1, "new", .offline, afterS: 60)) == .superseded)
        #expect(try await take(status(1, "new", .online, afterS: 60)) == .stored(cursor: 0))
        #expect(try await vehicle(fixture).status?.session == 1)
        #expect(try await take(status(1, "new", .offline, afterS: 60)) == .stored(cursor: 0))
    }

    @Test("a retained status that comes again does not make a vehicle seem just heard of", arguments: Engine.present)
    func retainedStatus(engine: Engine) async throws {
        let fixture = try StoreFixture(engine)
        let status = StoreFixture.status(1, .online)
        try await fixture.store(.status(status, receivedAt: StoreFixture.at))
        #expect(try await fixture.store(.status(status, receivedAt: StoreFixture.at.advanced(bySeconds: 9999))) == .duplicate)
        #expect(try await vehicle(fixture).lastSeenAt == StoreFixture.at)
        // The last will is the broker's word.
        let lost = StoreFixture.status(1, .offline, reason: .lost)
        try await fixture.store(.status(lost, receivedAt: StoreFixture.at.advanced(bySeconds: 9999)))
        #expect(try await vehicle(fixture).lastSeenAt <= status.connectedAt)
        #expect(try await vehicle(fixture).presence(at: StoreFixture.at) == .offline)
    }

    @Test(
        "an online vehicle is stale after three missed heartbeats, by the server's clock",
        arguments: Engine.present, [(29.0, VehiclePresence.online), (31.0, .stale)])
    func presence(engine: Engine, look: (afterS: Double, expected: VehiclePresence)) async throws {
        let fixture = try StoreFixture(engine)
        // The vehicle's clock is hours ahead.
        var status = StoreFixture.status(1, .online)
        status.connectedAt = StoreFixture.at.advanced(bySeconds: 9999)
        try await fixture.store(.status(status, receivedAt: StoreFixture.at))
        let heartbeat = Heartbeat(
            identity: SampleAlerts.identity, boot: "boot", seq: 1, at: status.connectedAt, intervalS: 10,
            queue: .init(alerts: 2, bytes: 800), uptimeS: 1, software: "1.0.0")
        try await fixture.store(
            .heartbeat(heartbeat, payload: WireCodec.encode(heartbeat), receivedAt: StoreFixture.at.advanced(bySeconds: 5)))
        let record = try await vehicle(fixture)
        #expect(record.heartbeat?.queue.alerts == 2)
        #expect(record.presence(at: StoreFixture.at.advanced(bySeconds: 5 + look.afterS)) == look.expected)
    }

    @Test("a hole in the sequence is missing until it is filled or explained by a gap event", arguments: Engine.present)
    func sequences(engine: Engine) async throws {
        let fixture = try StoreFixture(engine)
        for seq: Int64 in [1, 2, 5, 6, 10] {
            var alert = SampleAlerts.alert(Int(seq))
            alert.seq = seq
            try await fixture.store(StoreFixture.arriving(alert))
        }
        typealias Range = VehicleRecord.MissingRange
        #expect(try await vehicle(fixture).missing == [Range(fromSeq: 3, toSeq: 4), Range(fromSeq: 7, toSeq: 9)])
        var filler = SampleAlerts.alert(4)
        filler.seq = 4
        try await fixture.store(StoreFixture.arriving(filler))
        #expect(try await vehicle(fixture).missing == [Range(fromSeq: 3, toSeq: 3), Range(fromSeq: 7, toSeq: 9)])
        let gap = GapEvent(
            identity: SampleAlerts.identity, id: SampleAlerts.id(99), fromSeq: 3, toSeq: 9, reason: .outboxFull, at: StoreFixture.at
        )
        let item = IncomingItem.gap(gap, payload: try WireCodec.encode(gap), receivedAt: StoreFixture.at)
        #expect(try await fixture.store(item) == .stored(cursor: 0))
        #expect(try await fixture.store(item) == .duplicate)
        let record = try await vehicle(fixture)
        #expect(record.missing == [])
        #expect(record.droppedByVehicle == 7)
    }

    @Test("a sequence number at the end of what is allowed does no harm", arguments: Engine.present)
    func hugeSequence(engine: Engine) async throws {
        let fixture = try StoreFixture(engine)
        var alert = SampleAlerts.alert(1)
        alert.seq = 9_007_199_254_740_991
        #expect(alert.implausibility == nil)
        #expect(try await fixture.store(StoreFixture.arriving(alert)) == .stored(cursor: 1))
        alert.seq = .max
        #expect(alert.implausibility != nil)
    }

    @Test("a decommissioned vehicle leaves the list, its alerts stay", arguments: Engine.present)
    func decommission(engine: Engine) async throws {
        let fixture = try StoreFixture(engine)
        try await fixture.store(StoreFixture.arriving(SampleAlerts.alert(1)))
        #expect(try await fixture.store.decommission(SampleAlerts.identity))
        #expect(try await !fixture.store.decommission(SampleAlerts.identity))
        #expect(try await fixture.store.vehicles().isEmpty)
        #expect(try await fixture.store.alerts(AlertQuery()).alerts.count == 1)
    }
}
