import FleetModel
import Testing
import WorldModel

@testable import SafetyRules

@Suite struct CollisionRuleTests {
    @Test("C7 a stopped lead from 60 m at 20 m/s is a warning at 2.1 s or more")
    func stoppedLead() throws {
        var rule = CollisionRule()
        let events = try rule.run(
            Timeline.frames(seconds: 2.5) { t in
                Timeline.ahead(t, ttcS: 3.5 - t, speedMps: 20, closingMps: 20)
            })
        let warning = try #require(events.first { $0.severity == .warning })
        #expect((warning.collision?.ttcS ?? 0) >= 2.1)
        #expect(events.map(\.severity) == [.caution, .warning, .critical])
        #expect(events.map(\.phase) == [.start, .update, .update])
        #expect(events[0].collision?.gates.contains("persistence") == true)
        #expect(events.allSatisfy { $0.episode == 1 })
        #expect((events.last?.collision?.ttcSeries.count ?? 0) <= 60)
    }

    @Test(
        "C7 The faster the gap closes, the earlier: braking with 5 m/s² must still do for a warning, 7 for a critical one, with 0.1 s of doubt",
        arguments: [(closingMps: 20.0, warningS: 2.8, criticalS: 1.5), (36.0, 3.4, 2.37), (44.0, 4.2, 2.94)])
    func deceleration(closingMps: Double, warningS: Double, criticalS: Double) throws {
        var rule = CollisionRule()
        let events = try rule.run(
            Timeline.frames(seconds: 5) { t in
                Timeline.ahead(t, ttcS: 6 - t, speedMps: closingMps, closingMps: closingMps)
            })
        for (severity, dueS) in [(Severity.warning, warningS), (.critical, criticalS)] {
            let ttcS = try #require(events.first { $0.severity == severity }?.collision?.ttcS)
            #expect((dueS - 0.1...dueS).contains(ttcS), "\(severity) at \(ttcS) s")
        }
    }

    @Test("C6 stop-and-go: 2 m/s and a gap of 3 m is no alert", arguments: [2.0, 0.0])
    func stopAndGo(speedMps: Double) throws {
        var rule = CollisionRule()
        #expect(try rule.run(Timeline.frames(seconds: 3) { Timeline.ahead($0, ttcS: 1.5, speedMps: speedMps) }).isEmpty)
        #expect(rule.suppressed == ["speed": 1])
        var creeping = CollisionRule()
        #expect(try creeping.run(Timeline.frames(seconds: 3) { Timeline.ahead($0, ttcS: 2, speedMps: 5, closingMps: 0.8) }).isEmpty)
        #expect(creeping.suppressed == ["closing": 1])
    }

    @Test("The speed gate has hysteresis, and an unknown speed is not zero")
    func speedGate() throws {
        var rule = CollisionRule()
        _ = rule.update(Timeline.ahead(0, ttcS: nil, speedMps: 4))
        #expect(try rule.run(Timeline.frames(from: 0.1, seconds: 1) { Timeline.ahead($0, ttcS: 2, speedMps: 2.2) }).count == 1)
        var blind = CollisionRule()
        #expect(try blind.run(Timeline.frames(seconds: 1) { Timeline.ahead($0, ttcS: 2) }).map(\.phase) == [.start])
    }

    @Test("C5 a flicker of two frames is no alert, nor is a low confidence")
    func flicker() throws {
        var rule = CollisionRule()
        let events = try rule.run(
            Timeline.frames(seconds: 3) { t in
                Timeline.ahead(t, ttcS: Int((t * 30).rounded()) % 10 < 3 ? 1 : nil)
            })
        #expect(events.isEmpty)
        var weak = CollisionRule()
        #expect(try weak.run(Timeline.frames(seconds: 1) { Timeline.ahead($0, ttcS: 1, score: 0.3) }).isEmpty)
        #expect(weak.suppressed == ["score": 1])
    }

    @Test(
        "C3 what closes faster than the own speed is oncoming traffic; a standing lead is not, also when its distance is 25 % off",
        arguments: [(40.0, 2.0, false), (32.0, 2.0, false), (50.0, 2.0, false), (68.0, 2.0, true), (80.0, 2.0, true)])
    func oncoming(distanceM: Double, ttcS: Double, isHeldBack: Bool) throws {
        var rule = CollisionRule()
        let events = try rule.run(
            Timeline.frames(seconds: 1) {
                Timeline.ahead($0, ttcS: ttcS, speedMps: 20, closingMps: distanceM / ttcS, distanceM: distanceM)
            })
        #expect(events.isEmpty == isHeldBack)
        #expect(rule.suppressed == (isHeldBack ? ["oncoming": 1] : [:]))
        var blind = CollisionRule()
        #expect(try !blind.run(Timeline.frames(seconds: 1) { Timeline.ahead($0, ttcS: ttcS, distanceM: distanceM) }).isEmpty)
    }

    @Test("C5 a track that has not been detected for a while begins no alert, and one that has begun goes on")
    func unseen() throws {
        func world(_ t: Double, unseenS: Double) -> WorldState {
            var world = Timeline.ahead(t, ttcS: 2)
            world.objects[0].lastSeenS = t - unseenS
            return world
        }
        var rule = CollisionRule()
        #expect(try rule.run(Timeline.frames(seconds: 1) { world($0, unseenS: 0.2) }).isEmpty)
        #expect(rule.suppressed == ["unseen": 1])
        var begun = CollisionRule()
        let events = try begun.run(Timeline.frames(seconds: 1.2) { world($0, unseenS: max(0, $0 - 0.5)) })
        #expect(events.map(\.phase) == [.start])
    }

    @Test("C2 what grows but is not in the path is no alert and is counted once")
    func outOfPath() throws {
        var rule = CollisionRule()
        #expect(try rule.run(Timeline.frames(seconds: 2) { Timeline.ahead($0, ttcS: 1, inPath: false) }).isEmpty)
        #expect(rule.suppressed == ["in-path": 1])
    }

    @Test("C7 A severity that is sure counts in one frame, one that is not wants two", arguments: [(0.05, 1), (0.4, 2)])
    func sure(sdS: Double, frames: Int) throws {
        func world(_ t: Double, ttcS: Double) -> WorldState {
            var world = Timeline.ahead(t, ttcS: ttcS, speedMps: 20, closingMps: 10)
            world.objects[0].timeToCollision = TimeToCollision(seconds: ttcS, sdS: sdS)
            return world
        }
        var rule = CollisionRule()
        _ = try rule.run((0..<5).map { world(Double($0) / 10, ttcS: 3.1) })
        let events = (0..<3).map { rule.update(world(0.5 + Double($0) / 10, ttcS: 2.4)) }
        #expect(events.firstIndex { $0.contains { $0.severity == .warning } } == frames - 1)
    }

    @Test("C8 one alert a track although its time to collision comes and goes")
    func intermittent() throws {
        var rule = CollisionRule()
        let events = try rule.run(
            Timeline.frames(seconds: 4) { t in
                Timeline.ahead(t, ttcS: t > 1 && Int((t * 30).rounded()) % 10 < 3 ? nil : 2)
            })
        #expect(events.map(\.phase) == [.start])
    }

    @Test("C8 the same car under a new number is not told again at once")
    func renumbered() throws {
        var rule = CollisionRule()
        _ = try rule.run(Timeline.frames(seconds: 1) { Timeline.ahead($0, ttcS: 2, track: 1) })
        let events = try rule.run(Timeline.frames(from: 1.1, seconds: 2) { Timeline.ahead($0, ttcS: 2, track: 2) })
        #expect(events.map(\.phase) == [.end])
        #expect(events[0].endReason == .lost)
        #expect(rule.suppressed["refractory"] == 1)
        let worse = try rule.run(Timeline.frames(from: 3.2, seconds: 1) { Timeline.ahead($0, ttcS: 1, track: 2) })
        #expect(worse.map(\.severity) == [.critical])
    }

    @Test("What closes again after it had stopped closing is another danger, and is told")
    func again() throws {
        var rule = CollisionRule()
        var events = try rule.run(Timeline.frames(seconds: 1) { Timeline.ahead($0, ttcS: 2) })
        events += try rule.run(Timeline.frames(from: 1.1, seconds: 1) { Timeline.ahead($0, ttcS: nil) })
        events += try rule.run(Timeline.frames(from: 2.2, seconds: 1) { Timeline.ahead($0, ttcS: 2) })
        #expect(events.map(\.phase) == [.start, .end, .start])
        #expect(events[1].endReason == .cleared)
    }

    @Test("What seems to be reached at once, and what is not known well enough, begins no alert")
    func implausible() throws {
        var rule = CollisionRule()
        #expect(try rule.run(Timeline.frames(seconds: 1) { Timeline.ahead($0, ttcS: 0.5) }).isEmpty)
        #expect(rule.suppressed == ["too-near": 1])
        var unsure = CollisionRule()
        let worlds = Timeline.frames(seconds: 1) { t in
            var world = Timeline.ahead(t, ttcS: 2)
            world.objects[0].timeToCollision?.sdS = 0.8
            return world
        }
        #expect(try unsure.run(worlds).isEmpty)
        #expect(unsure.suppressed == ["uncertain": 1])
    }

    @Test("A person of low confidence who has been followed for long is warned of, one who has just appeared is not")
    func longKnown() throws {
        func worlds(knownS: Double) -> [WorldState] {
            Timeline.frames(seconds: 0.6) { t in
                var world = Timeline.ahead(t, ttcS: 2, roadUser: .person, score: 0.45)
                world.objects[0].firstSeenS = t - knownS
                return world
            }
        }
        var rule = CollisionRule()
        #expect(try rule.run(worlds(knownS: 0.5)).isEmpty)
        var known = CollisionRule()
        #expect(try known.run(worlds(knownS: 2)).map(\.phase) == [.start])
    }

    @Test("C10 an episode ends when its track is gone, and when the camera sees nothing any more")
    func ends() throws {
        var rule = CollisionRule()
        _ = try rule.run(Timeline.frames(seconds: 1) { Timeline.ahead($0, ttcS: 2) })
        let empty = WorldState(timeS: 1.8, frame: FrameSize(width: 1280, height: 720))
        #expect(rule.update(empty).map(\.endReason) == [.lost])

        var blind = CollisionRule()
        _ = try blind.run(Timeline.frames(seconds: 1) { Timeline.ahead($0, ttcS: 2) })
        #expect(blind.update(WorldState(timeS: 2)).isEmpty)
        let end = blind.update(WorldState(timeS: 3.5))
        #expect(end.map(\.endReason) == [.unknown])
        #expect(end.first?.endedAtS == 1)
    }

    @Test("An episode ends when the danger has passed, with its smallest time to collision; severity never falls")
    func cleared() throws {
        var rule = CollisionRule()
        let events = try rule.run(Timeline.frames(seconds: 6) { t in Timeline.ahead(t, ttcS: 2 + abs(t - 2) * (t > 2 ? 3 : 0.5)) })
        #expect(events.map(\.phase) == [.start, .update, .end])
        #expect(events.map(\.severity) == [.caution, .warning, .warning])
        #expect(events[2].endReason == .cleared)
        #expect(events[2].collision?.minTtcS.map { abs($0 - 2) < 1e-9 } == true)
    }

    @Test("A class that is not configured is no alert")
    func classes() throws {
        var settings = CollisionRule.Settings()
        settings.classes = [.person]
        var rule = CollisionRule(settings: settings)
        #expect(try rule.run(Timeline.frames(seconds: 1) { Timeline.ahead($0, ttcS: 1) }).isEmpty)
        #expect(
            try rule.run(Timeline.frames(from: 2, seconds: 1) { Timeline.ahead($0, ttcS: 2, track: 2, roadUser: .person) }).count
                == 1)
    }

    @Test("Stopping ends what is open")
    func stop() throws {
        var rule = CollisionRule()
        _ = try rule.run(Timeline.frames(seconds: 1) { Timeline.ahead($0, ttcS: 2) })
        #expect(rule.stop(atS: 1).map(\.endReason) == [.stopped])
        #expect(rule.stop(atS: 1).isEmpty)
    }
}
