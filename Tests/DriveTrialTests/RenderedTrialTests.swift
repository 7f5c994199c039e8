import DriveTrials
import Foundation
import Perception
import SimCore
import Testing

/// Drawn drives at 10 frames a second through the embedded detector and everything behind it: one short one always, and 200 of each
/// kind in the long run (`FLEET_DRIVE_RUNS` sets another number; a drive takes some ten seconds).
@Suite struct RenderedTrialTests {
    static let isLong = ProcessInfo.processInfo.environment["FLEET_LONG_TESTS"] != nil
    static let runs = ProcessInfo.processInfo.environment["FLEET_DRIVE_RUNS"].flatMap { Int($0) } ?? 200

    /// A drive towards something that is to be warned of.
    struct Goal: CustomStringConvertible {
        var scenario: ScenarioCatalogue
        var lens = DriveTrialTests.lenses[0]
        var description: String { "\(scenario.rawValue), \(lens)" }
    }

    static let approaches = [ScenarioCatalogue.stoppedLead, .slowerLead, .leadBrakes].flatMap { scenario in
        DriveTrialTests.lenses.map { Goal(scenario: scenario, lens: $0) }
    }

    static func drive(_ goal: Goal, run: Int, of runs: Int, detector: inout RoadUserDetector) throws -> TrialJudge {
        var setup = RenderedTrial.Setup(goal.scenario, seed: UInt64(run) + 1)
        let (range, share) = (goal.lens.speedsKmh, Double(run) / Double(max(1, runs - 1)))
        setup.hfovDeg = goal.lens.hfovDeg
        setup.speedMps = (range.lowerBound + share * (range.upperBound - range.lowerBound)) / 3.6
        return try RenderedTrial(setup, detector: &detector).judge
    }

    @Test("C7 A drawn car that stands in the lane is warned of at a time to collision of 2.1 to 3.5 s")
    func stoppedLead() throws {
        var detector = try RoadUserDetector(modelPath: nil, threads: 1)
        let judge = try Self.drive(Goal(scenario: .stoppedLead), run: 1, of: 3, detector: &detector)
        #expect(judge.isInTime, "\(judge.warnings.map { ($0.timeS, $0.trueTtcS ?? -1) })")
        #expect(judge.collisionCount == 1)
    }

    @Test(
        "C7 Drawn leads that stand, are slower or brake are warned of at 2.1 to 3.5 s, every one",
        .enabled(if: isLong, "a long test"), arguments: approaches)
    func approach(goal: Goal) throws {
        var detector = try RoadUserDetector(modelPath: nil, threads: 1)
        for run in 0..<Self.runs {
            let judge = try Self.drive(goal, run: run, of: Self.runs, detector: &detector)
            #expect(judge.isInTime, "seed \(run + 1): \(judge.warnings.map { ($0.timeS, $0.trueTtcS ?? -1) })")
        }
    }

    @Test(
        "C2 C6 Nothing is told of on drawn drives past parked cars, in oncoming traffic, in a queue, below bridges and round a bend",
        .enabled(if: isLong, "a long test"),
        arguments: [ScenarioCatalogue.parkedRow, .oncoming, .stopAndGo, .overpass, .curve])
    func harmless(scenario: ScenarioCatalogue) throws {
        var detector = try RoadUserDetector(modelPath: nil, threads: 1)
        for run in 0..<Self.runs {
            let judge = try RenderedTrial(.init(scenario, seed: UInt64(run) + 1), detector: &detector).judge
            #expect(judge.collisionCount == 0, "seed \(run + 1): \(judge.warnings.map { ($0.timeS, $0.details.box) })")
        }
    }
}
