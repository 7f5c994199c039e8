import FleetTestSupport
import Foundation
import MQTTClient
import Synchronization

/// Counts receipts without reading them: what the vehicles would spend on reading is not what is measured.
final class ReceiptCounter: Sendable {
    private let client: MQTTClient
    private let counted = Mutex(0)
    private let marker = Data("\"result\"".utf8)

    /// Listens to the receipts of the whole fleet on `url`.
    init(url: String) async throws {
        var settings = try MQTTSettings(url: url, clientID: "bench-receipts", username: nil, passwordFile: nil)
        settings.subscriptions = [("fleet/v1/bench/+/receipt", .atMostOnce)]
        let made = settings
        client = MQTTClient(inboundCapacity: 100_000) { made }
        let client = client
        Task { await client.run() }
        Task { for await _ in client.events {} }
        Task { [weak self] in
            while let batch = await client.inbound.take(atMost: 1000) {
                guard let self else { return }
                let found = batch.reduce(0) { $0 + self.receipts(in: $1.payload) }
                self.counted.withLock { $0 += found }
            }
        }
        _ = await eventually(timeout: 20) { client.isConnected }
    }

    var count: Int { counted.withLock { $0 } }

    func stop() async { await client.stop() }

    private func receipts(in payload: Data) -> Int {
        var found = 0
        var from = payload.startIndex
        while let range = payload.range(of: marker, in: from..<payload.endIndex) {
            found += 1
            from = range.upperBound
        }
        return found
    }
}
