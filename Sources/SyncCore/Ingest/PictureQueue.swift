import Synchronization

/// Pictures that wait to be checked and written, beside the alerts, which never wait for them. Bounded; safe from every thread, for one reader.
final class PictureQueue: Sendable {
    private struct State {
        var waiting: [InboundMessage] = []
        var bytes = 0
        var isClosed = false
    }

    /// Pictures that wait at most, however small.
    private static let capacity = 4096

    private let state = Mutex(State())
    private let capacityBytes: Int
    private let wake: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    /// At most `capacityBytes` of pictures wait, with all that came with them.
    init(capacityBytes: Int) {
        self.capacityBytes = capacityBytes
        (wake, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds a picture; false when there is no room for it: it has no receipt then, and its vehicle sends it again.
    func offer(_ picture: InboundMessage) -> Bool {
        let isTaken = state.withLock { state in
            guard !state.isClosed, state.waiting.count < Self.capacity, state.bytes + picture.sizeBytes <= capacityBytes
            else { return false }
            state.waiting.append(picture)
            state.bytes += picture.sizeBytes
            return true
        }
        if isTaken { bell.yield() }
        return isTaken
    }

    /// The next pictures, at least one and at most `limit`, oldest first; nil once the queue is closed, whatever waits.
    func take(atMost limit: Int) async -> [InboundMessage]? {
        var iterator = wake.makeAsyncIterator()
        while true {
            let (batch, isClosed) = state.withLock { state -> ([InboundMessage], Bool) in
                guard !state.isClosed else { return ([], true) }
                let batch = Array(state.waiting.prefix(limit))
                state.waiting.removeFirst(batch.count)
                state.bytes -= batch.reduce(0) { $0 + $1.sizeBytes }
                return (batch, false)
            }
            if isClosed || Task.isCancelled { return nil }
            if !batch.isEmpty { return batch }
            await iterator.next()
        }
    }

    /// Ends the queue; what waits is left, without a receipt.
    func close() {
        state.withLock { $0.isClosed = true }
        bell.finish()
    }
}
