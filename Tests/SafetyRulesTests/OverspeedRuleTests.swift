import FleetModel
import Testing
import WorldModel

@testable import SafetyRules

@Suite struct OverspeedRuleTests {
    static func rule(
        toleranceKmh: Double = 0, percent: Double = 0, durationS: Double = 0, hysteresisKmh: Double = 2
    ) -> OverspeedRule {
        var settings = OverspeedRule.Settings()
        settings.tolerance = Speed(toleranceKmh, .kilometresPerHour)
        settings.tolerancePercent = percent
        settings.minimumDurationS = durationS
        settings.hysteresis = Speed(hysteresisKmh, .kilometresPerHour)
        return OverspeedRule(settings: settings)
    }

    @Test(
        "G12 an excess is told when it has lasted for the minimum duration, counted with >=",
        arguments: [
            (durationS: 0.0, excessSamples: 1, told: true), (durationS: 0.0, excessSamples: 0, told: false),
            (durationS: 5.0, excessSamples: 5, told: false), (durationS: 5.0, excessSamples: 6, told: true),
            (durationS: 5.0, excessSamples: 7, told: true),
        ])
    func minimumDuration(durationS: Double, excessSamples: Int, told: Bool) throws {
        var rule = Self.rule(durationS: durationS)
        let worlds = (0..<20).map { Timeline.drive(Double($0), kmh: (3..<3 + excessSamples).contains($0) ? 60 : 45) }
        let events = try rule.run(worlds)
        #expect(events.map(\.phase) == (told ? [.start, .end] : []))
        if told { #expect(events[0].startedAtS == 3) }
    }

    @Test("G13 one excess of 40 s: one start, one end, duration, distance, mean and maximum")
    func wholeEpisode() throws {
        var rule = Self.rule()
        // 45 km/h, then 40 s at 60 with one second of 66 in it, then 45.
        func kmh(_ t: Int) -> Double {
            if t < 5 || t >= 45 { return 45 }
            return t == 20 ? 66 : 60
        }
        let worlds = (0..<60).map { Timeline.drive(Double($0), kmh: kmh($0)) }
        let events = try rule.run(worlds)
        #expect(events.first?.phase == .start)
        #expect(events.last?.phase == .end)
        #expect(events.filter { $0.phase == .start }.count == 1)
        let end = try #require(events.last)
        #expect(end.endReason == .cleared)
        #expect(end.startedAtS == 5)
        #expect(end.endedAtS == 45)
        let details = try #require(end.overspeed)
        #expect(abs(details.durationS - 40) < 1e-9)
        #expect(abs(details.maxSpeedMps - 66 / 3.6) < 1e-9)
        // Trapezoids: 39 s at 60 with a peak that adds 6 km/h for 1 s, and 1 s falling from 60 to 45.
        let metres = (39 * 60.0 + 6 + 52.5) / 3.6
        #expect(abs(details.distanceM - metres) < 1e-6)
        #expect(abs(details.meanSpeedMps - metres / 40) < 1e-6)
    }

    @Test("G14 a speed that swings by 1 km/h about the limit for 60 s is one alert")
    func hysteresis() throws {
        var rule = Self.rule()
        let events = try rule.run((0..<60).map { Timeline.drive(Double($0), kmh: $0.isMultiple(of: 2) ? 51 : 49) })
        #expect(events.filter { $0.phase == .start }.count == 1)
        #expect(events.filter { $0.phase == .end }.isEmpty)
        #expect(rule.stop(atS: 60).map(\.endReason) == [.stopped])
    }

    @Test("G16 crossing from a 50 into a 90 zone at 80 km/h ends the episode at the border")
    func limitRises() throws {
        var rule = Self.rule()
        let worlds = (0..<20).map { Timeline.drive(Double($0), kmh: 80, limit: Speed($0 < 10 ? 50 : 90, .kilometresPerHour)) }
        let events = try rule.run(worlds)
        #expect(events.map(\.phase) == [.start, .end])
        #expect(events[1].endReason == .limitChanged)
        #expect(events[1].endedAtS == 10)
        #expect(events[1].overspeed?.limit == Speed(50, .kilometresPerHour))
    }

    @Test("G16 an episode that goes on under a lower limit becomes a second episode")
    func limitFalls() throws {
        var rule = Self.rule()
        let worlds = (0..<20).map { Timeline.drive(Double($0), kmh: 80, limit: Speed($0 < 10 ? 70 : 50, .kilometresPerHour)) }
        let events = try rule.run(worlds)
        #expect(events.filter { $0.phase != .update }.map(\.phase) == [.start, .end, .start])
        #expect(events.last?.overspeed?.limit.value == 50)
        #expect(events.last?.startedAtS == 10)
    }

    @Test(
        "G18 driving exactly the limit is not too fast, in any unit",
        arguments: [
            (Speed(80, .kilometresPerHour), 22.2222), (Speed(80, .kilometresPerHour), 22.22223),
            (Speed(30, .milesPerHour), 13.4112),
            (Speed(30, .milesPerHour), 13.412), (Speed(50, .kilometresPerHour), 13.8889), (Speed(20, .knots), 10.28889),
        ])
    func exactlyTheLimit(limit: Speed, mps: Double) throws {
        var rule = Self.rule(hysteresisKmh: 0)
        #expect(try rule.run((0..<10).map { Timeline.drive(Double($0), kmh: mps * 3.6, limit: limit) }).isEmpty)
        #expect(try rule.run((10..<12).map { Timeline.drive(Double($0), kmh: mps * 3.6 + 0.5, limit: limit) }).count == 1)
    }

    @Test(
        "The larger of the absolute and the relative tolerance applies",
        arguments: [
            (limit: 50.0, kmh: 52.9, over: false), (limit: 50.0, kmh: 53.2, over: true), (limit: 120.0, kmh: 123.5, over: false),
            (limit: 120.0, kmh: 123.8, over: true),
        ])
    func tolerance(limit: Double, kmh: Double, over: Bool) throws {
        var rule = Self.rule(toleranceKmh: 3, percent: 3)
        let events = try rule.run([Timeline.drive(0, kmh: kmh, limit: Speed(limit, .kilometresPerHour))])
        #expect(events.isEmpty != over)
    }

    @Test("Severity rises with the excess and never falls; a long caution becomes a warning")
    func severity() throws {
        var rule = Self.rule()
        let speeds: [Double] = [55, 55, 61, 55, 72, 55]
        let events = try rule.run(speeds.enumerated().map { Timeline.drive(Double($0.offset), kmh: $0.element) })
        #expect(events.map(\.severity) == [.caution, .warning, .critical])
        #expect(events.map(\.phase) == [.start, .update, .update])

        var patient = Self.rule()
        let long = try patient.run((0...60).map { Timeline.drive(Double($0), kmh: 55) })
        #expect(long.map(\.severity) == [.caution, .warning])
    }

    @Test("A new maximum is told at most every 5 s")
    func updates() throws {
        var rule = Self.rule()
        let events = try rule.run((0..<9).map { Timeline.drive(Double($0), kmh: 51.1 + Double($0)) })
        #expect(events.map(\.phase) == [.start, .update])
        #expect(events[1].overspeed.map { abs($0.maxSpeedMps - 56.1 / 3.6) < 1e-9 } == true)
    }

    @Test("S3 an unknown limit or speed suspends the rule and ends the episode after the hold time")
    func unknown() throws {
        var rule = Self.rule()
        var worlds = (0..<5).map { Timeline.drive(Double($0), kmh: 60) }
        worlds += (5..<15).map { Timeline.drive(Double($0), kmh: 60, limit: nil) }
        let events = try rule.run(worlds)
        #expect(events.map(\.phase) == [.start, .end])
        #expect(events[1].endReason == .unknown)
        #expect(events[1].endedAtS == 4)

        var waiting = Self.rule(durationS: 3)
        let gap = [(0, 60.0), (1, 60), (2, nil), (3, 60), (4, 60), (5, 45)].map { Timeline.drive(Double($0.0), kmh: $0.1) }
        #expect(try waiting.run(gap).isEmpty, "an excess that was interrupted begins anew")
    }

    @Test("A fix that repeats adds nothing: durations count in fix time")
    func repeatedFix() throws {
        var rule = Self.rule(durationS: 2)
        var worlds: [WorldState] = []
        for i in 0..<100 {
            var world = Timeline.drive(Double(i) / 30, kmh: 60)
            world.ego.fixTimeS = 0
            worlds.append(world)
        }
        #expect(try rule.run(worlds).isEmpty)
    }
}
