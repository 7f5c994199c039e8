import Capture
import FleetModel
import FleetRuntime
import Foundation
import Glibc

/// `fleet-agent record`: the live inputs into a session.
enum RecordCommand {
    static let command = Command(
        "record", "record camera and gpsd into a session, until SIGTERM or SIGINT",
        discussion: "Only the owner may read what is written; nothing is recorded while the configuration says `privacy: true`.",
        options: [
            .value("--config", "FILE", "agent configuration"),
            .value("--out", "SESSION", "folder to make; it must not hold a session"),
        ], run: run)

    /// Rate that the video states; the true times stand in frames.csv.
    private static let statedFramesPerSecond = 30.0

    private static func run(_ arguments: ParsedArguments) async throws {
        guard let configPath = arguments.value("--config") else { throw UserError(.usage, "--config is missing") }
        guard let out = arguments.value("--out") else { throw UserError(.usage, "--out is missing") }
        let signals = StopSignals()
        let configuration = try AgentConfiguration(path: configPath)
        guard !configuration.hasPrivacy else {
            throw UserError(.configuration, "\(configPath): privacy is on, so nothing is recorded; say `privacy: false` to record")
        }
        // Recordings show people: no group and nobody else may read them, whatever makes the files.
        umask(0o077)
        let written = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try record(configuration, to: out, until: signals) }) }
        }
        let left = written.leftOut > 0 ? " (\(written.leftOut) left out: the disk or the processor is too slow for all)" : ""
        StandardStreams.print("\(out): \(written.frames) frames\(left), \(written.fixes) telemetry lines")
    }

    private static func record(_ configuration: AgentConfiguration, to path: String, until signals: StopSignals) throws -> (
        frames: Int, leftOut: Int, fixes: Int
    ) {
        let settings = configuration.camera
        let address = try settings.address()
        try address.check()
        let camera = CameraFrameSource(
            address, wish: .init(width: settings.width, height: settings.height, framesPerSecond: settings.framesPerSecond))
        let receiver = GPSDTelemetrySource(host: configuration.gps.host, port: configuration.gps.port)
        let writer = try SessionWriter(
            path: path, vehicle: configuration.identity.vehicle, startedAt: WallClock.now(), startS: MonotonicTime.now(),
            framesPerSecond: settings.framesPerSecond ?? statedFramesPerSecond, camera: settings.calibration())
        camera.start()
        receiver.start()
        let progress = ProgressLine(total: nil, unit: "frames")
        while !signals.isRaised, !camera.hasEnded {
            if let captured = camera.mailbox.take(timeoutS: 0.2) { _ = try writer.write(captured) }
            for fix in receiver.fixes(upTo: MonotonicTime.now()) { try writer.write(fix) }
            progress.show(writer.frameCount)
        }
        progress.clear()
        camera.stop()
        receiver.stop()
        try writer.finish()
        return (writer.frameCount, camera.mailbox.droppedCount, writer.telemetryCount)
    }
}
