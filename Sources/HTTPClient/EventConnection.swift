import Dispatch
import FoundationEssentials
import Synchronization

/// One event received from a `text/event-stream`.
public struct ReceivedEvent: Hashable, Sendable {
    /// The last id that the stream has given; nil before the first.
    public var id: String?
    /// Name of the event; `message` when the stream names none.
    public var event: String
    /// The data; several data lines joined by line ends.
    public var data: String
}

/// An open event stream: a queue of its own that blocks in libcurl and hands over events.
enum EventConnection {
    private final class Flag: Sendable { let isSet = Atomic<Bool>(false) }

    static func open(_ request: Transfer.Request) -> AsyncThrowingStream<ReceivedEvent, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: ReceivedEvent.self)
        let cancelled = Flag()
        continuation.onTermination = { _ in cancelled.isSet.store(true, ordering: .relaxed) }
        DispatchQueue(label: "http-events").async {
            continuation.finish(
                throwing: read(request, isCancelled: { cancelled.isSet.load(ordering: .relaxed) }) {
                    continuation.yield($0)
                })
        }
        return stream
    }

    /// Blocks until the connection is over and says why.
    private static func read(
        _ request: Transfer.Request, isCancelled: @escaping () -> Bool, _ body: @escaping (ReceivedEvent) -> Void
    ) -> HTTPClientError {
        var parser = EventStreamParser()
        // A stream that never ends a line is none; stopping here stops the transfer at libcurl's next look.
        var isNonsense = false
        do throws(HTTPClientError) {
            try Transfer().run(request, isCancelled: { isNonsense || isCancelled() }) { bytes in
                for event in parser.events(in: bytes) { body(event) }
                isNonsense = parser.isOverLimit
            }
        } catch {
            return isNonsense ? .broken("the answer is no event stream") : error
        }
        return .broken("the server closed the stream")
    }
}
