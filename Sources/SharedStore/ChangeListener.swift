import FleetRuntime
import Foundation
import PostgreSQL
import Synchronization

/// Hears what any instance commits (LISTEN and NOTIFY), on a thread of its own because the wait blocks.
///
/// A notification may be lost with a connection; the highest cursor is asked for every `pollS`, so that this costs no more than that.
struct ChangeListener: Sendable {
    /// Seconds between looks at the highest cursor.
    static let pollS = 1.0
    /// Longest pause between attempts to connect, in s.
    static let maximumBackoffS = 5.0

    let address: PostgreSQLAddress
    let password: String?

    /// An element for every change since the last one was taken; listening ends with the stream.
    func changes() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let isEnded = Ended()
        continuation.onTermination = { _ in isEnded.set() }
        Thread.detachNewThread { listen(continuation, isEnded) }
        return stream
    }

    private final class Ended: Sendable {
        private let value = Mutex(false)
        func set() { value.withLock { $0 = true } }
        var isSet: Bool { value.withLock { $0 } }
    }

    private func listen(_ continuation: AsyncStream<Void>.Continuation, _ isEnded: Ended) {
        var backoff = Backoff(minimumS: 0.5, maximumS: Self.maximumBackoffS)
        var connection: PostgreSQLConnection?
        var cursor: Int64?
        let link = PostgreSQLLink(address: address, password: password, name: "fleet-sync listener", timeoutS: 10)
        while !isEnded.isSet {
            do {
                let isNew = connection == nil
                try link.use(&connection) { connection in
                    if isNew {
                        try connection.execute("LISTEN \(PostgreSQLSchema.channel)")
                        backoff.reset()
                        // What was announced while nobody listened.
                        continuation.yield()
                    }
                    if try connection.waitForNotification(timeoutS: Self.pollS) { continuation.yield() }
                    let highest = try connection.query("SELECT cursor FROM counters").int64(0, 0)
                    if highest != cursor { continuation.yield() }
                    cursor = highest
                }
            } catch {
                connection = nil
                Thread.sleep(forTimeInterval: backoff.next())
            }
        }
    }
}
