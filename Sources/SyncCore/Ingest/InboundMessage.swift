import FleetModel
import FoundationEssentials
import MQTTClient

/// A message from the broker, as it came: nothing in it is trusted yet.
struct InboundMessage: Sendable {
    /// Name of the topic.
    let topic: String
    /// The bytes.
    let payload: Data
    /// Whether the broker kept it from earlier: it then says nothing of now.
    var isRetained = false
    /// MQTT 5 user properties; of repeated ones the last.
    let properties: [String: String]
    /// When it was received.
    let receivedAt: Timestamp
}

extension InboundMessage {
    /// Whether it is an alert's picture.
    var isSnapshot: Bool { if case .snapshot = Topic(name: topic) { true } else { false } }

    /// About what it takes in memory, in bytes: a message without a payload takes some, too.
    var sizeBytes: Int {
        payload.count + topic.utf8.count + MQTTMessage.overheadBytes
            + properties.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + MQTTMessage.overheadBytes }
    }

    /// `message` as it came in at `receivedAt`.
    init(_ message: MQTTMessage, receivedAt: Timestamp) {
        self.init(
            topic: message.topic, payload: message.payload, isRetained: message.retain,
            properties: Dictionary(message.userProperties.map { ($0.name, $0.value) }) { $1 }, receivedAt: receivedAt)
    }
}
