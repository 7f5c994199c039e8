import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import HTTPClient
import Synchronization

/// Reads the API's event stream and notes when each alert was first seen in it.
final class StreamReader: Sendable {
    private let seen = Mutex<[AlertID: Double]>([:])
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Follows the stream of the server at `url` from now on.
    init(url: String) async throws {
        struct Event: Decodable { let id: AlertID }
        let client = HTTPClient(server: try ServerAddress(url))
        _ = try await client.get("/api/v1/alerts", query: [("limit", "1")])
        task.withLock {
            $0 = Task { [weak self] in
                do {
                    for try await event in client.events("/api/v1/stream", query: [("cursor", "0")], lastEventID: nil) {
                        guard event.event == "alert", let id = try? JSONDecoder().decode(Event.self, from: Data(event.data.utf8)).id
                        else { continue }
                        let nowS = MonotonicTime.now()
                        self?.seen.withLock { if $0[id] == nil { $0[id] = nowS } }
                    }
                } catch { Log("reader").error("the event stream ended: \(error)") }
            }
        }
    }

    /// When the alert was seen; nil when it was not yet.
    func seenS(_ id: AlertID) -> Double? { seen.withLock { $0[id] } }

    func stop() { task.withLock { $0?.cancel() } }
}
