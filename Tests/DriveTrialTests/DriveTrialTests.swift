import DriveTrials
import FleetModel
import Foundation
import SimCore
import Testing

/// Hundreds of simulated drives with a detector's faults, judged against the truth: 10 of each in the short run, 200 in the long one.
@Suite struct DriveTrialTests {
    static let runs = ProcessInfo.processInfo.environment["FLEET_LONG_TESTS"] == nil ? 10 : 200

    /// A lens with the speeds that are asked of it, km/h.
    struct Lens: CustomStringConvertible {
        var hfovDeg: Double
        var speedsKmh: ClosedRange<Double>
        var description: String { "\(Int(hfovDeg)) degrees, to \(Int(speedsKmh.upperBound)) km/h" }
    }

    static let lenses = [Lens(hfovDeg: 60, speedsKmh: 40...80), Lens(hfovDeg: 40, speedsKmh: 40...110)]

    static func trial(_ scenario: ScenarioCatalogue, run: Int, _ change: (inout DriveTrial.Setup) -> Void = { _ in }) -> TrialJudge
    {
        var setup = DriveTrial.Setup(scenario, seed: UInt64(run) + 1)
        change(&setup)
        return DriveTrial(setup).judge
    }

    @Test(
        "C7 a stopped or slower lead is warned of at a time to collision of 2.1 to 3.5 s, at 10 frames a second",
        arguments: [ScenarioCatalogue.stoppedLead, .slowerLead], lenses)
    func approach(scenario: ScenarioCatalogue, lens: Lens) {
        for run in 0..<Self.runs {
            let share = Double(run) / Double(Self.runs - 1)
            let kmh = lens.speedsKmh.lowerBound + share * (lens.speedsKmh.upperBound - lens.speedsKmh.lowerBound)
            let trial = Self.trial(scenario, run: run) {
                $0.hfovDeg = lens.hfovDeg
                $0.speedMps = kmh / 3.6
            }
            #expect(trial.isInTime, "seed \(run + 1), \(kmh) km/h: \(trial.warnings.map { ($0.timeS, $0.trueTtcS ?? -1) })")
        }
    }

    @Test("C7 a braking lead is warned of at 1.8 s or more, and nearly always at 2.1 to 3.5 s", arguments: lenses)
    func braking(lens: Lens) {
        var inTime = 0
        for run in 0..<Self.runs {
            let share = Double(run) / Double(Self.runs - 1)
            let kmh = lens.speedsKmh.lowerBound + share * (lens.speedsKmh.upperBound - lens.speedsKmh.lowerBound)
            let trial = Self.trial(.leadBrakes, run: run) {
                $0.hfovDeg = lens.hfovDeg
                $0.speedMps = kmh / 3.6
            }
            let ttcS = trial.warnings.first?.trueTtcS ?? 0
            #expect(ttcS >= 1.8 && ttcS <= 3.5, "seed \(run + 1), \(kmh) km/h: \(ttcS)")
            if trial.isInTime { inTime += 1 }
        }
        #expect(Double(inTime) >= 0.8 * Double(Self.runs), "\(inTime) of \(Self.runs)")
    }

    @Test(
        "C7 In a bend, to either side, a stopped or slower lead is warned of like on a straight road",
        arguments: [ScenarioCatalogue.stoppedLead, .slowerLead])
    func bend(scenario: ScenarioCatalogue) {
        for run in 0..<Self.runs {
            let kmh = 40 + 40 * Double(run) / Double(Self.runs - 1)
            let trial = Self.trial(scenario, run: run) {
                $0.speedMps = kmh / 3.6
                $0.lateralMps2 = run.isMultiple(of: 2) ? 1.5 : -1.5
            }
            #expect(trial.isInTime, "seed \(run + 1), \(kmh) km/h: \(trial.warnings.map { ($0.timeS, $0.trueTtcS ?? -1) })")
        }
    }

    @Test(
        "A person who steps into the path, and a car that cuts in, are warned of at 2.1 to 3.5 s",
        arguments: [ScenarioCatalogue.pedestrian, .cutIn])
    func crossing(scenario: ScenarioCatalogue) {
        for run in 0..<Self.runs {
            let trial = Self.trial(scenario, run: run)
            #expect(trial.isInTime, "seed \(run + 1): \(trial.warnings.map { ($0.timeS, $0.trueTtcS ?? -1) })")
            #expect(trial.warnings.count == 1)
        }
    }

    static let harmlessDrives = [ScenarioCatalogue.parkedRow, .oncoming, .stopAndGo, .overpass, .curve, .cruise, .overspeed]

    @Test(
        "C2 C6 nothing is told of past parked cars, in oncoming traffic, in a queue, below bridges and through their shadows, round a bend, behind a car that keeps its distance",
        arguments: harmlessDrives)
    func harmless(scenario: ScenarioCatalogue) {
        for run in 0..<Self.runs {
            let trial = Self.trial(scenario, run: run)
            #expect(trial.collisionCount == 0, "seed \(run + 1): \(trial.warnings.map { ($0.timeS, $0.details.box) })")
        }
    }

    @Test("C3 the mirrored road, left-hand traffic, is judged alike", arguments: harmlessDrives)
    func leftHand(scenario: ScenarioCatalogue) {
        for run in 0..<Self.runs {
            #expect(Self.trial(scenario, run: run) { $0.isMirrored = true }.collisionCount == 0, "\(run + 1)")
        }
    }

    @Test("C6 without a speed nothing is warned of on the same roads", arguments: harmlessDrives)
    func speedUnknown(scenario: ScenarioCatalogue) {
        for run in 0..<Self.runs {
            #expect(Self.trial(scenario, run: run) { $0.knowsSpeed = false }.warnings.isEmpty, "\(run + 1)")
        }
    }
}
