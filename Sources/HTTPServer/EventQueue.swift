import CMicroHTTPD
import FoundationEssentials
import Synchronization

/// Bytes of one event stream between the task that makes events and the daemon's thread that sends them.
///
/// The connection sleeps while there is nothing to send; the task waits while the client is slower than the events. A client that takes
/// nothing at all is cut off by the connection's time limit.
final class EventQueue: Sendable {
    /// Bytes that may wait for the client before the task waits: some hundred alerts.
    static let limit = 128 * 1024

    private struct State: @unchecked Sendable {
        var bytes = Data()
        var isFinished = false
        var isBroken = false
        // Used only under the lock and only until the daemon says that the connection is over.
        var connection: OpaquePointer?
        var isAsleep = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(connection: OpaquePointer) { state = Mutex(State(connection: connection)) }

    /// Adds bytes and waits until there is room for more; false when the client is gone or the stream has ended.
    func push(_ data: Data) async -> Bool {
        let isFull = state.withLock { state in
            guard !state.isFinished else { return false }
            state.bytes.append(data)
            Self.wake(&state)
            return state.bytes.count > Self.limit
        }
        if isFull { await room() }
        return state.withLock { !$0.isFinished }
    }

    private func room() async {
        await withCheckedContinuation { continuation in
            let mustWait = state.withLock { state in
                let mustWait = !state.isFinished && state.bytes.count > Self.limit
                if mustWait { state.waiting.append(continuation) }
                return mustWait
            }
            if !mustWait { continuation.resume() }
        }
    }

    /// Whether the client has taken everything.
    var isEmpty: Bool { state.withLock { $0.bytes.isEmpty } }

    /// No more events; what is queued is still sent.
    func finish() {
        end { state in
            state.isFinished = true
            Self.wake(&state)
        }
    }

    /// No more bytes, and what was sent is not all: the connection is cut off, so that the client sees it.
    func fail() {
        end { state in
            state.isFinished = true
            state.isBroken = true
            Self.wake(&state)
        }
    }

    /// The connection is over.
    func detach() {
        end { state in
            state.connection = nil
            state.isFinished = true
        }
    }

    private func end(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            return Self.takeWaiting(&state)
        }
        for task in waiting { task.resume() }
    }

    /// Called by the daemon for more bytes; puts the connection to sleep when there are none. Negative: the end.
    func read(into buffer: UnsafeMutablePointer<CChar>, capacity: Int) -> Int {
        let (count, waiting) = state.withLock { state -> (Int, [CheckedContinuation<Void, Never>]) in
            if state.bytes.isEmpty {
                guard !state.isFinished, let connection = state.connection else {
                    // MHD_CONTENT_READER_END_WITH_ERROR and MHD_CONTENT_READER_END_OF_STREAM.
                    return (state.isBroken ? -2 : -1, [])
                }
                MHD_suspend_connection(connection)
                state.isAsleep = true
                return (0, [])
            }
            let count = min(capacity, state.bytes.count)
            state.bytes.prefix(count).withUnsafeBytes { source in
                guard let base = source.baseAddress else { return }
                UnsafeMutableRawPointer(buffer).copyMemory(from: base, byteCount: count)
            }
            state.bytes = Data(state.bytes.dropFirst(count))
            return (count, state.bytes.count <= Self.limit ? Self.takeWaiting(&state) : [])
        }
        for task in waiting { task.resume() }
        return count
    }

    private static func takeWaiting(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        defer { state.waiting = [] }
        return state.waiting
    }

    private static func wake(_ state: inout State) {
        guard state.isAsleep, let connection = state.connection else { return }
        state.isAsleep = false
        MHD_resume_connection(connection)
    }
}
