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
        "A person who steps into the path, and a car that cuts in, are warned of",
        arguments: [ScenarioCatalogue.pedestrian, .cutIn])
    func crossing(scenario: ScenarioCatalogue) {
        for run in 0..<Self.runs {
            let trial = Self.trial(scenario, run: run)
            let ttcS = trial.warnings.first?.trueTtcS ?? 0
            #expect(ttcS >= 1.9 && ttcS <= 4, "seed \(run + 1): \(ttcS)")
            #expect(trial.warnings.count == 1)
        }
    }

    @Test(
        "C2 C6 nothing is warned of past parked cars, in oncoming traffic, in a queue, below bridges and through their shadows, round a bend, behind a car that keeps its distance",
        arguments: [ScenarioCatalogue.parkedRow, .oncoming, .stopAndGo, .overpass, .curve, .cruise, .overspeed])
    func harmless(scenario: ScenarioCatalogue) {
        for run in 0..<Self.runs {
            let warnings = Self.trial(scenario, run: run).warnings
            #expect(warnings.isEmpty, "seed \(run + 1): \(warnings.map { ($0.timeS, $0.details.box) })")
        }
    }

    @Test("C3 the mirrored road, left-hand traffic, is judged alike", arguments: [ScenarioCatalogue.oncoming, .stopAndGo])
    func leftHand(scenario: ScenarioCatalogue) {
        for run in 0..<Self.runs { #expect(Self.trial(scenario, run: run) { $0.isMirrored = true }.warnings.isEmpty, "\(run + 1)") }
    }
}
