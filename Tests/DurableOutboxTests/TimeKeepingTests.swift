import DurableOutbox
import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Testing

/// Alerts that were raised before the computer knew the time.
@Suite struct TimeKeepingTests {
    let fixture: OutboxFixture
    let boot = SampleAlerts.alert(1).boot
    static let noon = Timestamp("2026-11-30T12:00:00.000Z") ?? .epoch

    init() throws {
        fixture = try OutboxFixture()
        fixture.clock.setWallTime(Timestamp(secondsSinceEpoch: 60))
    }

    /// Raised at the monotonic second `atS` on a clock that was at 1970 when the computer started.
    func early(_ episode: Int, atS: Double, phase: AlertPhase = .start, revision: Int = 1, severity: Severity = .warning) -> Alert {
        var alert = SampleAlerts.alert(
            episode, revision: revision, phase: phase, severity: severity, at: Timestamp(secondsSinceEpoch: atS))
        alert.clock = .unsynchronised
        alert.monotonicS = atS
        return alert
    }

    @Test("T3 Alerts of a clock at 1970 wait for the time, get it from their monotonic time once it is known, and keep their order")
    func filledIn() async throws {
        let outbox = try fixture.open()
        var end = early(1, atS: 30, phase: .end, revision: 2)
        end.startedAt = Timestamp(secondsSinceEpoch: 20)
        _ = await outbox.append([early(1, atS: 20), end, early(2, atS: 40)])
        let nowS = fixture.clock.monotonicS()
        #expect(await outbox.handOver(nowS: nowS).isEmpty)
        #expect(await outbox.fillInTimes(boot: boot, now: .init(at: Self.noon, monotonicS: 60, state: .gps)) == 3)
        let alerts = try await Waiting(outbox, nowS: nowS).alerts
        #expect(alerts.map(\.seq) == [1, 2, 3])
        #expect(alerts.map(\.at) == [-40, -30, -20].map { Self.noon.advanced(bySeconds: $0) })
        #expect(alerts.map(\.startedAt) == [-40, -40, -20].map { Self.noon.advanced(bySeconds: $0) })
        #expect(alerts[1].endedAt == alerts[1].at && alerts.allSatisfy { $0.clock == .gps && $0.implausibility == nil })
        // What comes later from the same boot with the old clock is dated as it is stored.
        _ = await outbox.append(early(3, atS: 59))
        let late = try await Waiting(outbox, nowS: nowS).alerts
        #expect(late.map(\.at) == [Self.noon.advanced(bySeconds: -1)] && late.map(\.clock) == [.gps])
    }

    @Test(
        "T3 Without the time they go as they are after two minutes; a critical one goes at once; those of another boot are never dated"
    )
    func notFilledIn() async throws {
        let outbox = try fixture.open()
        let startS = fixture.clock.monotonicS()
        var other = early(3, atS: 10)
        other.boot = "11111111-0000-0000-0000-000000000000"
        _ = await outbox.append([early(1, atS: 20), early(2, atS: 30, severity: .critical), other])
        #expect(try await Waiting(outbox, nowS: startS).numbers == [2])
        #expect(try await Waiting(outbox, nowS: startS + 119).numbers.isDisjoint(with: [1, 3]))
        #expect(try await Waiting(outbox, nowS: startS + 121).numbers.isSuperset(of: [1, 3]))
        // Sent already: they stay as they were sent.
        #expect(await outbox.fillInTimes(boot: boot, now: .init(at: Self.noon, monotonicS: 60, state: .ntp)) == 0)
        let alerts = try await Waiting(outbox, nowS: startS + 1e6).alerts
        #expect(alerts.count == 3 && alerts.allSatisfy { $0.clock == .unsynchronised })
    }

    @Test("T4 A clock that is wrong but not absurd holds nothing up; the time is filled in if it comes before the alert has gone")
    func plausibleButWrong() async throws {
        let outbox = try fixture.open()
        var alert = early(1, atS: 20)
        alert.at = Self.noon.advanced(bySeconds: -7200)
        alert.startedAt = alert.at
        _ = await outbox.append(alert)
        #expect(await outbox.fillInTimes(boot: boot, now: .init(at: Self.noon, monotonicS: 60, state: .ntp)) == 1)
        let alerts = try await Waiting(outbox, nowS: 1).alerts
        #expect(alerts.map(\.at) == [Self.noon.advanced(bySeconds: -40)])
    }

    @Test("T3 An episode that a crash left open before the time was known is ended with the right times")
    func interrupted() async throws {
        do {
            let outbox = try fixture.open()
            _ = await outbox.append(early(1, atS: 20))
            await outbox.fillInTimes(boot: boot, now: .init(at: Self.noon, monotonicS: 60, state: .gps))
        }
        // The agent starts again within the same boot, and its receiver has no fix yet.
        let outbox = try await reopened { try fixture.open() }
        let ends = await outbox.endOpenEpisodes(boot: boot, monotonicS: 100, clockState: .unsynchronised)
        #expect(ends.count == 1)
        await outbox.fillInTimes(boot: boot, now: .init(at: Self.noon.advanced(bySeconds: 60), monotonicS: 120, state: .gps))
        let end = try #require(try await Waiting(outbox, nowS: 1e6).alerts.last)
        #expect(end.phase == .end && end.endReason == .interrupted && end.clock == .gps)
        #expect(end.startedAt == Self.noon.advanced(bySeconds: -40) && end.endedAt == end.startedAt)
        #expect(end.at == Self.noon.advanced(bySeconds: 40))
    }
}
