import DriveTrials
import Foundation
import SimCore

// How well collisions are warned of on simulated drives with noisy boxes; `make bench-warnings` runs it.
//
// warning-bench [RUNS] [SCENARIO ...]

var arguments = CommandLine.arguments.dropFirst()
let runs = arguments.first.flatMap { Int($0) } ?? 50
if arguments.first.flatMap({ Int($0) }) != nil { arguments.removeFirst() }
let wanted = Set(arguments)

func isWanted(_ scenario: ScenarioCatalogue) -> Bool { wanted.isEmpty || wanted.contains(scenario.rawValue) }

func number(_ value: Double) -> String { String(format: "%.2f", value) }

func approach(_ scenario: ScenarioCatalogue, hfovDeg: Double, speedsKmh: ClosedRange<Double>, seesMotion: Bool) {
    var (inTime, late, early, missed) = (0, 0, 0, 0)
    var (times, errors): ([Double], [Double]) = ([], [])
    var bad: [UInt64] = []
    for run in 0..<runs {
        var setup = DriveTrial.Setup(scenario, seed: UInt64(run) + 1)
        setup.hfovDeg = hfovDeg
        setup.seesMotion = seesMotion
        let share = Double(run) / Double(max(1, runs - 1))
        setup.speedMps = (speedsKmh.lowerBound + share * (speedsKmh.upperBound - speedsKmh.lowerBound)) / 3.6
        let trial = DriveTrial(setup)
        errors += trial.ttcErrors
        if trial.isInTime { inTime += 1 } else { bad.append(setup.seed) }
        guard let first = trial.warnings.first else {
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
    print(
        "\(scenario.rawValue) \(Int(hfovDeg)) deg \(seesMotion ? "motion" : "boxes "): in time \(inTime) of \(runs), late \(late), early \(early), missed \(missed); true TTC min median max \(ttc); TTC error median p90 \(error); not in time: \(bad.prefix(12))"
    )
}

func harmless(_ scenario: ScenarioCatalogue, _ change: (inout DriveTrial.Setup) -> Void = { _ in }, note: String = "") {
    var bad: [String] = []
    var headways = 0
    for run in 0..<runs {
        var setup = DriveTrial.Setup(
            scenario, seed: UInt64(run) + (ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) } ?? 1))
        change(&setup)
        let trial = DriveTrial(setup)
        headways += trial.headways.isEmpty ? 0 : 1
        if let first = trial.warnings.first {
            let d = first.details
            bad.append(
                "\(setup.seed)@\(number(first.timeS)) \(d.roadUser.rawValue) ttc \(number(d.ttcS ?? 0)) d \(number(d.distanceM ?? 0)) box \(d.box)"
            )
        }
    }
    print("\(scenario.rawValue)\(note): warned in \(bad.count) of \(runs), headway in \(headways)")
    for line in bad.prefix(4) { print("    \(line)") }
}

for seesMotion in [true, false] {
    for scenario in [ScenarioCatalogue.stoppedLead, .slowerLead, .leadBrakes] where isWanted(scenario) {
        approach(scenario, hfovDeg: 60, speedsKmh: 40...80, seesMotion: seesMotion)
        approach(scenario, hfovDeg: 40, speedsKmh: 40...110, seesMotion: seesMotion)
    }
}
for scenario in [ScenarioCatalogue.pedestrian, .cutIn] where isWanted(scenario) {
    approach(scenario, hfovDeg: 60, speedsKmh: 50...50, seesMotion: true)
}
for scenario in [ScenarioCatalogue.parkedRow, .oncoming, .stopAndGo, .overpass, .curve, .cruise, .overspeed]
where isWanted(scenario) {
    harmless(scenario)
    harmless(scenario, { $0.seesMotion = false }, note: " boxes")
    harmless(scenario, { $0.isMirrored = true }, note: " left-hand")
    harmless(scenario, { $0.knowsSpeed = false }, note: " speed unknown")
}
