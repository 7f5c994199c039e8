import DriveTrials
import FleetRuntime
import Perception
import SimCore

/// `warning-bench boxes` and `warning-bench pictures`.
enum DriveCommand {
    static let boxes = Command(
        "boxes", "put a detector's faults on the true boxes: some hundredths of a second a drive",
        arguments: arguments, options: options
    ) { try run($0, hasPictures: false) }

    static let pictures = Command(
        "pictures", "draw every frame and look at it with the embedded detector: some ten seconds a drive",
        arguments: arguments, options: options
    ) { try run($0, hasPictures: true) }

    private static let arguments = [
        ArgumentSpec("SCENARIO", "what is driven, as in fleet-sim drive (default: all)", optional: true, repeated: true)
    ]
    private static let options: [OptionSpec] = [
        .value("--runs", "N", "drives of each kind (default 50)"), .value("--seed", "N", "seed of the first drive (default 1)"),
    ]

    private static func run(_ arguments: ParsedArguments, hasPictures: Bool) throws {
        let names = arguments.arguments(from: 0)
        if let name = names.first(where: { ScenarioCatalogue(rawValue: $0) == nil }) {
            throw UserError(.usage, "\(name) is no scenario; fleet-sim drive --help lists them")
        }
        let isWanted = { (scenario: ScenarioCatalogue) in names.isEmpty || names.contains(scenario.rawValue) }
        var bench = Bench(
            runs: try arguments.integer("--runs", in: 1...100_000) ?? 50,
            firstSeed: UInt64(try arguments.integer("--seed", in: 0...1_000_000) ?? 1),
            detector: hasPictures ? try RoadUserDetector(modelPath: nil, threads: 1) : nil)

        for seesMotion in hasPictures ? [true] : [true, false] {
            let note = seesMotion ? "" : ", boxes alone"
            for scenario in [ScenarioCatalogue.stoppedLead, .slowerLead, .leadBrakes] where isWanted(scenario) {
                try bench.approach(scenario, .init(note: note, speedsKmh: 40...80, seesMotion: seesMotion))
                try bench.approach(scenario, .init(note: note, hfovDeg: 40, speedsKmh: 40...110, seesMotion: seesMotion))
                try bench.approach(
                    scenario, .init(note: note + ", in a bend", speedsKmh: 40...80, lateralMps2: 1.5, seesMotion: seesMotion))
            }
        }
        for scenario in [ScenarioCatalogue.pedestrian, .cutIn] where isWanted(scenario) { try bench.approach(scenario, .init()) }
        for scenario in [ScenarioCatalogue.parkedRow, .oncoming, .stopAndGo, .overpass, .curve, .cruise, .overspeed]
        where isWanted(scenario) {
            try bench.harmless(scenario, .init())
            guard !hasPictures else { continue }
            try bench.harmless(scenario, .init(note: ", boxes alone", seesMotion: false))
            try bench.harmless(scenario, .init(note: ", left-hand", isMirrored: true))
            try bench.harmless(scenario, .init(note: ", speed unknown", knowsSpeed: false))
        }
    }
}
