import DurableOutbox
import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import SQLite
import Testing

@Suite struct DurableOutboxTests {
    let fixture: OutboxFixture
    var path: String { fixture.path }
    var clock: ManualClock { fixture.clock }

    init() throws { fixture = try OutboxFixture() }

    func open(_ change: (inout OutboxSettings) -> Void = { _ in }) throws -> DurableOutbox { try fixture.open(change) }

    func alert(in row: OutboxRow) throws -> Alert { try WireCodec.decodeAlert(from: row.payload) }
    func gap(in row: OutboxRow) throws -> GapEvent { try WireCodec.decode(GapEvent.self, from: row.payload) }

    @Test("A row has the next number in its payload and goes with its receipt only")
    func receipts() async throws {
        let outbox = try open()
        #expect(await outbox.append(SampleAlerts.alert(1)) == .stored(seq: 1))
        #expect(await outbox.append(SampleAlerts.alert(2)) == .stored(seq: 2))
        let rows = await outbox.handOver(nowS: 0)
        #expect(try rows.map { try alert(in: $0).seq } == [1, 2])
        for row in rows { await outbox.acknowledged(row) }
        #expect(await outbox.status().rows == 2)
        #expect(await outbox.settle(SampleAlerts.receipt(SampleAlerts.alert(1))) == (1, 0))
        #expect(await outbox.settle(SampleAlerts.receipt(SampleAlerts.alert(2), .duplicate)) == (1, 0))
        #expect(await outbox.settle(SampleAlerts.receipt(SampleAlerts.alert(2))) == (0, 0))
        #expect(await outbox.status() == OutboxStatus())
    }

    @Test("T4 Numbers and rows survive a restart, whatever the clock says")
    func restart() async throws {
        do {
            let outbox = try open()
            for i in 1...3 { _ = await outbox.append(SampleAlerts.alert(i)) }
            await outbox.settle(SampleAlerts.receipt(SampleAlerts.alert(3)))
        }
        clock.setWallTime(clock.wallTime().advanced(bySeconds: -3600))
        let outbox = try await reopened { try open() }
        #expect(await outbox.status().rows == 2)
        #expect(await outbox.append(SampleAlerts.alert(4)) == .stored(seq: 4))
        #expect(try await outbox.handOver(nowS: 0).map { try alert(in: $0).seq } == [1, 2, 4])
    }

    @Test("The same revision twice keeps its number and its first bytes")
    func sameRevision() async throws {
        let outbox = try open()
        #expect(await outbox.append([SampleAlerts.alert(1), SampleAlerts.alert(1)]) == [.stored(seq: 1), .stored(seq: 1)])
        #expect(await outbox.append(SampleAlerts.alert(1, severity: .critical)) == .stored(seq: 1))
        #expect(await outbox.status().rows == 1)
    }

    @Test(
        "Without a receipt a row is due again after 30 s, doubling to 10 min",
        arguments: [
            (1, 30.0), (2, 60), (3, 120), (4, 240), (5, 480), (6, 600), (7, 600), (100, 600),
        ])
    func schedule(attempt: Int, delayS: Double) { #expect(ResendSchedule.delayS(afterAttempt: attempt) == delayS) }

    @Test("A row under way is not handed over again before it is due")
    func resend() async throws {
        let outbox = try open()
        _ = await outbox.append(SampleAlerts.alert(1))
        #expect(await outbox.handOver(nowS: 100).map(\.attempt) == [1])
        #expect(await outbox.handOver(nowS: 129.9).isEmpty)
        #expect(await outbox.handOver(nowS: 130).map(\.attempt) == [2])
        #expect(await outbox.handOver(nowS: 189).isEmpty)
        #expect(await outbox.handOver(nowS: 190).map(\.attempt) == [3])
    }

    @Test("A lost connection makes due what the broker has not acknowledged, and nothing else")
    func connectionLost() async throws {
        let outbox = try open()
        _ = await outbox.append([SampleAlerts.alert(1), SampleAlerts.alert(2)])
        let rows = await outbox.handOver(nowS: 0)
        await outbox.acknowledged(rows[0])
        await outbox.connectionLost()
        #expect(await outbox.handOver(nowS: 1).map(\.id) == [SampleAlerts.id(2)])
        #expect(await outbox.handOver(nowS: 30).map(\.id) == [SampleAlerts.id(1)])
    }

    @Test("A row that was not sent is due at once and the attempt does not count")
    func returned() async throws {
        let outbox = try open()
        _ = await outbox.append(SampleAlerts.alert(1))
        await outbox.returned(try #require(await outbox.handOver(nowS: 0).first))
        #expect(await outbox.handOver(nowS: 0).map(\.attempt) == [1])
    }

    @Test("No more rows than the window are under way, and critical ones overtake")
    func window() async throws {
        let outbox = try open {
            $0.window = 3
            $0.urgentWindow = 1
        }
        _ = await outbox.append((1...5).map { SampleAlerts.alert($0) })
        #expect(await outbox.handOver(nowS: 0).map(\.id) == [1, 2, 3].map(SampleAlerts.id))
        _ = await outbox.append([SampleAlerts.alert(6, severity: .critical), SampleAlerts.alert(7, severity: .critical)])
        // The newest before all: what happens now matters more than what happened without a network.
        #expect(await outbox.handOver(nowS: 0).map(\.id) == [SampleAlerts.id(7)])
        await outbox.settle(SampleAlerts.receipt(SampleAlerts.alert(1)))
        #expect(await outbox.handOver(nowS: 0).map(\.id) == [SampleAlerts.id(6)])
        for i in [2, 3] { await outbox.settle(SampleAlerts.receipt(SampleAlerts.alert(i))) }
        #expect(await outbox.handOver(nowS: 0).map(\.id) == [SampleAlerts.id(4)])
    }

    @Test("With a full window and no answer one row a minute is a probe, and the answer to it makes the others due")
    func probe() async throws {
        let outbox = try open { $0.window = 2 }
        _ = await outbox.append((1...3).map { SampleAlerts.alert($0) })
        // Two attempts without an answer: due at 90 s. The clock of the outbox stands at 1000 s.
        #expect(await outbox.handOver(nowS: 940).count == 2)
        #expect(await outbox.handOver(nowS: 970).count == 2)
        #expect(await outbox.handOver(nowS: 1000).isEmpty)
        _ = await outbox.handOver(nowS: 1030)
        #expect(await outbox.handOver(nowS: 1089).isEmpty)
        clock.advance(bySeconds: 91)
        #expect(await outbox.handOver(nowS: 1091).map(\.id) == [SampleAlerts.id(1)])
        #expect(await outbox.handOver(nowS: 1092).isEmpty)
        await outbox.settle(SampleAlerts.receipt(SampleAlerts.alert(1)))
        #expect(await outbox.handOver(nowS: 1092).map(\.id) == [SampleAlerts.id(2), SampleAlerts.id(3)])
    }

    @Test("A rejected row moves to the table of rejected rows with its reason, and stays there over a restart")
    func rejected() async throws {
        do {
            let outbox = try open()
            _ = await outbox.append(SampleAlerts.alert(1))
            #expect(await outbox.settle(SampleAlerts.receipt(SampleAlerts.alert(1), .rejected, reason: "too odd")) == (0, 1))
        }
        let outbox = try await reopened { try open() }
        // The gap event about its number.
        #expect(await outbox.handOver(nowS: 0).map(\.content) == [.gap])
        #expect(await outbox.status().rejected == 1)
        #expect(await outbox.rejected().first?.reason == "too odd")
        #expect(try await outbox.retryRejected() == 1)
        let again = await outbox.handOver(nowS: 0)
        #expect(try again.map { try WireCodec.decodeAlert(from: $0.payload).id } == [SampleAlerts.id(1)])
        #expect(await outbox.status().rejected == 0)
    }

    @Test("A rejected gap event can wait again as well; what cannot be read stays rejected")
    func rejectedGap() async throws {
        do {
            let outbox = try open()
            _ = await outbox.append([SampleAlerts.alert(1), SampleAlerts.alert(2)])
            for number in 1...2 {
                await outbox.settle(SampleAlerts.receipt(SampleAlerts.alert(number), .rejected, reason: "too odd"))
            }
            for row in await outbox.handOver(nowS: 0) {
                for _ in 1...3 { _ = await outbox.refused(row, isPermanent: true, reason: "odd as well") }
            }
            // The two numbers lie in one gap event.
            #expect(await outbox.status().rejected == 3)
        }
        try Database(path: path).run(
            "UPDATE rejected SET payload = ? WHERE id = ?", .blob(Data("{}".utf8)), .text(SampleAlerts.id(1).description))
        let outbox = try await reopened { try open() }
        #expect(try await outbox.retryRejected() == 2)
        #expect(await outbox.status().rejected == 1)
        #expect(await outbox.rejected().map(\.id) == [SampleAlerts.id(1).description])
        #expect(await outbox.handOver(nowS: 0).map(\.content) == [.alert, .gap])
    }

    @Test("Q7 A message that the broker will never take is moved aside after three refusals; one that it denies stays")
    func refused() async throws {
        let outbox = try open()
        _ = await outbox.append([SampleAlerts.alert(1), SampleAlerts.alert(2)])
        let rows = await outbox.handOver(nowS: 0)
        for _ in 1...2 { #expect(await !outbox.refused(rows[0], isPermanent: true, reason: "too large")) }
        #expect(await outbox.refused(rows[0], isPermanent: true, reason: "too large"))
        for _ in 1...10 { #expect(await !outbox.refused(rows[1], isPermanent: false, reason: "denied")) }
        #expect(await outbox.handOver(nowS: 1e6).map(\.content) == [.alert, .gap])
        #expect(await outbox.rejected().map(\.reason) == ["too large"])
    }

    @Test("Episodes that a crash left open are ended as interrupted, once")
    func openEpisodes() async throws {
        do {
            let outbox = try open()
            _ = await outbox.append(SampleAlerts.alert(1))
            _ = await outbox.append(SampleAlerts.alert(1, revision: 2, phase: .update))
            _ = await outbox.append([SampleAlerts.alert(2), SampleAlerts.alert(2, revision: 2, phase: .end)])
            // Delivered rows are gone from the queue; the episode is still open.
            await outbox.settle(SampleAlerts.receipt(SampleAlerts.alert(1)))
            await outbox.settle(SampleAlerts.receipt(SampleAlerts.alert(1, revision: 2, phase: .update)))
        }
        clock.advance(bySeconds: 600)
        let outbox = try await reopened { try open() }
        let ends = await outbox.endOpenEpisodes(boot: "new", monotonicS: 3, clockState: .ntp)
        let end = try #require(ends.first)
        #expect(ends.count == 1)
        #expect(
            end.id == SampleAlerts.id(1) && end.revision == 3 && end.phase == .end && end.endReason == .interrupted && end.seq == 5)
        #expect(end.at == clock.wallTime() && end.endedAt == SampleAlerts.alert(1).at && end.implausibility == nil)
        #expect(await outbox.endOpenEpisodes(boot: "new", monotonicS: 3, clockState: .ntp).isEmpty)
    }

    @Test("Q21 A full outbox of 100 rows keeps 50 critical alerts of 550, drops updates first and tells of every dropped number")
    func full() async throws {
        let outbox = try open {
            $0.maximumRows = 100
            $0.window = 1000
        }
        for i in 1...50 {
            _ = await outbox.append(SampleAlerts.alert(i, severity: .critical))
            for revision in 1...10 {
                _ = await outbox.append(SampleAlerts.alert(1000 + i, revision: revision + 1, phase: .update, severity: .caution))
            }
        }
        let status = await outbox.status()
        #expect(status.rows <= 201 && status.isFull && status.dropped >= 440)
        let rows = await outbox.handOver(nowS: 0)
        let alerts = try rows.filter { $0.content == .alert }.map { try alert(in: $0) }
        #expect(alerts.count { $0.severity == .critical } == 50)
        var told = Set<Int64>()
        for row in rows where row.content == .gap {
            let gap = try gap(in: row)
            #expect(gap.reason == .outboxFull)
            told.formUnion(gap.fromSeq...gap.toSeq)
        }
        let kept = Set(alerts.map(\.seq))
        #expect(told.isDisjoint(with: kept))
        #expect(told.union(kept) == Set(1...550))
        #expect(told.count == status.dropped)
    }

    @Test("Superseded updates go before other updates, and both before starts and ends")
    func droppingOrder() async throws {
        let outbox = try open { $0.maximumRows = 10 }
        _ = await outbox.append([
            SampleAlerts.alert(1), SampleAlerts.alert(1, revision: 2, phase: .update), SampleAlerts.alert(2, phase: .update),
            SampleAlerts.alert(1, revision: 3, phase: .update), SampleAlerts.alert(1, revision: 4, phase: .end),
        ])
        _ = await outbox.append((10...15).map { SampleAlerts.alert($0) })
        let seqs = try await outbox.handOver(nowS: 0).filter { $0.content == .alert }.map { try alert(in: $0).seq }
        // 11 rows came, 9 stay: the two superseded updates (2 and 4) went, the other update (3) did not.
        #expect(seqs == [1, 3, 5, 6, 7, 8, 9, 10, 11])
    }

    @Test("A bound in bytes holds")
    func bytes() async throws {
        let outbox = try open { $0.maximumBytes = 20_000 }
        for i in 1...100 { _ = await outbox.append(SampleAlerts.alert(i)) }
        let status = await outbox.status()
        #expect(status.bytes <= 25_000 && status.rows > 10)
    }

    @Test("A second process gets one clear error that names the file, and status 69")
    func locked() async throws {
        let first = try open()
        let error = #expect(throws: UserError.self) { try open() }
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains(path) == true)
        #expect(await first.append(SampleAlerts.alert(1)) == .stored(seq: 1))
    }

    @Test("A folder that does not exist is named")
    func missingFolder() throws {
        let error = #expect(throws: UserError.self) {
            try DurableOutbox(
                settings: OutboxSettings(path: fixture.folder.path("nowhere/outbox.db"), identity: SampleAlerts.identity))
        }
        #expect(error?.code == .ioError)
        #expect(error?.message.contains("nowhere") == true)
    }

    struct Unstored: Error {}

    @Test("A database that was removed by hand does not bring old numbers back")
    func removed() async throws {
        do {
            let outbox = try open()
            for i in 1...5 { _ = await outbox.append(SampleAlerts.alert(i)) }
        }
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        guard case .stored(let seq) = try await reopened({ try open() }).append(SampleAlerts.alert(6)) else { throw Unstored() }
        #expect(seq > 5)
    }

    @Test("The connection counter grows over restarts and can be raised")
    func sessions() async throws {
        do {
            let outbox = try open()
            #expect(try await outbox.nextSession() == 1)
            #expect(try await outbox.nextSession() == 2)
        }
        let outbox = try await reopened { try open() }
        #expect(try await outbox.nextSession() == 3)
        try await outbox.raiseSession(above: 40)
        try await outbox.raiseSession(above: 7)
        #expect(try await outbox.nextSession() == 41)
        // A number that would overflow, sent by whoever may write to the topic, ends at the bound.
        try await outbox.raiseSession(above: .max)
        #expect(try await outbox.nextSession() == VehicleStatus.sessionRange.upperBound)
        #expect(try await outbox.nextSession() == VehicleStatus.sessionRange.upperBound)
    }

    @Test("Q25 five batches of 200 alerts are stored, each in one commit with full sync")
    func throughput() async throws {
        let outbox = try open()
        for second in 0..<5 { _ = await outbox.append((0..<200).map { SampleAlerts.alert(second * 200 + $0) }) }
        #expect(await outbox.status().rows == 1000)
    }
}
