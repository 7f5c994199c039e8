import Foundation
import Glibc

/// ffmpeg as a camera's HTTP server: a moving test picture, 20 frames a second, on loopback; ended with the object. It serves one client.
public final class StreamServer {
    /// Whether ffmpeg is there.
    public static let isPresent = FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg")

    /// What to ask for.
    public let url: String
    private let process = Process()

    /// Starts it; it listens a moment later.
    public init(port: Int) throws {
        url = "http://127.0.0.1:\(port)/drive.ts"
        process.executableURL = URL(filePath: "/usr/bin/ffmpeg")
        process.arguments = [
            "-loglevel", "quiet", "-re", "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=20", "-c:v", "mpeg2video", "-g", "10",
            "-f", "mpegts", "-listen", "1", url,
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.runUnblocked()
    }

    deinit { signal(SIGKILL) }

    /// Sends `number`, such as SIGSTOP, if it still runs.
    public func signal(_ number: Int32) { if process.isRunning { kill(process.processIdentifier, number) } }
}
