/// What happens on a connection, apart from messages.
public enum MQTTEvent: Sendable {
    /// Accepted by the broker, subscriptions sent.
    case connected
    /// An accepted connection ended.
    case disconnected(ConnectionEnd)
    /// The broker answered for the message that `publish` returned `token` for.
    case published(token: Int32, reason: MQTTReasonCode)
}

/// Why a connection ended.
public struct ConnectionEnd: Sendable {
    /// In words.
    public var words: String
    /// The broker's reason, where it gave one.
    public var reason: MQTTReasonCode?
    /// Whether this side ended it.
    public var isOwnDoing = false
}

/// A connection to a broker as services use it; the real one is `MQTTClient`, tests have one in memory.
public protocol MQTTTransport: Sendable {
    /// Whether messages can be handed over now.
    var isConnected: Bool { get }
    /// What happens, in order; for one reader.
    var events: AsyncStream<MQTTEvent> { get }
    /// Messages that came in, in order; for one reader.
    var inbound: InboundQueue { get }
    /// Hands a message over and returns the token under which its acknowledgement comes (QoS 1) or its sending is told (QoS 0).
    /// Throws when there is no connection: nothing is ever queued for later.
    func publish(_ message: MQTTMessage) throws(MQTTError) -> Int32
}
