import Capture
import FleetModel
import FleetRuntime
import Foundation
import WorldModel

/// `fleet-agent replay`: a recorded drive through the whole chain.
enum ReplayCommand {
    static let command = Command(
        "replay", "run a recorded drive through the whole chain",
        discussion:
            "SESSION is a folder with session.json, or a video file: that has no telemetry, so the own speed is unknown and vision alone judges.\nPrints a line for every alert that begins or ends; --events has all of it.",
        arguments: [ArgumentSpec("SESSION", "session folder or video file")], options: ReplayOptions.specs, run: run)

    private static func run(_ arguments: ParsedArguments) async throws {
        let options = try ReplayOptions(arguments)
        let session = try Session.open(options.sessionPath)
        let configuration =
            try options.configurationPath.map { try AgentConfiguration(path: $0) }
            ?? AgentConfiguration.replayDefaults(vehicle: session.vehicle)
        try options.checkOutputs(against: session)
        let signals = StopSignals()
        guard options.publishes else {
            let summary = try await replay(options, session, configuration, signals, nil)
            return try tell(summary, signals)
        }
        let publication = try ReplayPublication(configuration, signals)
        let outcome = try await publication.publish { deliver in
            try tell(try await replay(options, session, configuration, signals, deliver), signals)
        }
        if outcome.left > 0 {
            throw UserError(
                .unavailable,
                "\(outcome.left) left: the broker or the sync service at \(configuration.mqtt.url) did not take them")
        }
        if outcome.rejected > 0 {
            throw UserError(.badData, "\(outcome.rejected) rejected by the sync service, as told above; nothing of them is stored")
        }
    }

    /// Runs the replay on a thread of its own, so that delivery goes on meanwhile.
    private static func replay(
        _ options: ReplayOptions, _ session: Session, _ configuration: AgentConfiguration, _ signals: StopSignals,
        _ deliver: (@Sendable (ReplayPublication.Item) -> Void)?
    ) async throws -> ReplayRun.Summary {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let events = try options.eventsPath.map(LineFile.init)
                        let startedAt = options.startsNow ? WallClock.now() : session.startedAt
                        var run = try ReplayRun(
                            options: options, session: session, configuration: configuration, startedAt: startedAt,
                            shouldStop: { signals.isRaised },
                            deliverPicture: deliver.map { deliver in
                                { deliver(.picture($0, of: $1.id, takenAt: $1.at)) }
                            }
                        ) { alert in
                            try events?.write(alert)
                            deliver?(.alert(alert))
                            if let line = AlertWords.line(alert) { StandardStreams.comment(line) }
                        }
                        let summary = try run.run()
                        try events?.finish()
                        return summary
                    })
            }
        }
    }

    /// Says what came out; an early end is an error, because the files that were written are incomplete.
    private static func tell(_ summary: ReplayRun.Summary, _ signals: StopSignals) throws {
        let frames = Double(max(1, summary.frames))
        func mean(_ milliseconds: Double) -> String { String((milliseconds / frames).rounded(toPlaces: 2)) }
        let log = Log("replay")
        log.info("\(summary.engine)")
        log.info(
            "\(summary.frames) frames in \(summary.wallS.rounded(toPlaces: 2)) s (\((frames / max(summary.wallS, 1e-9)).rounded(toPlaces: 1)) frames/s), \(summary.alerts) alert messages; ms a frame: decode \(mean(summary.decodeMs)), detect \(mean(summary.timings.detectMs)), signs \(mean(summary.timings.signsMs)), track \(mean(summary.timings.trackMs)), rules \(mean(summary.timings.rulesMs))"
        )
        if summary.lateTelemetry > 0 { log.warning("\(summary.lateTelemetry) telemetry lines left out: their time runs back") }
        let held = summary.suppressed.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        if !held.isEmpty { log.info("held back: \(held.joined(separator: ", "))") }
        if let aim = summary.aim, aim.samples > 0 { log.info("straight ahead is at \(aim.words)") }
        if let signal = signals.raised {
            throw Interruption(signal: signal, "stopped after \(summary.frames) frames; what was written is incomplete")
        }
    }
}
