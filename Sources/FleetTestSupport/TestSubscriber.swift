import FleetModel
import FleetRuntime
import MQTTClient
import Synchronization

/// A client that keeps what it receives and may answer: a stand-in for the sync service, an operator's `mosquitto_sub`, an intruder.
public final class TestSubscriber: Sendable {
    /// The connection.
    public let client: MQTTClient
    private let kept: Kept
    private let tasks: [Task<Void, Never>]

    private final class Kept: Sendable { let messages = Mutex<[MQTTMessage]>([]) }

    /// Connects to `url` and subscribes to `filters`; `answer` gives messages to publish for one that has come.
    public init(
        url: String, id: String, username: String? = nil, tls: MQTTSettings.TLS = .init(), filters: [String],
        answer: @escaping @Sendable (MQTTMessage) -> [MQTTMessage] = { _ in [] }
    ) async throws {
        var settings = try MQTTSettings(url: url, clientID: id, username: username, passwordFile: nil, tls: tls)
        settings.subscriptions = filters.map { ($0, .atLeastOnce) }
        let made = settings
        let client = MQTTClient(minimumBackoffS: 0.1) { made }
        let kept = Kept()
        self.client = client
        self.kept = kept
        tasks = [
            Task { await client.run() },
            Task { for await _ in client.events {} },
            Task {
                while let batch = await client.inbound.take(atMost: 1000) {
                    kept.messages.withLock { $0 += batch }
                    for reply in batch.flatMap(answer) { _ = try? client.publish(reply) }
                }
            },
        ]
        _ = await eventually { client.isConnected }
    }

    deinit {
        let client = client
        Task { await client.stop() }
    }

    /// A sync service: takes every alert and answers with what `result` says; nil answers nothing.
    public static func sync(
        url: String, username: String? = nil, result: @escaping @Sendable (Receipt) -> Receipt? = { $0 }
    ) async throws -> TestSubscriber {
        try await TestSubscriber(url: url, id: "sync-test", username: username, filters: ["fleet/v1/+/+/alert"]) { message in
            let properties = Dictionary(message.userProperties.map { ($0.name, $0.value) }) { $1 }
            guard let vehicle = Topic(name: message.topic)?.vehicle, let id = properties["id"].flatMap({ AlertID($0) }),
                let revision = properties["revision"].flatMap({ Int($0) }),
                let receipt = result(Receipt(id: id, revision: revision, result: .stored)),
                let payload = try? WireCodec.encode(ReceiptMessage(receipts: [receipt]))
            else { return [] }
            return [MQTTMessage(topic: Topic.receipt(vehicle).name, payload: payload, qos: .atMostOnce)]
        }
    }

    /// Everything received so far.
    public var messages: [MQTTMessage] { kept.messages.withLock { $0 } }

    /// The alerts received so far, in their order.
    public var alerts: [Alert] { messages.compactMap { try? WireCodec.decodeAlert(from: $0.payload) } }

    /// The states received so far, in their order.
    public var states: [VehicleStatus] { messages.compactMap { try? WireCodec.decode(VehicleStatus.self, from: $0.payload) } }

    /// Says goodbye.
    public func stop() async { await client.stop() }
}
