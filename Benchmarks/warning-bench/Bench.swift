import DriveTrials
import FleetRuntime
import Foundation
import Perception
import SimCore

/// Drives of one kind after the other, and a line about what came of them.
struct Bench {
    /// How a drive differs from the usual one.
    struct Variant {
        var note = ""
        var hfovDeg = 60.0
        /// Speeds of the ego vehicle, from the first drive to the last, km/h; nil where the scenario has its own.
        var speedsKmh: ClosedRange<Double>?
        /// Sideways acceleration in a bend, to the left in every other drive, m/s²; nil where the scenario has its own road.
        var lateralMps2: Double?
        var seesMotion = true
        var isMirrored = false
        var knowsSpeed = true
    }

    /// Drives of each kind.
    var runs: Int
    var firstSeed: UInt64
    /// Looks at pictures; nil for drives with noisy boxes in place of pictures.
    var detector: RoadUserDetector?

    /// Drives at whose end a warning was due, in time.
    mutating func approach(_ scenario: ScenarioCatalogue, _ variant: Variant) throws {
        var (inTime, late, early, missed) = (0, 0, 0, 0)
        var (times, errors): ([Double], [Double]) = ([], [])
        var bad: [UInt64] = []
        for run in 0..<runs {
            let judge = try drive(scenario, variant, run)
            errors += judge.ttcErrors
            if judge.isInTime { inTime += 1 } else { bad.append(seed(run)) }
            guard let first = judge.warnings.first else {
                missed += 1
                continue
            }
            let ttcS = first.trueTtcS ?? 99
            times.append(ttcS)
            if ttcS < 2.1 { late += 1 }
            if ttcS > 3.5 { early += 1 }
        }
        times.sort()
        errors.sort()
        let ttc = times.isEmpty ? "-" : "\(number(times[0])) \(number(times[times.count / 2])) \(number(times[times.count - 1]))"
        let error = errors.isEmpty ? "-" : "\(number(errors[errors.count / 2])) \(number(errors[errors.count * 9 / 10]))"
        StandardStreams.print(
            "\(scenario.rawValue) \(Int(variant.hfovDeg)) deg\(variant.note): in time \(inTime) of \(runs), late \(late), early \(early), missed \(missed); true TTC min median max \(ttc); TTC error median p90 \(error); not in time: \(bad.prefix(12))"
        )
    }

    /// Drives on which nothing is to be told.
    mutating func harmless(_ scenario: ScenarioCatalogue, _ variant: Variant) throws {
        var bad: [String] = []
        var (alerted, headways) = (0, 0)
        for run in 0..<runs {
            let judge = try drive(scenario, variant, run)
            if judge.collisionCount > 0 { alerted += 1 }
            if !judge.headways.isEmpty { headways += 1 }
            if let first = judge.warnings.first {
                let d = first.details
                let (box, ttcS, distanceM) = (d.box, number(d.ttcS ?? 0), number(d.distanceM ?? 0))
                bad.append(
                    "seed \(seed(run)) at \(number(first.timeS)) s: \(d.roadUser.rawValue), \(ttcS) s, \(distanceM) m, box \(number(box.x)) \(number(box.y)) \(number(box.width)) \(number(box.height))"
                )
            }
        }
        StandardStreams.print(
            "\(scenario.rawValue)\(variant.note): warned in \(bad.count) of \(runs), any collision alert in \(alerted), headway in \(headways)"
        )
        for line in bad.prefix(4) { StandardStreams.print("    \(line)") }
    }

    private func seed(_ run: Int) -> UInt64 { firstSeed + UInt64(run) }

    private mutating func drive(_ scenario: ScenarioCatalogue, _ variant: Variant, _ run: Int) throws -> TrialJudge {
        let speedMps = variant.speedsKmh.map {
            ($0.lowerBound + Double(run) / Double(max(1, runs - 1)) * ($0.upperBound - $0.lowerBound)) / 3.6
        }
        let lateralMps2 = variant.lateralMps2.map { run.isMultiple(of: 2) ? $0 : -$0 }
        if var looking = detector {
            var setup = RenderedTrial.Setup(scenario, seed: seed(run))
            setup.hfovDeg = variant.hfovDeg
            setup.speedMps = speedMps
            setup.lateralMps2 = lateralMps2
            return try RenderedTrial(setup, detector: &looking).judge
        }
        var setup = DriveTrial.Setup(scenario, seed: seed(run))
        setup.hfovDeg = variant.hfovDeg
        setup.speedMps = speedMps
        setup.lateralMps2 = lateralMps2
        setup.seesMotion = variant.seesMotion
        setup.isMirrored = variant.isMirrored
        setup.knowsSpeed = variant.knowsSpeed
        return DriveTrial(setup).judge
    }

    private func number(_ value: Double) -> String { String(format: "%.2f", value) }
}
