import FleetRuntime
import FleetTestSupport
import Foundation
import Glibc

/// A process of the fleet that is killed and started again: a vehicle, a fleet-sync.
final class ChaosPart {
    /// Seconds after SIGTERM in which it must have ended.
    private static let endS = 5.0

    let name: String
    private let program: String
    private let arguments: [String]
    private let log: String
    private var process: BuiltProgram?
    /// Statuses with which it may end by itself: its service manager starts it again.
    private let expected: Set<Int32>
    /// Ends that nobody asked for: crashes.
    private(set) var unasked: [String] = []

    /// Not running until `start`. What it says on standard error is gathered in `log`.
    init(name: String, program: String, arguments: [String], log: String, expected: Set<Int32> = []) {
        self.name = name
        self.program = program
        self.arguments = arguments
        self.log = log
        self.expected = expected
    }

    func start() throws {
        guard process == nil else { return }
        process = try BuiltProgram(program, arguments)
    }

    func kill() async {
        signal(SIGKILL)
        _ = await process?.status()
        gather()
    }

    func signal(_ number: Int32) { process?.signal(number) }

    /// Starts it again when it has ended by itself, and notes that it did.
    func revive() async throws {
        guard let status = await process?.status(timeout: 0) else { return }
        if !expected.contains(status) {
            unasked.append(
                "\(name) ended with status \(status): \(process?.standardError.split(separator: "\n").last ?? "no word")")
        }
        gather()
        try start()
    }

    /// Asks it to end; how it failed to end well within 5 s, nil when it did.
    func end() async -> String? {
        guard let process else { return "\(name) does not run" }
        signal(SIGTERM)
        let status = await process.status(timeout: Self.endS)
        if status == nil { signal(SIGKILL) }
        defer { gather() }
        // One that was started a moment ago is ended by the signal itself: it has not taken the signal over yet, nor begun anything.
        if status == 0 || status == 128 + SIGTERM { return nil }
        let words = process.standardError.split(separator: "\n").last ?? "no word"
        return "\(name) \(status.map { "ended with status \($0)" } ?? "had not ended after \(Self.endS) s"): \(words)"
    }

    private func gather() {
        if let text = process?.standardError, let file = fopen(log, "a") {
            fputs(text, file)
            fclose(file)
        }
        process = nil
    }
}
