import FleetModel
import FleetRuntime
import MQTTClient
import Synchronization

/// The connections of a simulated fleet: several that publish, one that takes all receipts.
final class FleetConnections: Sendable {
    /// Seconds that the broker has to accept them all.
    private static let connectTimeoutS = 20.0

    private let listener: MQTTClient
    private let publishers: [MQTTClient]
    private let url: String
    private let refusals = Mutex<[MQTTReasonCode: Int]>([:])

    init(_ settings: FleetSettings) throws {
        let listening = try settings.connection("receipts", subscribing: ["fleet/v1/\(settings.fleet)/+/receipt"])
        url = settings.broker
        listener = MQTTClient { listening }
        publishers = try (0..<settings.connections).map { number in
            let publishing = try settings.connection(String(number))
            return MQTTClient { publishing }
        }
    }

    /// How many publish.
    var count: Int { publishers.count }

    /// Refusals of messages by the broker, by reason.
    var refused: [MQTTReasonCode: Int] { refusals.withLock { $0 } }

    /// Connects, runs `body`, says goodbye. `receive` gets every receipt message. Throws `UserError` when the broker does not accept all.
    func withConnections(
        receive: @escaping @Sendable (ReceiptMessage) -> Void, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            // The receipts' connection first, so that no receipt comes before somebody listens.
            for client in [listener] + publishers {
                group.addTask { await client.run() }
                group.addTask { await self.follow(client) }
                try await waitUntilConnected(client)
            }
            group.addTask { await self.takeReceipts(receive) }
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
            for client in [listener] + publishers { await client.stop() }
            try await group.waitForAll()
            try outcome.get()
        }
    }

    /// Hands a message over to connection `index`; false when it is down.
    func publish(_ message: MQTTMessage, on index: Int) -> Bool { (try? publishers[index].publish(message)) != nil }

    private func waitUntilConnected(_ client: MQTTClient) async throws {
        let end = MonotonicTime.now() + Self.connectTimeoutS
        while !client.isConnected {
            if let refusal = client.refusal { throw UserError(.unavailable, "\(url) refuses the connection: \(refusal)") }
            guard MonotonicTime.now() < end else {
                throw UserError(.unavailable, "\(url): no connection; does the broker run there?")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private func follow(_ client: MQTTClient) async {
        for await event in client.events {
            if case .published(_, let reason) = event, reason.isFailure { refusals.withLock { $0[reason, default: 0] += 1 } }
        }
    }

    private func takeReceipts(_ receive: @Sendable (ReceiptMessage) -> Void) async {
        let log = Log("receipts")
        while let batch = await listener.inbound.take(atMost: 1000) {
            for message in batch {
                do throws(WireCodec.Malformed) {
                    receive(try WireCodec.decode(ReceiptMessage.self, from: message.payload))
                } catch {
                    log.warning("a receipt is not readable: \(error.reason)")
                }
            }
        }
    }
}
