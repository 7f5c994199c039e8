import CMicroHTTPD
import FoundationEssentials
import Synchronization

/// Bytes of one event stream between the task that makes events and the daemon's thread that sends them.
///
/// The connection sleeps while there is nothing to send. A client that lets more than the limit pile up is cut off.
final class EventQueue: Sendable {
    /// Bytes that may wait for a slow client: a few thousand alerts.
    static let limit = 1 << 20

    private struct State {
        var bytes = Data()
        var isFinished = false
        var connection: OpaquePointer?
        var isAsleep = false
    }

    // The pointer is used only under the lock and only until the daemon says that the connection is over.
    private let state: Mutex<Connection>
    private struct Connection: @unchecked Sendable { var value: State }

    init(connection: OpaquePointer) { state = Mutex(Connection(value: State(connection: connection))) }

    /// Adds bytes; false when the client is gone or too slow, and nothing more should be made.
    func push(_ data: Data) -> Bool {
        state.withLock { box in
            guard box.value.connection != nil, !box.value.isFinished else { return false }
            if box.value.bytes.count + data.count > Self.limit {
                box.value.isFinished = true
                box.value.bytes = Data()
            } else {
                box.value.bytes.append(data)
            }
            Self.wake(&box.value)
            return !box.value.isFinished
        }
    }

    /// No more events; what is queued is still sent.
    func finish() {
        state.withLock { box in
            box.value.isFinished = true
            Self.wake(&box.value)
        }
    }

    /// The connection is over.
    func detach() {
        state.withLock { box in
            box.value.connection = nil
            box.value.isFinished = true
        }
    }

    /// Called by the daemon for more bytes; puts the connection to sleep when there are none. Negative: the end.
    func read(into buffer: UnsafeMutablePointer<CChar>, capacity: Int) -> Int {
        state.withLock { box in
            if box.value.bytes.isEmpty {
                guard !box.value.isFinished, let connection = box.value.connection else { return -1 }
                MHD_suspend_connection(connection)
                box.value.isAsleep = true
                return 0
            }
            let count = min(capacity, box.value.bytes.count)
            box.value.bytes.prefix(count).withUnsafeBytes { source in
                guard let base = source.baseAddress else { return }
                UnsafeMutableRawPointer(buffer).copyMemory(from: base, byteCount: count)
            }
            box.value.bytes = Data(box.value.bytes.dropFirst(count))
            return count
        }
    }

    private static func wake(_ state: inout State) {
        guard state.isAsleep, let connection = state.connection else { return }
        state.isAsleep = false
        MHD_resume_connection(connection)
    }
}
