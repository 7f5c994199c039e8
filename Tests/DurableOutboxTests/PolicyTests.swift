import DurableOutbox
import FleetModel
import FleetTestSupport
import Foundation
import Testing

/// What goes first, what is kept, what is told.
@Suite struct PolicyTests {
    let fixture: OutboxFixture
    init() throws { fixture = try OutboxFixture() }

    /// A valid JPEG is not asked for here: the outbox does not look into what it carries.
    static let jpeg = Data([0xFF, 0xD8] + [UInt8](repeating: 7, count: 5000))

    @Test(
        "Q21 Room is made in the stated order: superseded updates, snapshots, info up to critical, updates before starts and ends")
    func order() async throws {
        let outbox = try fixture.open {
            $0.maximumRows = 11
            $0.window = 100
            $0.urgentWindow = 100
        }
        _ = await outbox.append([
            SampleAlerts.alert(1, severity: .critical), SampleAlerts.alert(2, phase: .update, severity: .critical),
            SampleAlerts.alert(3, severity: .warning), SampleAlerts.alert(4, phase: .update, severity: .warning),
            SampleAlerts.alert(5, severity: .caution), SampleAlerts.alert(6, phase: .update, severity: .caution),
            SampleAlerts.alert(7, severity: .info), SampleAlerts.alert(8, phase: .update, severity: .info),
            SampleAlerts.alert(9, revision: 2, phase: .update, severity: .critical),
            SampleAlerts.alert(9, revision: 3, phase: .end, severity: .critical),
        ])
        try await outbox.append(snapshot: Self.jpeg, of: SampleAlerts.id(1), takenAt: nil)
        // Every second pair passes the bound, and four rows go: down to nine tenths of it.
        var kept: [Set<Int64>] = []
        for i in 20...24 {
            _ = await outbox.append([SampleAlerts.alert(i, severity: .critical), SampleAlerts.alert(100 + i, severity: .critical)])
            let waiting = try await Waiting(outbox, nowS: Double(i) * 1e5)
            kept.append(waiting.numbers.filter { $0 <= 10 })
            #expect(waiting.snapshots.isEmpty)
        }
        // First the superseded update (9), the snapshot, the info update (8) and start (7); then caution and warning, updates before
        // starts; of what is critical the update, then the oldest.
        #expect(kept == [[1, 2, 3, 4, 5, 6, 10], [1, 2, 3, 4, 5, 6, 10], [1, 2, 10], [1, 2, 10], []])
    }

    @Test("Q21 Nothing critical goes while anything else is left: 50 of 50 stay, with snapshots and updates all around")
    func criticalStay() async throws {
        let outbox = try fixture.open {
            $0.maximumRows = 60
            $0.window = 1000
        }
        for i in 1...50 {
            _ = await outbox.append(SampleAlerts.alert(i, severity: .critical))
            try? await outbox.append(snapshot: Self.jpeg, of: SampleAlerts.id(i), takenAt: nil)
            _ = await outbox.append((1...10).map { SampleAlerts.alert(500 + i, revision: $0, phase: .update, severity: .warning) })
        }
        let waiting = try await Waiting(outbox)
        #expect(waiting.alerts.count { $0.severity == .critical } == 50)
        #expect(waiting.told.isDisjoint(with: waiting.numbers))
        #expect(waiting.told.union(waiting.numbers) == Set(1...550))
    }

    @Test("A snapshot waits until every alert is handed over, few at a time, and goes with its own receipt")
    func snapshots() async throws {
        let outbox = try fixture.open { $0.window = 3 }
        for i in 1...4 { try await outbox.append(snapshot: Self.jpeg, of: SampleAlerts.id(i), takenAt: nil) }
        _ = await outbox.append((1...4).map { SampleAlerts.alert($0) })
        #expect(await outbox.handOver(nowS: 0).map(\.content) == [.alert, .alert, .alert])
        await outbox.settle(SampleAlerts.receipt(SampleAlerts.alert(1)))
        #expect(await outbox.handOver(nowS: 0).map(\.content) == [.alert, .snapshot, .snapshot])
        #expect(await outbox.handOver(nowS: 0).isEmpty)
        #expect(await outbox.settle(ReceiptMessage(receipts: [], snapshots: [SampleAlerts.id(1)])) == (1, 0))
        let next = await outbox.handOver(nowS: 0)
        #expect(next.map(\.content) == [.snapshot] && next.first?.payload == Self.jpeg && next.first?.schema == nil)
        #expect(await outbox.status().rows == 6)
    }

    @Test("A second snapshot of an alert takes the place of the first; one over 128 KiB is refused")
    func secondSnapshot() async throws {
        let outbox = try fixture.open()
        try await outbox.append(snapshot: Self.jpeg, of: SampleAlerts.id(1), takenAt: nil)
        try await outbox.append(snapshot: Data([1, 2, 3]), of: SampleAlerts.id(1), takenAt: nil)
        #expect(await outbox.handOver(nowS: 0).map(\.payload) == [Data([1, 2, 3])])
        #expect(await outbox.status().bytes == 3)
        let tooLarge = Data(count: SnapshotLimits.maximumBytes + 1)
        await #expect(throws: OutboxFailure.tooLarge(bytes: tooLarge.count, limit: SnapshotLimits.maximumBytes)) {
            try await outbox.append(snapshot: tooLarge, of: SampleAlerts.id(2), takenAt: nil)
        }
    }

    @Test("A snapshot that the full outbox has no room for is refused, and no alert goes for it")
    func noRoomForSnapshot() async throws {
        let outbox = try fixture.open { $0.maximumRows = 10 }
        _ = await outbox.append((1...10).map { SampleAlerts.alert($0, severity: .info) })
        await #expect(throws: OutboxFailure.noRoom) {
            try await outbox.append(snapshot: Self.jpeg, of: SampleAlerts.id(1), takenAt: nil)
        }
        #expect(try await Waiting(outbox).snapshots.isEmpty)
        #expect(await outbox.status().refused == 1)
    }

    @Test("What is older than the bound goes and is told, unless it is critical or its clock was not trusted")
    func age() async throws {
        let outbox = try fixture.open { $0.maximumAgeS = 86_400 }
        let (now, old) = (fixture.clock.wallTime(), fixture.clock.wallTime().advanced(bySeconds: -90_000))
        var undated = SampleAlerts.alert(4, at: Timestamp(secondsSinceEpoch: 100))
        undated.clock = .unsynchronised
        _ = await outbox.append([
            SampleAlerts.alert(1, at: old), SampleAlerts.alert(2, severity: .critical, at: old), SampleAlerts.alert(3, at: now),
            undated, SampleAlerts.alert(5, severity: .info, at: old),
        ])
        try await outbox.append(snapshot: Self.jpeg, of: SampleAlerts.id(1), takenAt: old)
        #expect(await outbox.expire(now: now) == 3)
        #expect(await outbox.expire(now: now) == 0)
        let waiting = try await Waiting(outbox, nowS: 1e6)
        #expect(waiting.numbers == [2, 3, 4])
        #expect(waiting.told == [1, 5] && waiting.gaps.allSatisfy { $0.reason == .expired })
        #expect(await outbox.status().dropped == 3)
    }

    @Test("A rejected alert's number is told, so that nobody waits for it")
    func rejectedIsTold() async throws {
        let outbox = try fixture.open()
        _ = await outbox.append([SampleAlerts.alert(1), SampleAlerts.alert(2)])
        await outbox.settle(SampleAlerts.receipt(SampleAlerts.alert(1), .rejected, reason: "test"))
        let waiting = try await Waiting(outbox)
        #expect(waiting.numbers == [2] && waiting.told == [1] && waiting.gaps.map(\.reason) == [.rejected])
    }
}
