import FleetModel
import Synchronization

/// How important a log line is.
public enum LogLevel: String, Sendable, CaseIterable, Comparable {
    case debug, info, warning, error

    private var rank: Int { LogLevel.allCases.firstIndex(of: self) ?? 0 }
    public static func < (a: LogLevel, b: LogLevel) -> Bool { a.rank < b.rank }
}

/// Log lines on standard error: `2026-03-01T08:15:02.120Z warning mqtt: connection refused`. Safe from every thread.
///
/// One line an event, control characters replaced, no secrets. Repeated states are told once by their owner, not filtered here.
public struct Log: Sendable {
    private static let minimum = Mutex(LogLevel.info)
    private let part: String

    /// A log for one part of the program, e.g. `mqtt`.
    public init(_ part: String) { self.part = part }

    /// Lines below `level` are not written; the same for every `Log` of the process.
    public static func setLevel(_ level: LogLevel) { minimum.withLock { $0 = level } }

    /// For developers.
    public func debug(_ message: @autoclosure () -> String) { write(.debug, message) }
    /// What an operator wants to see happen.
    public func info(_ message: @autoclosure () -> String) { write(.info, message) }
    /// Something is off, and the program goes on.
    public func warning(_ message: @autoclosure () -> String) { write(.warning, message) }
    /// Something failed.
    public func error(_ message: @autoclosure () -> String) { write(.error, message) }

    private func write(_ level: LogLevel, _ message: () -> String) {
        guard level >= Self.minimum.withLock({ $0 }) else { return }
        StandardStreams.printError("\(WallClock.now()) \(level.rawValue) \(part): \(message().printable)")
    }
}
