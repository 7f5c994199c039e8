import Dispatch
import Synchronization

/// Messages between the library's thread and the one task that takes them. Bounded: when it is full, `put` blocks the library's thread,
/// the socket is not read, and the broker holds the rest back.
public final class InboundQueue: Sendable {
    private struct State {
        var messages: [MQTTMessage] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let slots: DispatchSemaphore
    private let wake: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    /// At most `capacity` messages wait.
    public init(capacity: Int = 2000) {
        slots = DispatchSemaphore(value: capacity)
        (wake, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds a message; blocks while the queue is full. Dropped after `close`.
    public func put(_ message: MQTTMessage) {
        slots.wait()
        let isClosed = state.withLock { state in
            if !state.isClosed { state.messages.append(message) }
            return state.isClosed
        }
        if isClosed { slots.signal() } else { bell.yield() }
    }

    /// The next messages, at least one and at most `limit`, oldest first; nil when the queue was closed and is empty.
    public func take(atMost limit: Int) async -> [MQTTMessage]? {
        var iterator = wake.makeAsyncIterator()
        while true {
            let batch = state.withLock { state in
                let batch = Array(state.messages.prefix(limit))
                state.messages.removeFirst(batch.count)
                return batch
            }
            for _ in batch { slots.signal() }
            if !batch.isEmpty { return batch }
            if state.withLock({ $0.isClosed }) { return nil }
            if await iterator.next() == nil, state.withLock({ $0.messages.isEmpty }) { return nil }
        }
    }

    /// Whether the queue was ended.
    public var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Ends the queue: what waits can still be taken, nothing more comes in, and a blocked `put` returns.
    public func close() {
        state.withLock { $0.isClosed = true }
        slots.signal()
        bell.finish()
    }
}
