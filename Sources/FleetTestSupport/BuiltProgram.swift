import FleetRuntime
import Foundation
import Glibc
import Synchronization

/// One of this package's programs as it was built beside the tests, started as a process of its own; killed when the object goes.
public final class BuiltProgram: Sendable {
    private let process: Mutex<Process>
    private let output: URL
    private let folder: TemporaryFolder

    /// Starts `name` (e.g. `fleet-sync`) with `arguments`; without a reader its standard output is a pipe whose other end is closed.
    public init(_ name: String, _ arguments: [String], hasReader: Bool = true) throws {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = Self.products.appending(path: name)
        process.arguments = arguments
        output = folder.url.appending(path: "output")
        let errors = folder.url.appending(path: "errors")
        for file in [output, errors] { _ = FileManager.default.createFile(atPath: file.path(), contents: nil) }
        if hasReader {
            process.standardOutput = try FileHandle(forWritingTo: output)
        } else {
            let pipe = Pipe()
            try pipe.fileHandleForReading.close()
            process.standardOutput = pipe.fileHandleForWriting
        }
        process.standardError = try FileHandle(forWritingTo: errors)
        process.standardInput = FileHandle.nullDevice
        try process.runUnblocked()
        self.folder = folder
        self.process = Mutex(process)
    }

    deinit { signal(SIGKILL) }

    /// Where `name` was built.
    public static func path(_ name: String) -> String { products.appending(path: name).path() }

    /// The folder of the test bundle, which is the folder of the programs.
    private static var products: URL {
        // Not the first argument: found by PATH it has no folder.
        let executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL.deletingLastPathComponent()
        return [bundle, executable].compactMap { $0 }
            .first { FileManager.default.isExecutableFile(atPath: $0.appending(path: "fleet-agent").path()) } ?? executable
    }

    /// The process's id.
    public var processID: Int32 { process.withLock { $0.processIdentifier } }

    /// What it has written to standard output so far.
    public var standardOutput: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }
    /// What it has written to standard error so far.
    public var standardError: String {
        (try? String(contentsOf: folder.url.appending(path: "errors"), encoding: .utf8)) ?? ""
    }

    /// Sends a signal.
    public func signal(_ number: Int32) {
        process.withLock { if $0.isRunning { _ = kill($0.processIdentifier, number) } }
    }

    /// Waits for its end; returns the exit status (128 + signal when one ended it), nil when it goes on after `timeout` seconds.
    public func status(timeout: Double = 30) async -> Int32? {
        guard await eventually(timeout: timeout, { process.withLock { !$0.isRunning } }) else { return nil }
        return process.withLock { $0.terminationReason == .exit ? $0.terminationStatus : 128 + $0.terminationStatus }
    }
}
