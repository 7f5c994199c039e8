import Dispatch
import Synchronization

/// The events of one transport: a bounded queue between the network thread and one consumer.
///
/// Messages wait for room: the network thread blocks in its callback when `capacity` events wait, so that the broker, not this
/// process, holds what cannot be worked off. Everything else is queued beyond the bound; there is little of it. A thread blocked for
/// longer than one and a half keep-alive intervals loses the connection.
public final class MQTTEvents: AsyncSequence, Sendable {
    private struct State {
        var waiting: [MQTTEvent] = []
        /// Index of the first event in `waiting` that was not taken; the array is trimmed from time to time.
        var head = 0
        var consumer: CheckedContinuation<MQTTEvent?, Never>?
        var blockedProducers = 0
        var isFinished = false

        var count: Int { waiting.count - head }

        mutating func pop() -> MQTTEvent? {
            guard head < waiting.count else { return nil }
            let event = waiting[head]
            head += 1
            if head >= 256 && head * 2 >= waiting.count {
                waiting.removeFirst(head)
                head = 0
            }
            return event
        }
    }

    private let state = Mutex(State())
    private let room = DispatchSemaphore(value: 0)
    private let capacity: Int

    /// Holds `capacity` messages.
    public init(capacity: Int = 1024) { self.capacity = Swift.max(1, capacity) }

    /// Adds an event at once, whatever waits. Dropped after `finish`.
    public func put(_ event: MQTTEvent) {
        let consumer: CheckedContinuation<MQTTEvent?, Never>? = state.withLock { state in
            guard !state.isFinished else { return nil }
            if let consumer = state.consumer {
                state.consumer = nil
                return consumer
            }
            state.waiting.append(event)
            return nil
        }
        consumer?.resume(returning: event)
    }

    /// Adds an event when there is room, and blocks the calling thread until then; returns at once after `finish`.
    public func putWhenRoom(_ event: MQTTEvent) {
        while true {
            let mustWait = state.withLock { state in
                guard !state.isFinished, state.count >= capacity else { return false }
                state.blockedProducers += 1
                return true
            }
            guard mustWait else { return put(event) }
            room.wait()
        }
    }

    /// Ends the sequence after what waits, and frees blocked threads.
    public func finish() {
        let (consumer, blocked) = state.withLock { state in
            state.isFinished = true
            defer {
                state.consumer = nil
                state.blockedProducers = 0
            }
            return (state.consumer, state.blockedProducers)
        }
        consumer?.resume(returning: nil)
        for _ in 0..<blocked { room.signal() }
    }

    /// The next event; nil at the end or when the task is cancelled.
    public func next() async -> MQTTEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isKnown, event, unblock): (Bool, MQTTEvent?, Bool) = state.withLock { state in
                    if let event = state.pop() {
                        let unblock = state.blockedProducers > 0
                        if unblock { state.blockedProducers -= 1 }
                        return (true, event, unblock)
                    }
                    if state.isFinished || Task.isCancelled { return (true, nil, false) }
                    state.consumer = continuation
                    return (false, nil, false)
                }
                if unblock { room.signal() }
                if isKnown { continuation.resume(returning: event) }
            }
        } onCancel: {
            let consumer = state.withLock { state in
                defer { state.consumer = nil }
                return state.consumer
            }
            consumer?.resume(returning: nil)
        }
    }

    /// Takes events one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let events: MQTTEvents
        public mutating func next() async -> MQTTEvent? { await events.next() }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(events: self) }
}
