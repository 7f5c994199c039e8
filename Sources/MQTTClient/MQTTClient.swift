import CMosquitto
import FleetRuntime
import FoundationEssentials
import Glibc
import Synchronization

/// A connection to a broker that stays: MQTT 5 over libmosquitto, made anew after every failure, with jittered back-off.
///
/// The library's own reconnecting gives up on refusals, TLS and name service errors, so every attempt gets a new library client (a
/// `MosquittoSession`). Nothing is queued here: `publish` throws while there is no connection, and the outbox decides what is sent
/// again. Clean start, session expiry 0: the broker remembers nothing of this client between connections.
public final class MQTTClient: MQTTTransport {
    /// What happens, in order; one consumer.
    public let events: MQTTEvents
    private let options: MQTTClientOptions
    private let makeWill: @Sendable () async -> MQTTMessage?
    private let state = Mutex(State())

    private struct State {
        var supervisor: Task<Void, Never>?
        var session: MosquittoSession?
        var isStopping = false
    }

    /// Initialises the library once a process; never undone, because abandoned threads may still be in it.
    private static let library: Int32 = mosquitto_lib_init()

    /// Least seconds before the next attempt when another client has taken over: two with one id would else throw each other out for ever.
    private static let takenOverBackoffS = 30.0

    /// A client for `options`; `will` is asked before every attempt for the message that the broker publishes when it loses this client.
    public init(options: MQTTClientOptions, will: @escaping @Sendable () async -> MQTTMessage? = { nil }) {
        _ = Self.library
        self.options = options
        makeWill = will
        events = MQTTEvents(capacity: options.incomingCapacity)
    }

    /// Starts connecting; a second call does nothing.
    public func start() {
        state.withLock { state in
            guard state.supervisor == nil, !state.isStopping else { return }
            state.supervisor = Task { await self.supervise() }
        }
    }

    /// Hands one message over to the connection.
    public func publish(_ message: MQTTMessage) throws(MQTTError) -> MQTTPacketID {
        let properties = MosquittoProperties(of: message)
        return try call { client, packet in
            message.payload.withUnsafeBytes {
                mosquitto_publish_v5(
                    client, &packet, message.topic, Int32($0.count), $0.baseAddress, message.qos.rawValue, message.retain,
                    properties.list)
            }
        }
    }

    /// Asks for topics.
    public func subscribe(_ filters: [MQTTFilter]) throws(MQTTError) -> MQTTPacketID {
        let qos = filters.contains { $0.qos == .atLeastOnce } ? MQTTMessage.QoS.atLeastOnce : .atMostOnce
        var names: [UnsafeMutablePointer<CChar>?] = filters.map { strdup($0.name) }
        defer { for name in names { free(name) } }
        return try call { client, packet in
            mosquitto_subscribe_multiple(client, &packet, Int32(names.count), &names, qos.rawValue, 0, nil)
        }
    }

    /// Gives a topic up.
    public func unsubscribe(_ filter: String) throws(MQTTError) {
        _ = try call { client, packet in mosquitto_unsubscribe(client, &packet, filter) }
    }

    /// Says goodbye and ends; whatever hangs is left to its thread after `deadlineS`.
    public func disconnect(deadlineS: Double) async {
        let (supervisor, session) = state.withLock { state in
            state.isStopping = true
            return (state.supervisor, state.session)
        }
        session?.requestDisconnect()
        supervisor?.cancel()
        let deadline = Task {
            try await Task.sleep(for: .seconds(deadlineS))
            self.state.withLock { $0.session }?.abandon(.requested)
        }
        await supervisor?.value
        deadline.cancel()
        events.finish()
    }

    private func call(_ body: (OpaquePointer, inout Int32) -> Int32) throws(MQTTError) -> MQTTPacketID {
        guard let session = state.withLock({ $0.session }) else { throw .notConnected }
        var packet: Int32 = 0
        let code = session.whileConnected { body($0, &packet) }
        switch code.map({ mosq_err_t(rawValue: $0) }) {
        case MOSQ_ERR_SUCCESS: return MQTTPacketID(connection: session.number, packet: packet)
        case nil: throw .notConnected
        // The library has queued the message but the connection is gone: the session is too, so nothing is sent later.
        case MOSQ_ERR_NO_CONN, MOSQ_ERR_CONN_LOST: throw .notConnected
        case MOSQ_ERR_OVERSIZE_PACKET, MOSQ_ERR_PAYLOAD_SIZE: throw .tooLarge
        case .some(let other): throw .refused(MosquittoSession.text(Int32(other.rawValue)))
        }
    }

    private func supervise() async {
        var backoff = Backoff(minimumS: options.minimumBackoffS, maximumS: options.maximumBackoffS)
        var number = 0
        while !Task.isCancelled {
            number += 1
            let session = MosquittoSession(number: number, options: options, will: await makeWill(), events: events)
            let mayRun = state.withLock { state in
                if !state.isStopping { state.session = session }
                return !state.isStopping
            }
            guard mayRun else { return }
            let cause = await run(session)
            state.withLock { $0.session = nil }
            let heldS = session.connectedAtS.withLock { $0 }.map { MonotonicTime.now() - $0 } ?? 0
            if heldS >= options.stableAfterS { backoff.reset() }
            guard cause != .requested, !Task.isCancelled else {
                return events.put(.disconnected(MQTTDisconnection(connection: number, cause: cause)))
            }
            var waitS = backoff.next()
            if cause == .closed(.sessionTakenOver) { waitS = max(waitS, min(Self.takenOverBackoffS, options.maximumBackoffS)) }
            events.put(.disconnected(MQTTDisconnection(connection: number, cause: cause, retryInS: waitS)))
            try? await Task.sleep(for: .seconds(waitS))
        }
    }

    /// Runs one session to its end, or to the end of the time that it has for connecting.
    private func run(_ session: MosquittoSession) async -> MQTTDisconnection.Cause {
        let watchdog = Task { [timeoutS = options.connectTimeoutS] in
            try await Task.sleep(for: .seconds(timeoutS))
            if session.connectedAtS.withLock({ $0 }) == nil { session.abandon(.timeout) }
        }
        defer { watchdog.cancel() }
        session.start()
        return await session.ended()
    }
}
