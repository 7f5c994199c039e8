import Dispatch
import Glibc
import Synchronization

/// SIGTERM and SIGINT as an event that a service waits for. A second signal ends the process at once.
public final class StopSignals: Sendable {
    // Written once in init and only kept alive afterwards; nothing reads it.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]
    private let stream: AsyncStream<Int32>
    private let arrived: Arrival

    private final class Arrival: Sendable { let flag = Atomic<Bool>(false) }

    /// Takes over SIGTERM and SIGINT, and ignores SIGPIPE, for the whole process.
    public init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingNewest(1))
        let arrived = Arrival()
        self.stream = stream
        self.arrived = arrived
        signal(SIGPIPE, SIG_IGN)
        sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                if arrived.flag.exchange(true, ordering: .relaxed) { _exit(128 + number) }
                continuation.yield(number)
            }
            source.resume()
            return source
        }
    }

    /// Whether a signal has arrived; for loops that are not asynchronous.
    public var isRaised: Bool { arrived.flag.load(ordering: .relaxed) }

    /// Returns the number of the first signal; at most one task may wait. Zero when the task is cancelled.
    public func wait() async -> Int32 {
        for await number in stream { return number }
        return 0
    }
}
