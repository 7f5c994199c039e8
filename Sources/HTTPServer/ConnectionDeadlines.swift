import CMicroHTTPD
import FleetRuntime
import Glibc
import Synchronization

/// Until when each connection has to have sent its request, or taken its answer; whoever is later is cut off.
///
/// The daemon's own limit only counts seconds without a byte: a client that sends or takes one byte now and then would hold its
/// connection for ever.
final class ConnectionDeadlines: Sendable {
    private struct Entry {
        let socket: Int32
        var deadlineS: Double?
    }

    /// By the connection's address, which stays its own until `close`.
    private let entries = Mutex<[UInt: Entry]>([:])
    private let cut = Atomic<Int>(0)

    /// Connections that were cut off so far.
    var cutCount: Int { cut.load(ordering: .relaxed) }

    /// A connection has come; it has `seconds` for its request.
    func open(_ connection: OpaquePointer, seconds: Double) {
        let entry = Entry(socket: fleet_mhd_socket(connection), deadlineS: MonotonicTime.now() + seconds)
        let key = UInt(bitPattern: connection)
        entries.withLock { $0[key] = entry }
    }

    /// Grants `seconds` from now; nil grants as long as it takes.
    func grant(_ connection: OpaquePointer, seconds: Double?) {
        let deadlineS = seconds.map { MonotonicTime.now() + $0 }
        let key = UInt(bitPattern: connection)
        entries.withLock { $0[key]?.deadlineS = deadlineS }
    }

    /// The daemon is about to close the connection.
    func close(_ connection: OpaquePointer) {
        let key = UInt(bitPattern: connection)
        entries.withLock { $0[key] = nil }
    }

    /// Shuts the sockets of those whose time is over; the daemon then sees their end and cleans up.
    ///
    /// Under the lock, so that `close` waits: the daemon has not closed the socket yet, and its number cannot be another connection's.
    func cutOverdue() {
        let now = MonotonicTime.now()
        entries.withLock { entries in
            for (key, entry) in entries where entry.deadlineS.map({ $0 < now }) == true {
                shutdown(entry.socket, Int32(SHUT_RDWR))
                entries[key]?.deadlineS = nil
                cut.add(1, ordering: .relaxed)
            }
        }
    }
}
