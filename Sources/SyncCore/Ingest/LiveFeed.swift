import FleetStore
import Synchronization

/// Tells every open event stream that something new is in the store. Carries no data: readers ask the store by their own cursor, so
/// that none misses or repeats a row, whatever is dropped here.
final class LiveFeed: Sendable {
    private struct State {
        var readers: [Int: AsyncStream<Void>.Continuation] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    /// A stream with an element for every change since the last one was taken. Ends when the feed ends.
    func subscribe() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.next += 1
            state.readers[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.readers[number] = nil } }
        return stream
    }

    /// Wakes every reader.
    func announce() { for reader in state.withLock({ Array($0.readers.values) }) { reader.yield() } }

    /// Ends every stream.
    func finish() { for reader in state.withLock({ Array($0.readers.values) }) { reader.finish() } }

    /// Streams that are open.
    var readerCount: Int { state.withLock { $0.readers.count } }
}
