import Foundation

/// Messages between the library's thread and the one task that takes them. Bounded by number and by bytes: when it is full, `put` blocks
/// the library's thread, the socket is not read, and the broker holds the rest back.
public final class InboundQueue: Sendable {
    private let state: State
    private let wake: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    /// At most `capacity` messages of together at most `capacityBytes` wait; one message alone may be larger.
    public init(capacity: Int = 2000, capacityBytes: Int = 64 << 20) {
        state = State(capacity: capacity, capacityBytes: capacityBytes)
        (wake, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds a message; blocks while the queue is full. Dropped after `close`.
    public func put(_ message: MQTTMessage) { if state.put(message) { bell.yield() } }

    /// The next messages, at least one and at most `limit`, oldest first; nil when the queue was closed and is empty.
    public func take(atMost limit: Int) async -> [MQTTMessage]? {
        var iterator = wake.makeAsyncIterator()
        while true {
            let batch = state.take(atMost: limit)
            if !batch.isEmpty { return batch }
            if isClosed || Task.isCancelled { return nil }
            await iterator.next()
        }
    }

    /// Whether the queue was ended.
    public var isClosed: Bool { state.isClosed }

    /// Ends the queue: what waits can still be taken, nothing more comes in, and a blocked `put` returns.
    public func close() {
        state.close()
        bell.finish()
    }
}

extension MQTTMessage {
    /// About what the message takes in memory, in bytes.
    fileprivate var sizeBytes: Int {
        payload.count + topic.utf8.count + Self.overheadBytes
            + userProperties.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + Self.overheadBytes }
    }

    /// About what a message takes in memory beside its bytes, and each of its properties too.
    public static var overheadBytes: Int { 256 }
}

/// What the queue holds, behind a lock that a full queue waits on.
private final class State: @unchecked Sendable {
    // Everything below is read and written between `lock` and `unlock` of `condition` only.
    private let condition = NSCondition()
    private let capacity: Int
    private let capacityBytes: Int
    private var messages: [MQTTMessage] = []
    private var bytes = 0
    private var isEnded = false

    init(capacity: Int, capacityBytes: Int) {
        self.capacity = capacity
        self.capacityBytes = capacityBytes
    }

    /// Whether the message is the first that waits: then the taker has to be woken.
    func put(_ message: MQTTMessage) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let size = message.sizeBytes
        while !isEnded, !messages.isEmpty, messages.count >= capacity || bytes + size > capacityBytes { condition.wait() }
        guard !isEnded else { return false }
        messages.append(message)
        bytes += size
        return messages.count == 1
    }

    func take(atMost limit: Int) -> [MQTTMessage] {
        condition.lock()
        defer { condition.unlock() }
        let batch: [MQTTMessage]
        if messages.count <= limit {
            batch = messages
            messages = []
            bytes = 0
        } else {
            batch = Array(messages.prefix(limit))
            messages.removeFirst(limit)
            bytes -= batch.reduce(0) { $0 + $1.sizeBytes }
        }
        if !batch.isEmpty { condition.broadcast() }
        return batch
    }

    var isClosed: Bool {
        condition.lock()
        defer { condition.unlock() }
        return isEnded
    }

    func close() {
        condition.lock()
        defer { condition.unlock() }
        isEnded = true
        condition.broadcast()
    }
}
