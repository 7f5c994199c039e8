import FleetModel
import Testing
import WorldModel

@testable import SafetyRules

@Suite struct AlertGateTests {
    static func gate(_ origin: AlertOrigin = .replay) throws -> AlertGate {
        let identity = try #require(VehicleIdentity(fleet: "demo", vehicle: "truck-17"))
        let context = AlertGate.Context(identity: identity, origin: origin, boot: "boot", software: "1.0.0", model: "m")
        return AlertGate(context: context) { kind, ordinal, _ in AlertID.v8(digest: [UInt8(ordinal), UInt8(kind.rawValue.count)]) }
    }

    static func moment(_ timeS: Double) -> AlertGate.Moment {
        AlertGate.Moment(at: Timestamp.epoch.advanced(bySeconds: timeS), timeS: timeS, clock: .gps)
    }

    @Test("Revisions of an episode share an id, count from 1 and keep the start; a replay's alerts are numbered")
    func revisions() throws {
        var (rule, gate) = (OverspeedRuleTests.rule(), try Self.gate())
        var alerts: [Alert] = []
        for (t, kmh) in [(0, 45.0), (1, 55), (2, 65), (3, 45), (4, 55)] {
            let world = Timeline.drive(Double(t), kmh: kmh)
            alerts += gate.alerts(for: rule.update(world), ego: world.ego, at: Self.moment(Double(t)))
        }
        #expect(alerts.map(\.revision) == [1, 2, 3, 1])
        #expect(alerts.map(\.phase) == [.start, .update, .end, .start])
        #expect(alerts.map(\.seq) == [1, 2, 3, 4])
        #expect(Set(alerts.map(\.id)).count == 2)
        #expect(alerts[2].startedAt == Timestamp.epoch.advanced(bySeconds: 1))
        #expect(alerts[2].endedAt == Timestamp.epoch.advanced(bySeconds: 3))
        #expect(alerts.map(\.sessionTimeS) == [1, 2, 3, 4])
        #expect(alerts.allSatisfy { $0.implausibility == nil })
    }

    @Test("A live alert has no session time and no number yet")
    func live() throws {
        var (rule, gate) = (OverspeedRuleTests.rule(), try Self.gate(.live))
        let world = Timeline.drive(0, kmh: 60)
        let alert = try #require(gate.alerts(for: rule.update(world), ego: world.ego, at: Self.moment(0)).first)
        #expect(alert.seq == 0)
        #expect(alert.sessionTimeS == nil)
        #expect(alert.speedMps.map { abs($0 - 60 / 3.6) < 1e-9 } == true)
    }

    @Test("T3 When the time becomes known within an episode, later revisions tell its beginning by it too")
    func timeBecomesKnown() throws {
        var (rule, gate) = (OverspeedRuleTests.rule(), try Self.gate(.live))
        let noon = try #require(Timestamp("2026-11-30T12:00:00.000Z"))
        var alerts: [Alert] = []
        for (t, kmh) in [(10.0, 55.0), (11, 65), (12, 66), (13, 45)] {
            let world = Timeline.drive(t, kmh: kmh)
            let isKnown = t >= 12
            let moment = AlertGate.Moment(
                at: (isKnown ? noon : .epoch).advanced(bySeconds: t), timeS: t, clock: isKnown ? .gps : .unsynchronised)
            alerts += gate.alerts(for: rule.update(world), ego: world.ego, at: moment)
        }
        #expect(alerts.first?.startedAt == Timestamp.epoch.advanced(bySeconds: 10))
        let end = try #require(alerts.last)
        #expect(end.phase == .end && end.startedAt == noon.advanced(bySeconds: 10) && end.endedAt == noon.advanced(bySeconds: 13))
    }

    @Test("An end without a start is dropped")
    func strayEnd() throws {
        var (rule, gate) = (OverspeedRuleTests.rule(), try Self.gate())
        _ = rule.update(Timeline.drive(0, kmh: 60))
        #expect(gate.alerts(for: rule.stop(atS: 1), ego: .unknown, at: Self.moment(1)).isEmpty)
    }

    struct Broken: Rule {
        struct Defect: Error {}
        let name = "broken"
        let suppressed: [String: Int] = [:]
        mutating func update(_ world: WorldState) throws -> [RuleEvent] { throw Defect() }
        mutating func stop(atS timeS: Double) -> [RuleEvent] { [] }
    }

    @Test("A rule that fails does not stop the others")
    func failure() {
        var rules = RuleSet([Broken(), OverspeedRuleTests.rule()])
        let (events, failures) = rules.update(Timeline.drive(0, kmh: 60))
        #expect(events.map(\.phase) == [.start])
        #expect(failures.map(\.rule) == ["broken"])
    }
}
