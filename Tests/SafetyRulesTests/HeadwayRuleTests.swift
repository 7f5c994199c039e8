import FleetModel
import Testing
import WorldModel

@testable import SafetyRules

@Suite struct HeadwayRuleTests {
    /// Frames behind a vehicle `headwayS` ahead.
    private func follow(
        from start: Double = 0, seconds: Double, headwayS: Double, speedMps: Double? = 25, inPath: Bool = true,
        openingMps: Double? = nil, roadUser: RoadUserClass = .car
    ) -> [WorldState] {
        Timeline.frames(from: start, seconds: seconds) { t in
            var world = Timeline.ahead(
                t, ttcS: nil, roadUser: roadUser, inPath: inPath, speedMps: speedMps, distanceM: headwayS * (speedMps ?? 25))
            world.objects[0].openingMps = openingMps
            return world
        }
    }

    @Test(
        "Half a second behind a car at 90 km/h is a warning, 0.8 s a caution, 1.2 s nothing",
        arguments: [(0.5, Severity?.some(.warning)), (0.8, .caution), (1.2, nil)])
    func severities(headwayS: Double, severity: Severity?) throws {
        var rule = HeadwayRule()
        let events = try rule.run(follow(seconds: 5, headwayS: headwayS))
        #expect(events.map(\.severity) == [severity].compactMap(\.self))
        #expect(events.first?.startedAtS ?? 0 == 0)
        if case .headway(let details) = events.first?.details { #expect(abs(details.timeHeadwayS - headwayS) < 1e-9) }
    }

    @Test("One episode from beginning to end, severity only rising, and quiet for ten seconds after it")
    func episode() throws {
        var rule = HeadwayRule()
        var events = try rule.run(follow(seconds: 4, headwayS: 0.8))
        events += try rule.run(follow(from: 4.1, seconds: 1, headwayS: 0.5))
        events += try rule.run(follow(from: 5.2, seconds: 1, headwayS: 0.85))
        events += try rule.run(follow(from: 6.3, seconds: 3, headwayS: 1.5))
        events += try rule.run(follow(from: 9.4, seconds: 5, headwayS: 0.5))
        #expect(events.map(\.phase) == [.start, .update, .end])
        #expect(events.map(\.severity) == [.caution, .warning, .warning])
        #expect(events.last?.endReason == .cleared)
        #expect(rule.suppressed == ["headway-refractory": 1])
        let next = try rule.run(follow(from: 20, seconds: 4, headwayS: 0.5))
        #expect(next.map(\.phase) == [.start])
        #expect(next.first?.episode == 2)
        #expect(rule.stop(atS: 24).map(\.endReason) == [.stopped])
    }

    @Test("Not in a town's queue, not while the gap opens, not beside, not with a person, not for two seconds, not without a speed")
    func gates() throws {
        let cases: [([WorldState], String?)] = [
            (follow(seconds: 5, headwayS: 0.5, speedMps: 8), "headway-speed"),
            (follow(seconds: 5, headwayS: 0.5, openingMps: 2), "headway-opening"),
            (follow(seconds: 5, headwayS: 0.5, inPath: false), nil), (follow(seconds: 5, headwayS: 0.5, roadUser: .person), nil),
            (follow(seconds: 2, headwayS: 0.5), nil), (follow(seconds: 5, headwayS: 0.5, speedMps: nil), nil),
        ]
        for (worlds, gate) in cases {
            var rule = HeadwayRule()
            #expect(try rule.run(worlds).isEmpty)
            #expect(rule.suppressed == (gate.map { [$0: 1] } ?? [:]))
        }
    }

    @Test("A camera that sees nothing any more ends the episode")
    func blind() throws {
        var rule = HeadwayRule()
        _ = try rule.run(follow(seconds: 4, headwayS: 0.5))
        #expect(rule.update(WorldState(timeS: 5)).isEmpty)
        #expect(rule.update(WorldState(timeS: 7)).map(\.endReason) == [.unknown])
    }
}
