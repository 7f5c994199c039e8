import Capture
import FleetRuntime

/// What stands on the command line of `fleet-agent replay`.
struct ReplayOptions: Sendable {
    var sessionPath: String
    var configurationPath: String?
    var isRealtime: Bool
    var publishes: Bool
    var startsNow: Bool
    var detectionsPath: String?
    var looksAtPictures: Bool
    var savedDetectionsPath: String?
    var eventsPath: String?
    var tracksPath: String?
    var annotatedPath: String?
    var snapshotsPath: String?

    init(_ arguments: ParsedArguments) throws {
        sessionPath = try arguments.requiredArgument(0)
        configurationPath = arguments.value("--config")
        isRealtime = arguments.has("--realtime")
        publishes = arguments.has("--publish")
        startsNow = arguments.value("--start-at") == "now"
        detectionsPath = arguments.value("--detections")
        looksAtPictures = arguments.has("--pictures")
        savedDetectionsPath = arguments.value("--save-detections")
        eventsPath = arguments.value("--events")
        tracksPath = arguments.value("--tracks")
        annotatedPath = arguments.value("--annotate")
        snapshotsPath = arguments.value("--snapshots")
        if publishes, configurationPath == nil { throw UserError(.usage, "--publish needs --config: the broker stands there") }
        if looksAtPictures, detectionsPath == nil { throw UserError(.usage, "--pictures goes with --detections only") }
        for (option, path) in [("--annotate", annotatedPath), ("--snapshots", snapshotsPath)]
        where detectionsPath != nil && path != nil && !looksAtPictures {
            throw UserError(.usage, "\(option) needs the pictures; with --detections add --pictures")
        }
        if detectionsPath != nil, savedDetectionsPath != nil {
            throw UserError(.usage, "--save-detections does not go with --detections")
        }
    }

    /// Refuses outputs that would overwrite what is read, or one another, whatever their names are.
    func checkOutputs(against session: Session) throws {
        if let annotatedPath, !annotatedPath.lowercased().hasSuffix(".mp4") {
            throw UserError(.usage, "--annotate \(annotatedPath): must end in .mp4")
        }
        var taken = Dictionary(
            (session.files + [configurationPath, detectionsPath].compactMap(\.self)).compactMap { path in
                FileIdentity(path).map { ($0, "is read from") }
            }
        ) { first, _ in first }
        for path in [eventsPath, tracksPath, savedDetectionsPath, annotatedPath].compactMap(\.self) {
            // A device such as /dev/null may be named twice.
            guard let file = FileIdentity(path), !file.isDevice else { continue }
            if let use = taken.updateValue("is another output", forKey: file) {
                throw UserError(.usage, "\(path): \(use); choose another file for the output")
            }
        }
    }

    static let specs: [OptionSpec] = [
        .value("--config", "FILE", "agent configuration (default: built-in values, no speed limit)"),
        .flag("--realtime", "as fast as the drive was, not as fast as possible"),
        .flag("--publish", "send the alerts to the broker of --config and wait for their receipts"),
        .value("--start-at", "WHEN", "date the alerts as recorded (default) or from now on", choices: ["now", "recorded"]),
        .value("--detections", "FILE", "recorded detections in place of the pictures"),
        .flag("--pictures", "with --detections: look at the pictures too, for how things move in them"),
        .value("--save-detections", "FILE", "write what the detector finds, for --detections"),
        .value("--events", "FILE", "write the alerts, one JSON object a line"),
        .value("--tracks", "FILE", "write every road user in every frame, one JSON object a line"),
        .value(
            "--snapshots", "FOLDER", "write the picture of each alert as FOLDER/ALERT.jpg, faces and plates blurred as configured"),
        .value("--annotate", "FILE", "write an MP4 with boxes, time to collision, speed and limit"),
    ]
}
