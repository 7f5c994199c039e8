import FoundationEssentials

/// Delivery guarantee of one message. QoS 2 is not offered: a crash in the receiver's callback loses the message in every loop mode.
public enum MQTTQoS: Int32, Sendable {
    case atMostOnce = 0
    case atLeastOnce = 1
}

/// One application message, going out or come in.
public struct MQTTMessage: Sendable {
    /// Name of the topic.
    public var topic: String
    /// The bytes.
    public var payload: Data
    /// Delivery guarantee.
    public var qos: MQTTQoS
    /// Whether the broker keeps it for later subscribers.
    public var retain: Bool
    /// Media type of the payload; nil when not told.
    public var contentType: String?
    /// Seconds after which the broker drops it undelivered; nil for never.
    public var expiryS: UInt32?
    /// MQTT 5 user properties in their order.
    public var userProperties: [(name: String, value: String)]

    /// A message for `topic`.
    public init(
        topic: String, payload: Data, qos: MQTTQoS = .atLeastOnce, retain: Bool = false, contentType: String? = nil,
        expiryS: UInt32? = nil,
        userProperties: [(name: String, value: String)] = []
    ) {
        self.topic = topic
        self.payload = payload
        self.qos = qos
        self.retain = retain
        self.contentType = contentType
        self.expiryS = expiryS
        self.userProperties = userProperties
    }
}
