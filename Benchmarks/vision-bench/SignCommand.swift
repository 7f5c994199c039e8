import FleetModel
import FleetRuntime
import Imaging
import Perception

/// `vision-bench signs`: what reading one sign crop costs, with each engine.
enum SignCommand {
    static let command = Command(
        "signs", "measure the sign reader on crops",
        discussion:
            "Reads every crop in turn, all of them several times, and prints median, 95th percentile and least time in ms a crop, fitting and network together; decoding the files is not counted.",
        arguments: [ArgumentSpec("CROP", "picture file, one sign each", repeated: true)],
        options: [
            .value("--threads", "N", "threads for the network (default 1)"),
            .value("--rounds", "N", "passes over all crops (default 5)"),
        ],
        run: run)

    private static func run(_ arguments: ParsedArguments) async throws {
        let threads = try arguments.integer("--threads", in: 1...64) ?? 1
        let rounds = try arguments.integer("--rounds", in: 1...10_000) ?? 5
        let paths = arguments.arguments(from: 0)
        let engines: [EngineChoice] = OpenVINOLocator.find().engine == nil ? [.openCV] : [.openVINO, .openCV]
        for engine in engines {
            var reader = try SignReader(engine: engine, threads: threads)
            var times: [Double] = []
            for path in paths {
                let crop = try Frame.read(path: path)
                for round in 0...rounds {
                    let start = MonotonicTime.now()
                    _ = try reader.read(crop)
                    if round > 0 { times.append((MonotonicTime.now() - start) * 1000) }
                }
            }
            times.sort()
            guard let least = times.first else { continue }
            let (median, late) = (times[times.count / 2], times[times.count * 95 / 100])
            StandardStreams.print(
                "\(engine == .openVINO ? "openvino" : "opencv"): median \(median.rounded(toPlaces: 3)) ms, 95th percentile \(late.rounded(toPlaces: 3)) ms, least \(least.rounded(toPlaces: 3)) ms a crop (\(paths.count) crops, \(threads) threads, model \(reader.modelName))"
            )
        }
    }
}
