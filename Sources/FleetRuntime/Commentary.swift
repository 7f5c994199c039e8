import Dispatch
import Synchronization

/// Lines on standard output that never hold their speaker up: a reader that has gone or stands still costs lines, not work.
///
/// Safe from every thread; lines come in the order in which they were said.
public final class Commentary: Sendable {
    /// Lines that may wait for a reader who stands still; beyond that they are left out.
    private static let mostWaiting = 100

    private let queue = DispatchQueue(label: "commentary")
    private let waiting = Atomic<Int>(0)

    /// A commentary of its own.
    public init() {}

    /// Prints `line` when its turn comes; returns at once.
    public func say(_ line: String) {
        guard waiting.load(ordering: .relaxed) < Self.mostWaiting else { return }
        waiting.wrappingAdd(1, ordering: .relaxed)
        queue.async { [self] in
            StandardStreams.comment(line)
            waiting.wrappingSubtract(1, ordering: .relaxed)
        }
    }
}
