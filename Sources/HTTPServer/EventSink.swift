import FoundationEssentials

/// The open end of an answer that is sent piece by piece: one client's event stream, or a long file.
public struct EventSink: Sendable {
    let queue: EventQueue

    /// Sends an event, and waits while the client is slower than the events; false when there is nobody to send to any more.
    public func send(_ event: ServerSentEvent) async -> Bool { await queue.push(event.bytes) }

    /// Sends bytes as they are, and waits while the client is slower; false when there is nobody to send to any more.
    public func write(_ bytes: Data) async -> Bool { await queue.push(bytes) }

    /// Ends the answer so that the client sees that it is not complete.
    public func fail() { queue.fail() }

    /// Keeps an idle connection awake; a busy one needs nothing.
    public func keepAlive() async -> Bool { queue.isEmpty ? await queue.push(ServerSentEvent.keepAlive.bytes) : true }
}
