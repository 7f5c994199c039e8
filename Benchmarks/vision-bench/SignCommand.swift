import FleetModel
import FleetRuntime
import Imaging
import Perception

/// `vision-bench signs`: what reading one sign crop, or finding the signs of one frame, costs with each engine.
enum SignCommand {
    static let command = Command(
        "signs", "measure the sign reader on crops, or the sign detector on frames",
        discussion:
            "Reads every crop in turn, all of them several times, and prints median, 95th percentile and least time in ms a crop, fitting and network together; decoding the files is not counted. With --frames each picture is a whole frame, in which signs are found and read.",
        arguments: [ArgumentSpec("CROP", "picture file, one sign each", repeated: true)],
        options: [
            .flag("--frames", "each picture is a frame: find its signs and read them"),
            .value("--country", "CODE", "with --frames: which signs are looked for (default: all)"),
            .value("--threads", "N", "threads for the network (default 1)"),
            .value("--rounds", "N", "passes over all crops (default 5)"),
        ],
        run: run)

    private static func run(_ arguments: ParsedArguments) async throws {
        let threads = try arguments.integer("--threads", in: 1...64) ?? 1
        let rounds = try arguments.integer("--rounds", in: 1...10_000) ?? 5
        let paths = arguments.arguments(from: 0)
        let engines: [EngineChoice] = OpenVINOLocator.find().engine == nil ? [.openCV] : [.openVINO, .openCV]
        if arguments.has("--frames") {
            for engine in engines { try measureFrames(paths, engine, threads, rounds, country: arguments.value("--country")) }
            return
        }
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

    /// Wall time of finding and reading, and the processor time of the thread: what other programs on the machine cannot stretch as much.
    private static func measureFrames(
        _ paths: [String], _ engine: EngineChoice, _ threads: Int, _ rounds: Int, country: String?
    ) throws {
        var settings = SignDetector.Settings()
        if let country {
            guard let profile = SignProfile(country: country) else {
                throw UserError(.usage, "--country \(country.printable): no such code")
            }
            settings.profile = profile
        }
        var detector = try SignDetector(reader: SignReader(engine: engine, threads: threads), settings: settings)
        var (wall, processor, read) = ([Double](), [Double](), 0)
        for path in paths {
            let frame = try Frame.read(path: path)
            for round in 0...rounds {
                let (start, used) = (MonotonicTime.now(), ProcessUsage.processorS)
                _ = try detector.detect(in: frame)
                guard round > 0 else { continue }
                wall.append((MonotonicTime.now() - start) * 1000)
                processor.append((ProcessUsage.processorS - used) * 1000)
                read += detector.latestTimes.readings
            }
        }
        wall.sort()
        processor.sort()
        guard let least = wall.first, let leastUsed = processor.first else { return }
        let count = Double(wall.count)
        StandardStreams.print(
            "\(engine == .openVINO ? "openvino" : "opencv"): median \(wall[wall.count / 2].rounded(toPlaces: 2)) ms, least \(least.rounded(toPlaces: 2)) ms a frame; processor median \(processor[wall.count / 2].rounded(toPlaces: 2)) ms, least \(leastUsed.rounded(toPlaces: 2)) ms; \((Double(read) / count).rounded(toPlaces: 1)) candidates read a frame (\(paths.count) frames)"
        )
    }
}
