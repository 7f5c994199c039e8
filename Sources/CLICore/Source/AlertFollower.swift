import FleetModel
import FleetRuntime
import FleetStore
import FoundationEssentials
import HTTPClient

/// Follows the server's event stream through its restarts: every change once, in the store's order.
///
/// The cursor of the last alert that was handed on is where the next connection begins, so an interruption costs nothing.
struct AlertFollower: Sendable {
    let client: HTTPClient
    let source: ServerSource
    let parameters: [(String, String)]

    func changes(after start: Int64) -> AsyncThrowingStream<StoredAlert, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: StoredAlert.self)
        let task = Task {
            do { try await follow(from: start) { continuation.yield($0) } } catch { continuation.finish(throwing: error) }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    private func follow(from start: Int64, _ body: (StoredAlert) -> Void) async throws {
        var cursor = start
        var backoff = Backoff(minimumS: 0.5, maximumS: 15)
        var isTold = false
        while true {
            do {
                for try await event in client.events("/api/v1/stream", query: parameters, lastEventID: String(cursor)) {
                    // Having heard from the server again, the next interruption is a new one.
                    (isTold, backoff) = (false, Backoff(minimumS: 0.5, maximumS: 15))
                    guard event.event == "alert", let alert = alert(in: event), alert.cursor > cursor else { continue }
                    cursor = alert.cursor
                    body(alert)
                }
            } catch let error as HTTPClientError {
                try Task.checkCancellation()
                guard error.passes else { throw ServerFailure.userError(error, client) }
                if !isTold { Log("cli").warning("\(client.server) has gone away; connecting again, nothing is lost") }
                isTold = true
            }
            try await Task.sleep(for: .seconds(backoff.next()))
            cursor = await cursorAfterRestart(cursor)
        }
    }

    private func alert(in event: ReceivedEvent) -> StoredAlert? {
        do { return try JSONDecoder().decode(StoredAlert.self, from: Data(event.data.utf8)) } catch {
            Log("cli").warning("an event of the server could not be read and is left out (cursor \(event.id ?? "unknown"))")
            return nil
        }
    }

    /// A store whose highest cursor is below ours is a new one: it is followed from its beginning.
    private func cursorAfterRestart(_ cursor: Int64) async -> Int64 {
        guard let page = try? await source.alerts(AlertQuery(limit: 1)), page.nextCursor < cursor else { return cursor }
        Log("cli").warning("the server has a new store; it is shown from its beginning")
        return 0
    }
}

extension HTTPClientError {
    /// Whether waiting may help: the server is away, not unwilling.
    fileprivate var passes: Bool {
        switch self {
        case .unreachable, .timedOut, .broken: true
        case .refused(let status, _): status >= 500
        case .badAddress, .untrusted, .notEncrypted, .tooLarge, .redirected, .cancelled: false
        }
    }
}
