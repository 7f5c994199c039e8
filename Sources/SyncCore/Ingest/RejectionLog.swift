import FleetRuntime
import Synchronization

/// Tells of messages that went into quarantine: the first at once, then one line a minute at most, so that a vehicle that sends nonsense
/// cannot fill a disk with lines about it. Safe from every thread.
final class RejectionLog: Sendable {
    /// Seconds between two lines.
    static let intervalS = 60.0

    private struct State {
        var untold = 0
        var nextS = -Double.infinity
    }

    private let state = Mutex(State())
    private let log = Log("ingest")

    /// Notes messages of `topic` and others, of which the first was refused for `reason`; returns the line that was logged, nil for none.
    @discardableResult
    func note(_ count: Int, topic: String, reason: String, atS now: Double = MonotonicTime.now()) -> String? {
        let line = state.withLock { state -> String? in
            state.untold += count
            guard now >= state.nextS else { return nil }
            defer { state = State(untold: 0, nextS: now + Self.intervalS) }
            return
                "\(state.untold) \(state.untold == 1 ? "message is" : "messages are") put into quarantine, the latest of \(topic): \(reason)"
        }
        if let line { log.warning(line) }
        return line
    }
}
