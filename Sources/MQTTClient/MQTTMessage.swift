import FoundationEssentials

/// A message as it is published or received.
public struct MQTTMessage: Hashable, Sendable {
    /// How hard delivery is tried. QoS 2 is left out: it adds nothing where receipts and deduplication exist.
    public enum QoS: Int32, Hashable, Sendable {
        /// At most once.
        case atMostOnce = 0
        /// At least once.
        case atLeastOnce = 1
    }

    /// A name and a text that travel with a message.
    public struct UserProperty: Hashable, Sendable {
        /// The property's name.
        public var name: String
        /// Its text.
        public var value: String
        /// All members.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Where to or where from.
    public var topic: String
    /// Any bytes.
    public var payload: Data
    /// How hard delivery is tried.
    public var qos: QoS
    /// Publishing: the broker keeps it as the topic's state. Receiving: it is that state, not a new message.
    public var retain: Bool
    /// MIME type; nil when not given.
    public var contentType: String?
    /// Seconds after which the broker drops it undelivered; nil for never.
    public var expiryS: UInt32?
    /// In their order; a name may come more than once.
    public var userProperties: [UserProperty]

    /// All members.
    public init(
        topic: String, payload: Data, qos: QoS = .atLeastOnce, retain: Bool = false, contentType: String? = nil,
        expiryS: UInt32? = nil, userProperties: [UserProperty] = []
    ) {
        self.topic = topic
        self.payload = payload
        self.qos = qos
        self.retain = retain
        self.contentType = contentType
        self.expiryS = expiryS
        self.userProperties = userProperties
    }

    /// The first user property called `name`.
    public func userProperty(_ name: String) -> String? { userProperties.first { $0.name == name }?.value }

    /// A bound on the size of its PUBLISH packet in bytes, for the comparison with the broker's limit.
    ///
    /// Payload and texts as they are, 5 bytes of fixed header, 2 of packet id, at most 5 a property (MQTT 5, section 3.3).
    public var packetSizeBound: Int {
        let texts = userProperties.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 5 }
        return 5 + 2 + topic.utf8.count + 2 + 4 + texts + (contentType?.utf8.count ?? 0) + 3 + 5 + payload.count
    }
}

/// What to subscribe to.
public struct MQTTFilter: Hashable, Sendable {
    /// Topic filter; `$share/GROUP/...` shares the messages among the members of the group.
    public var name: String
    /// Highest QoS wanted.
    public var qos: MQTTMessage.QoS
    /// All members.
    public init(_ name: String, qos: MQTTMessage.QoS = .atLeastOnce) {
        self.name = name
        self.qos = qos
    }
}
