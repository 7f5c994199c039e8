/// What happens on a connection, in its order.
public enum MQTTEvent: Sendable {
    /// The broker has accepted; subscriptions of earlier connections are gone and are to be made again.
    case connected(MQTTConnection)
    /// The connection is gone or did not come about. Messages without acknowledgement may or may not have arrived.
    case disconnected(MQTTDisconnection)
    /// A message from the broker.
    case message(MQTTMessage)
    /// The broker's answer to a QoS 1 message; it says nothing about durability. QoS 0: the bytes are with the kernel.
    case published(MQTTPacketID, MQTTReasonCode)
    /// The broker's answer to a subscription, one code a filter.
    case subscribed(MQTTPacketID, [MQTTReasonCode])
}

/// What the broker said when it accepted.
public struct MQTTConnection: Hashable, Sendable {
    /// Counts this client's connection attempts, from 1.
    public var number: Int
    /// Largest packet that the broker takes, in bytes; nil when it names no limit.
    public var maximumPacketSize: Int?
    /// QoS 1 messages that it takes at once.
    public var receiveMaximum: Int

    /// All members.
    public init(number: Int, maximumPacketSize: Int? = nil, receiveMaximum: Int = 65_535) {
        self.number = number
        self.maximumPacketSize = maximumPacketSize
        self.receiveMaximum = receiveMaximum
    }
}

/// Names a message that was handed over, for its acknowledgement.
public struct MQTTPacketID: Hashable, Sendable {
    /// The connection's number.
    public var connection: Int
    /// The library's number within that connection.
    public var packet: Int32

    /// All members.
    public init(connection: Int, packet: Int32) {
        self.connection = connection
        self.packet = packet
    }
}

/// Why there is no connection.
public struct MQTTDisconnection: Hashable, Sendable, CustomStringConvertible {
    /// Kinds of reasons.
    public enum Cause: Hashable, Sendable {
        /// This side said goodbye.
        case requested
        /// The broker did not accept the connection.
        case refused(MQTTReasonCode)
        /// The broker ended it and said why.
        case closed(MQTTReasonCode)
        /// The network or the name service; the library's or the system's words.
        case network(String)
        /// TLS: certificate, key or protocol; OpenSSL's words.
        case tls(String)
        /// A file that is needed cannot be read.
        case credentials(String)
        /// The broker did not accept in time.
        case timeout
    }

    /// The connection's number.
    public var connection: Int
    /// What happened.
    public var cause: Cause
    /// Seconds until the next attempt; nil when there is none.
    public var retryInS: Double?

    /// All members.
    public init(connection: Int, cause: Cause, retryInS: Double? = nil) {
        self.connection = connection
        self.cause = cause
        self.retryInS = retryInS
    }

    /// One line.
    public var description: String {
        switch cause {
        case .requested: "disconnected"
        case .refused(let code): "the broker refused the connection: \(code)"
        case .closed(.sessionTakenOver):
            "another client with the same client id took over the connection (0x8E): does a second agent run for this vehicle?"
        case .closed(let code): "the broker ended the connection: \(code)"
        case .network(let text): "no connection: \(text)"
        case .tls(let text): "TLS failed: \(text)"
        case .credentials(let text): text
        case .timeout: "the broker did not answer in time"
        }
    }
}
