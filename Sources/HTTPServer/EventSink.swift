/// The open end of one client's event stream.
public struct EventSink: Sendable {
    let queue: EventQueue

    /// Sends an event, and waits while the client is slower than the events; false when there is nobody to send to any more.
    public func send(_ event: ServerSentEvent) async -> Bool { await queue.push(event.bytes) }

    /// Keeps an idle connection awake; a busy one needs nothing.
    public func keepAlive() async -> Bool { queue.isEmpty ? await queue.push(ServerSentEvent.keepAlive.bytes) : true }
}
