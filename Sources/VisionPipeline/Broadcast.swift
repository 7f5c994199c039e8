import Synchronization

/// One sender, any number of readers, each with a stream of its own. Safe from every thread.
final class Broadcast<Value: Sendable>: Sendable {
    private struct State {
        var readers: [Int: AsyncStream<Value>.Continuation] = [:]
        var next = 0
        var isFinished = false
    }

    private let state = Mutex(State())

    /// Everything that is sent from now on.
    func stream() -> AsyncStream<Value> {
        let (stream, feed) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(VisionEngine.backlog))
        let number: Int? = state.withLock { state in
            guard !state.isFinished else { return nil }
            state.next += 1
            state.readers[state.next] = feed
            return state.next
        }
        guard let number else {
            feed.finish()
            return stream
        }
        feed.onTermination = { [weak self] _ in self?.state.withLock { _ = $0.readers.removeValue(forKey: number) } }
        return stream
    }

    func send(_ value: Value) {
        let readers = state.withLock { Array($0.readers.values) }
        for reader in readers { reader.yield(value) }
    }

    /// Ends every stream. Not under the lock: ending one calls `onTermination`, which takes it.
    func finish() {
        let readers = state.withLock { state in
            defer { state.readers = [:] }
            state.isFinished = true
            return Array(state.readers.values)
        }
        for reader in readers { reader.finish() }
    }
}
