import FleetModel
import FleetRuntime
import Perception

/// `vision-bench chain`: every frame of a drive through decoder, detector, tracker and rules, with each engine in turn.
enum ChainCommand {
    static let command = Command(
        "chain", "measure the whole chain on a session or video",
        discussion:
            "Prints medians in ms a frame, the processor time of all threads together, and with two engines the ratio of the second to the first: on a busy machine ratios and processor time hold longer than the medians.",
        arguments: [ArgumentSpec("SESSION", "session folder or video file")],
        options: [
            .value("--model", "FILE", "model description (default: the embedded model)"),
            .value("--engine", "ENGINE", "what computes the network (default: both)", choices: ["openvino", "opencv", "both"]),
            .value("--threads", "N", "threads for the network (default 2)"),
            .value("--frames", "N", "stop after N frames"),
        ],
        run: run)

    private static func run(_ arguments: ParsedArguments) async throws {
        let session = try arguments.requiredArgument(0)
        let threads = try arguments.integer("--threads", in: 1...64) ?? 2
        let limit = try arguments.integer("--frames", in: 1...1_000_000) ?? .max
        var measured: [ChainMeasurement] = []
        for engine in engines(arguments.value("--engine") ?? "both") {
            let detector = try RoadUserDetector(modelPath: arguments.value("--model"), engine: engine, threads: threads)
            measured.append(try ChainMeasurement.measure(session, detector: detector, frameLimit: limit))
        }
        guard let first = measured.first else { return }
        StandardStreams.print(
            "\(session.printable): \(first.frameCount) frames of \(first.width) x \(first.height), model \(first.model), \(threads) threads; medians in ms a frame"
        )
        let names = ChainMeasurement.stages + ["sum", "processor", "frames/s"]
        StandardStreams.print(row("", names))
        for one in measured {
            let values = one.medians + [one.medians.reduce(0, +)]
            StandardStreams.print(
                row(one.engine, values.map { text($0, 2) } + [text(one.processorMs, 2), text(one.framesPerSecond, 1)]))
        }
        if measured.count == 2 {
            let ratios = zip(measured[1].medians, first.medians).map { $1 > 0 ? $0 / $1 : 0 }
            let sums = measured.map { $0.medians.reduce(0, +) }
            let last = [
                sums[1] / sums[0], measured[1].processorMs / first.processorMs, measured[1].framesPerSecond / first.framesPerSecond,
            ]
            StandardStreams.print(row("ratio", (ratios + last).map { text($0, 2) }))
        }
        for one in measured { StandardStreams.print("\(one.engine): \(one.explanation)") }
        StandardStreams.print("resident memory: \(ProcessUsage.peakMiB) MiB at most")
    }

    /// Engines to measure: both, as far as the runtime of the first is there.
    private static func engines(_ choice: String) -> [RoadUserDetector.EngineChoice] {
        switch choice {
        case "openvino": [.openVINO]
        case "opencv": [.openCV]
        default: OpenVINOLocator.find().engine == nil ? [.openCV] : [.openVINO, .openCV]
        }
    }

    private static func row(_ name: String, _ cells: [String]) -> String {
        name.padded(to: 10) + cells.map { String(repeating: " ", count: max(0, 10 - $0.count)) + $0 }.joined()
    }

    private static func text(_ value: Double, _ places: Int) -> String { String(value.rounded(toPlaces: places)) }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
