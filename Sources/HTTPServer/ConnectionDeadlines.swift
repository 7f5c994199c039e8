import CMicroHTTPD
import FleetRuntime
import Glibc
import Synchronization

/// Until when each connection has to have sent its request, or taken its answer; whoever is later is cut off.
///
/// The daemon's own limit only counts seconds without a byte: a client that sends or takes one byte now and then would hold its
/// connection for ever. Nor does the daemon notice a client that goes away within a request.
final class ConnectionDeadlines: Sendable {
    private struct Entry {
        let socket: Int32
        var deadlineS: Double?
        /// Whether the request is not there yet.
        var isAsking = true
        /// Whether the last look found that the client will send nothing more.
        var isEnded = false
    }

    /// By the connection's address, which stays its own until `close`.
    private let entries = Mutex<[UInt: Entry]>([:])
    private let cut = Atomic<Int>(0)

    /// Connections that were cut off so far because they took too long.
    var cutCount: Int { cut.load(ordering: .relaxed) }

    /// A connection has come; it has `seconds` for its request.
    func open(_ connection: OpaquePointer, seconds: Double) {
        let key = UInt(bitPattern: connection)
        let entry = Entry(socket: fleet_mhd_socket(connection), deadlineS: MonotonicTime.now() + seconds)
        entries.withLock { $0[key] = entry }
    }

    /// The answer is taken; `seconds` from now the next request has to be there.
    func awaitRequest(_ connection: OpaquePointer, seconds: Double) { set(connection, seconds, isAsking: true) }

    /// The request is there and being answered, which takes as long as it takes.
    func awaitHandler(_ connection: OpaquePointer) { set(connection, nil, isAsking: false) }

    /// The answer is there; `seconds` from now it has to be taken.
    func awaitReader(_ connection: OpaquePointer, seconds: Double) { set(connection, seconds, isAsking: false) }

    private func set(_ connection: OpaquePointer, _ seconds: Double?, isAsking: Bool) {
        let key = UInt(bitPattern: connection)
        let deadlineS = seconds.map { MonotonicTime.now() + $0 }
        entries.withLock { entries in
            entries[key]?.deadlineS = deadlineS
            entries[key]?.isAsking = isAsking
            entries[key]?.isEnded = false
        }
    }

    /// The daemon is about to close the connection.
    func close(_ connection: OpaquePointer) {
        let key = UInt(bitPattern: connection)
        entries.withLock { $0[key] = nil }
    }

    /// Shuts the sockets of those whose time is over, and of those that went away within a request; the daemon then sees their end and
    /// cleans up.
    ///
    /// Under the lock, so that `close` waits: the daemon has not closed the socket yet, and its number cannot be another connection's.
    func look() {
        let now = MonotonicTime.now()
        entries.withLock { entries in
            for (key, entry) in entries {
                if let deadlineS = entry.deadlineS, deadlineS < now {
                    shutdown(entry.socket, Int32(SHUT_RDWR))
                    entries[key]?.deadlineS = nil
                    cut.add(1, ordering: .relaxed)
                } else if entry.isAsking {
                    // Not at the first look: the daemon may just be about to read the request before the end.
                    if entry.isEnded { shutdown(entry.socket, Int32(SHUT_RDWR)) }
                    entries[key]?.isEnded = Self.hasEnded(entry.socket)
                }
            }
        }
    }

    /// Whether all was read and nothing more will come.
    private static func hasEnded(_ socket: Int32) -> Bool {
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count == 0 || count < 0 && errno == ECONNRESET
    }
}
