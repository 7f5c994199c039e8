import FleetTestSupport
import Foundation
import Glibc

/// A real gpsd that reads a recorded receiver log, over and over, through gpsfake; gone with the object.
final class FakeReceiver: Sendable {
    static let program = ["/usr/bin/gpsfake", "/usr/local/bin/gpsfake"].first { FileManager.default.isExecutableFile(atPath: $0) }
    static var isPresent: Bool { program != nil && access("/usr/sbin/gpsd", X_OK) == 0 && SharedData.isPresent }

    /// Where gpsd listens on the loopback.
    let port: Int
    private let group: pid_t
    private let process: Process

    /// Starts gpsd on `log`. `sentenceDelayS` is the pause between sentences.
    init(log: String, sentenceDelayS: Double = 0.01) throws {
        port = FreePort.next()
        process = Process()
        // Foundation puts a process into a group of its own, so that gpsfake and its gpsd can be ended together.
        process.executableURL = URL(filePath: Self.program ?? "/usr/bin/gpsfake")
        process.arguments = ["-q", "-n", "-c", String(sentenceDelayS), "-P", String(port), log]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        group = process.processIdentifier
    }

    deinit { stop() }

    /// Ends gpsd and gpsfake at once.
    func stop() { kill(-group, SIGKILL) }
}
