import FleetModel
import Foundation
import Testing
import WorldModel

@testable import SafetyRules

/// Reports of a receiver through the estimator and the rule, as the pipeline does it.
private struct Chain {
    var estimator = EgoStateEstimator()
    var rule: OverspeedRule
    var events: [RuleEvent] = []
    var limit: SpeedLimit? = SpeedLimit(Speed(50, .kilometresPerHour), source: .map, confidence: 0.8)
    var timeS = 0.0
    var travelledM = 0.0
    private let startedAt = Timestamp(secondsSinceEpoch: 1_772_352_000)

    init(minimumDurationS: Double = 2) {
        var settings = OverspeedRule.Settings()
        settings.minimumDurationS = minimumDurationS
        rule = OverspeedRule(settings: settings)
    }

    func report(kmh: Double?, mode: Int = 3, offsetM: Double = 0) -> PositionFix {
        var fix = PositionFix(mode: mode, timeS: timeS)
        fix.fixTime = startedAt.advanced(bySeconds: timeS)
        fix.latitude = 48 + (travelledM + offsetM) / 111_195
        fix.longitude = 11.5
        fix.speedMps = kmh.map { $0 / 3.6 }
        fix.headingDeg = 0
        return fix
    }

    mutating func send(_ fix: PositionFix) {
        estimator.update(fix)
        let ego = estimator.state(at: timeS)
        events += rule.update(WorldState(timeS: timeS, ego: ego, limit: limit))
    }

    /// Drives for `seconds` at `kmh`, a true report a second.
    mutating func drive(_ seconds: Int, kmh: Double) {
        for _ in 0..<seconds {
            send(report(kmh: kmh))
            pass(kmh: kmh)
        }
    }

    mutating func pass(kmh: Double) {
        timeS += 1
        travelledM += kmh / 3.6
    }

    var ends: [OverspeedDetails] { events.filter { $0.phase == .end }.compactMap(\.overspeed) }
}

@Suite struct OverspeedFromFixesTests {
    @Test("G8 a spike is in no maximum, neither of its own time nor of the next episode")
    func g8() {
        var chain = Chain()
        chain.drive(20, kmh: 45)
        chain.send(chain.report(kmh: 309))
        chain.pass(kmh: 45)
        chain.drive(20, kmh: 45)
        #expect(chain.events.isEmpty, "G1: a spike alone is no alert")
        chain.drive(10, kmh: 60)
        chain.send(chain.report(kmh: 470))
        chain.pass(kmh: 60)
        chain.drive(10, kmh: 60)
        chain.drive(10, kmh: 45)
        #expect(chain.ends.count == 1)
        #expect(chain.ends.first.map { abs($0.maxSpeedMps - 60 / 3.6) < 1e-9 } == true)
    }

    @Test(
        "G1 G2 G5 G9 what a bad receiver invents raises nothing at a limit just above the true speed",
        arguments: ["spike", "jump", "stuck", "wild start", "reordered"])
    func nothingInvented(kind: String) {
        var chain = Chain(minimumDurationS: 0)
        switch kind {
        case "wild start":
            for _ in 0..<30 {
                chain.send(PositionFix(mode: 1, timeS: chain.timeS))
                chain.timeS += 1
            }
            for (kmh, off) in [(120.0, 900.0), (95, -700)] {
                chain.send(chain.report(kmh: kmh, mode: 2, offsetM: off))
                chain.pass(kmh: 0)
            }
        case "spike":
            chain.drive(20, kmh: 48)
            for kmh in [259.0, 90, 75] {
                chain.send(chain.report(kmh: kmh))
                chain.pass(kmh: 48)
                chain.drive(5, kmh: 48)
            }
        case "jump":
            chain.drive(20, kmh: 48)
            chain.send(chain.report(kmh: 48, offsetM: 10_000))
            chain.pass(kmh: 48)
        case "stuck":
            // The last report of a braking vehicle repeats: the receiver hangs.
            chain.drive(20, kmh: 48)
            let stuck = chain.report(kmh: 58)
            for _ in 0..<120 {
                var fix = stuck
                fix.timeS = chain.timeS
                chain.send(fix)
                chain.timeS += 1
            }
            #expect(chain.estimator.state(at: chain.timeS).degraded.contains(.gpsStale))
        default:
            chain.drive(20, kmh: 48)
            let late = chain.report(kmh: 80, offsetM: -60)
            chain.drive(2, kmh: 48)
            var fix = late
            fix.timeS = chain.timeS
            chain.send(fix)
        }
        if kind != "stuck" { chain.drive(20, kmh: 48) }
        #expect(chain.events.isEmpty, "\(chain.events)")
    }

    @Test("Three real episodes among true fixes are found with start and end within one fix")
    func episodes() {
        var chain = Chain(minimumDurationS: 0)
        var truth: [(from: Double, to: Double)] = []
        for (seconds, kmh) in [(15, 60.0), (8, 72), (31, 57)] {
            chain.drive(30, kmh: 45)
            let from = chain.timeS
            chain.drive(seconds, kmh: kmh)
            truth.append((from, chain.timeS))
        }
        chain.drive(20, kmh: 45)
        let starts = chain.events.filter { $0.phase == .start }
        let ends = chain.events.filter { $0.phase == .end }
        #expect(starts.count == 3 && ends.count == 3)
        for (i, episode) in truth.enumerated() where i < starts.count && i < ends.count {
            #expect(abs(starts[i].startedAtS - episode.from) <= 1)
            #expect(abs((ends[i].endedAtS ?? 0) - episode.to) <= 1)
        }
    }

    @Test("G15 the alert tells the limit, where it comes from, how sure it is, and the tolerance, whatever the limit is later")
    func g15() throws {
        var chain = Chain()
        chain.drive(10, kmh: 45)
        chain.drive(10, kmh: 60)
        chain.limit = SpeedLimit(Speed(80, .kilometresPerHour), source: .sign, confidence: 0.99)
        chain.drive(10, kmh: 60)
        let end = try #require(chain.ends.first)
        #expect(end.limit == Speed(50, .kilometresPerHour))
        #expect(end.source == .map)
        #expect(end.confidence == 0.8)
        #expect(abs(end.toleranceMps - 3 / 3.6) < 1e-9)
        #expect(chain.events.last?.endReason == .limitChanged)
    }

    @Test("The range of sources that disagree stands in the alert, and the highest decides")
    func range() throws {
        var chain = Chain()
        chain.limit = SpeedLimit(
            Speed(70, .kilometresPerHour), source: .map, confidence: 0.6, lowest: Speed(50, .kilometresPerHour),
            highest: Speed(70, .kilometresPerHour))
        chain.drive(20, kmh: 60)
        #expect(chain.events.isEmpty)
        chain.drive(10, kmh: 80)
        let start = try #require(chain.events.first?.overspeed)
        #expect(start.limitMinMps.map { abs($0 - 50 / 3.6) < 1e-9 } == true)
        #expect(start.confidence == 0.6)
    }
}
