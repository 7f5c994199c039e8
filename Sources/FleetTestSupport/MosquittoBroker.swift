import FleetRuntime
import Foundation
import Glibc
import Synchronization

/// A real mosquitto of its own for one test: on a free port of 127.0.0.1, with its own files, gone with the object.
public final class MosquittoBroker: Sendable {
    /// Why no broker came up.
    public struct Failure: Error, CustomStringConvertible {
        /// The broker's log.
        public let description: String
        /// `description` is the log, or what else went wrong.
        public init(description: String) { self.description = description }
    }

    /// Its port; stays the same over restarts.
    public let port: Int
    /// Its files: `mosquitto.conf`, `mosquitto.log`, whatever the test puts there.
    public let folder: TemporaryFolder
    private let process = Mutex<Process?>(nil)

    /// Starts a broker; `settings` are further lines of its configuration. Anonymous clients may do everything unless `settings` say otherwise.
    public init(settings: [String] = [], folder given: TemporaryFolder? = nil) async throws {
        let folder = try given ?? TemporaryFolder()
        self.folder = folder
        port = FreePort.next()
        var lines = ["listener \(port) 127.0.0.1", "log_dest file \(folder.path("mosquitto.log"))", "log_type all"]
        if !settings.contains(where: { $0.hasPrefix("allow_anonymous") }) { lines.append("allow_anonymous true") }
        // As root it would give its rights up and then not reach the test's folder.
        if geteuid() == 0 { lines.append("user root") }
        try (lines + settings).joined(separator: "\n").write(
            toFile: folder.path("mosquitto.conf"), atomically: true, encoding: .utf8)
        try await start()
    }

    deinit { signal(SIGKILL) }

    /// `mqtt://127.0.0.1:port`.
    public var url: String { "mqtt://127.0.0.1:\(port)" }
    /// What it has logged so far.
    public var log: String { (try? String(contentsOfFile: folder.path("mosquitto.log"), encoding: .utf8)) ?? "" }

    /// Starts it again after `stop` or `kill`, and waits until it takes connections.
    public func start() async throws {
        let process = Process()
        process.executableURL = URL(filePath: Self.program)
        process.arguments = ["-c", folder.path("mosquitto.conf")]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.runUnblocked()
        self.process.withLock { $0 = process }
        let isUp = await eventually(timeout: 10) { Self.accepts(port: port) || !process.isRunning }
        guard isUp, process.isRunning else { throw Failure(description: "mosquitto did not start: \(log)") }
    }

    /// Ends it as a service manager does.
    public func stop() async { await end(SIGTERM) }
    /// Kills it: nothing is written, nobody is told.
    public func kill() async { await end(SIGKILL) }
    /// Has it read its files again.
    public func reload() { signal(SIGHUP) }
    /// Lets it stand still: connections stay, nothing is answered.
    public func pause() { signal(SIGSTOP) }
    /// Lets it go on.
    public func resume() { signal(SIGCONT) }

    private func signal(_ number: Int32) {
        process.withLock { if let process = $0, process.isRunning { _ = Glibc.kill(process.processIdentifier, number) } }
    }

    private func end(_ number: Int32) async {
        signal(number)
        _ = await eventually { process.withLock { $0?.isRunning != true } }
    }

    private static let program =
        ["/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto", "/opt/homebrew/sbin/mosquitto"]
        .first { FileManager.default.isExecutableFile(atPath: $0) } ?? "/usr/sbin/mosquitto"

    private static func accepts(port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        return FreePort.connect(descriptor, to: port)
    }
}
