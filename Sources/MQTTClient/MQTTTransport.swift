/// A supervised connection to a broker, as services see it: the real one is `MQTTClient`.
///
/// All calls are safe from every thread and return at once, `disconnect` excepted.
public protocol MQTTTransport: Sendable {
    /// What happens, in order. One consumer only. Ends after `disconnect`.
    var events: MQTTEvents { get }
    /// Starts connecting, and goes on until `disconnect`.
    func start()
    /// Hands one message over. Throws `MQTTError.notConnected` rather than queueing without a connection.
    func publish(_ message: MQTTMessage) throws(MQTTError) -> MQTTPacketID
    /// Asks for topics; the answer comes as `subscribed`.
    func subscribe(_ filters: [MQTTFilter]) throws(MQTTError) -> MQTTPacketID
    /// Gives a topic up.
    func unsubscribe(_ filter: String) throws(MQTTError)
    /// Says goodbye (no last will), ends the events, returns within `deadlineS` whatever the network does.
    func disconnect(deadlineS: Double) async
}

/// Why a message was not taken.
public enum MQTTError: Error, Hashable, Sendable {
    /// There is no connection at the moment; nothing was queued.
    case notConnected
    /// Larger than the broker takes.
    case tooLarge
    /// The library refused; its words.
    case refused(String)
}
