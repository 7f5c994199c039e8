import Foundation

/// A program of the system, such as `openssl` or `mosquitto_pub`, run to its end.
public struct ExternalProgram: Sendable {
    /// Exit status; 128 + signal when one ended it.
    public let status: Int32
    /// What it wrote to standard output and standard error, in their order.
    public let output: String

    /// Runs `program` (searched in PATH) with `arguments` and `input`, killed after 30 s. Waits on a thread of its own.
    public static func run(_ program: String, _ arguments: [String], input: String = "") async throws -> ExternalProgram {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try runBlocking(program, arguments, input: input) }) }
        }
    }

    /// The same on the calling thread.
    public static func runBlocking(
        _ program: String, _ arguments: [String], input: String = "", environment: [String: String] = [:]
    ) throws -> ExternalProgram {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["timeout", "-k", "1", "30", program] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (from, to) = (Pipe(), Pipe())
        process.standardOutput = from
        process.standardError = from
        process.standardInput = to
        try process.runUnblocked()
        try? to.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try? to.fileHandleForWriting.close()
        let output = String(decoding: from.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let code = process.terminationStatus
        return ExternalProgram(status: process.terminationReason == .exit ? code : 128 + code, output: output)
    }
}
