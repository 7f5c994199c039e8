import CMicroHTTPD
import FoundationEssentials
import Synchronization

/// One request on its way through the daemon: body as it comes in, answer as it is made, and the connection that waits meanwhile.
final class Exchange: Sendable {
    private struct State: @unchecked Sendable {
        // Used only under the lock, and not after `complete`.
        var connection: OpaquePointer?
        var body = Data()
        var isTooLarge = false
        var isStarted = false
        var isAborted = false
        var isAsleep = false
        /// Whether the answer was handed out.
        var isAnswered = false
        var response: HTTPResponse?
        var events: EventQueue?
        var task: Task<Void, Never>?
    }

    private let state: Mutex<State>

    init(connection: OpaquePointer) { state = Mutex(State(connection: connection)) }

    /// Adds a piece of the body.
    func append(_ bytes: UnsafeRawBufferPointer, limit: Int) {
        state.withLock {
            if $0.body.count + bytes.count > limit { $0.isTooLarge = true } else { $0.body.append(contentsOf: bytes) }
        }
    }

    /// The body, or nil when it was larger than allowed.
    var body: Data? { state.withLock { $0.isTooLarge ? nil : $0.body } }

    /// The answer once it is there; handed out once.
    func takeResponse() -> HTTPResponse? {
        state.withLock { state in
            defer { state.response = nil }
            if state.response != nil { state.isAnswered = true }
            return state.response
        }
    }

    /// True the first time: the handler is to be started now.
    func start() -> Bool {
        state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
    }

    /// Puts the connection to sleep until the answer is there. Called on the daemon's thread.
    ///
    /// Never after the answer was handed out: a daemon that is being stopped takes an answer, leaves it, and asks again; it ends the process
    /// when a connection sleeps then.
    func sleepUntilAnswered() {
        state.withLock {
            guard $0.response == nil, !$0.isAnswered, let connection = $0.connection else { return }
            $0.isAsleep = true
            MHD_suspend_connection(connection)
        }
    }

    /// Gives the answer; a second one is ignored.
    func answer(_ response: HTTPResponse) {
        state.withLock {
            guard $0.response == nil else { return }
            $0.response = response
            guard $0.isAsleep, let connection = $0.connection else { return }
            $0.isAsleep = false
            MHD_resume_connection(connection)
        }
    }

    /// Remembers what runs for this exchange, so that it ends with the connection.
    func keep(events: EventQueue, task: Task<Void, Never>) {
        let isAborted = state.withLock {
            $0.events = events
            $0.task = task
            return $0.isAborted
        }
        if isAborted { events.finish() }
    }

    /// Ends the event stream, if it is one; other requests go on.
    func endEvents() { state.withLock { $0.events }?.finish() }

    /// The server stops: whatever sleeps is woken with an end.
    func abort() {
        answer(.problem(503, "the server is stopping"))
        state.withLock { state in
            state.isAborted = true
            return state.events
        }?.finish()
    }

    /// The daemon is done with the connection.
    func complete() {
        let (events, task) = state.withLock {
            $0.connection = nil
            return ($0.events, $0.task)
        }
        events?.detach()
        task?.cancel()
    }
}
