import FleetModel
import SafetyRules
import Testing
import WorldModel

@Suite struct LandmarkRuleTests {
    /// A moment with the depot's gate in sight, or nothing.
    static func world(_ timeS: Double, score: Double?) -> WorldState {
        var world = WorldState(timeS: timeS, frame: FrameSize(width: 1280, height: 720))
        if let score {
            world.landmarks = [
                LandmarkSighting(name: "depot-gate", score: score, box: Box(x: 0.4, y: 0.3, width: 0.1, height: 0.1))
            ]
        }
        return world
    }

    @Test("The second sighting begins one episode, which ends five seconds after the last one with the best sighting")
    func episode() throws {
        var rule = LandmarkRule()
        let seen = (0..<20).map { Self.world(Double($0) / 10, score: $0 == 12 ? 0.97 : 0.92) }
        let gone = (20..<90).map { Self.world(Double($0) / 10, score: nil) }
        let events = try rule.run(seen + gone)
        #expect(events.map(\.phase) == [.start, .end])
        #expect(events.map(\.severity) == [.info, .info])
        #expect(events[0].startedAtS == 0)
        #expect(events[1].endedAtS == 1.9 && events[1].endReason == .lost)
        guard case .landmark(let best) = events[1].details else { return #expect(Bool(false), "\(events[1])") }
        #expect(best.name == "depot-gate" && best.score == 0.97)
    }

    @Test("A single sighting raises nothing and is counted")
    func once() throws {
        var rule = LandmarkRule()
        let events = try rule.run([Self.world(0, score: 0.91)] + (1..<40).map { Self.world(Double($0) / 10, score: nil) })
        #expect(events.isEmpty)
        #expect(rule.suppressed == ["landmark-once": 1])
    }

    @Test("What is in sight when the drive stops is ended as stopped; passing again is a second episode")
    func stopped() throws {
        var rule = LandmarkRule()
        _ = try rule.run((0..<5).map { Self.world(Double($0) / 10, score: 0.95) })
        _ = try rule.run((5..<80).map { Self.world(Double($0) / 10, score: nil) })
        let again = try rule.run((80..<85).map { Self.world(Double($0) / 10, score: 0.95) })
        #expect(again.map(\.episode) == [2])
        #expect(rule.stop(atS: 9).map(\.endReason) == [.stopped])
        #expect(rule.stop(atS: 9).isEmpty)
    }
}
