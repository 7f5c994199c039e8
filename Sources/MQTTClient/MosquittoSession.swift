import CMosquitto
import FoundationEssentials
import Synchronization

/// One libmosquitto client for one connection: made, connected, used, taken down; never used again.
///
/// Its callbacks run on the library's thread (`mosquitto_loop_start`), copy bytes and hand them on. It is never destroyed from a callback.
final class MosquittoSession: Sendable {
    /// What the library tells.
    enum Signal: Sendable {
        case accepted
        case refused(MQTTReasonCode)
        case ended(ConnectionEnd)
        case published(Int32, MQTTReasonCode)
        case subscriptionRefused(MQTTReasonCode)
    }

    private struct Handle: @unchecked Sendable {
        // libmosquitto locks inside; the pointer leaves this box exactly once, for its destruction.
        let pointer: OpaquePointer
    }

    private let handle = Mutex<Handle?>(nil)
    /// Held while `open` runs, so that `close` never destroys a client that is still connecting; true once `close` has run.
    private let isClosed = Mutex(false)
    /// The first error that the library has logged: its return codes do not say what OpenSSL found.
    private let loggedError = Mutex<String?>(nil)
    /// Whether the broker has accepted the connection.
    private let isAccepted = Atomic(false)
    private let signal: @Sendable (Signal) -> Void
    private let receive: @Sendable (MQTTMessage) -> Void
    private let settings: MQTTSettings

    private static let libraryReady: Bool = mosquitto_lib_init() == Int32(MOSQ_ERR_SUCCESS.rawValue)

    init(settings: MQTTSettings, signal: @escaping @Sendable (Signal) -> Void, receive: @escaping @Sendable (MQTTMessage) -> Void) {
        self.settings = settings
        self.signal = signal
        self.receive = receive
    }

    /// Connects and starts the library's thread. Blocks for name resolution and TCP; the answer of the broker comes as a signal.
    func open() throws(MQTTError) {
        guard Self.libraryReady else {
            throw .library(code: Int32(MOSQ_ERR_UNKNOWN.rawValue), words: "libmosquitto does not start")
        }
        let result = isClosed.withLock { isClosed -> Result<Void, MQTTError> in
            if isClosed { return .failure(.notConnected) }
            do throws(MQTTError) { return .success(try connect()) } catch { return .failure(error) }
        }
        do throws(MQTTError) { try result.get() } catch {
            // A certificate that is not valid (yet) is only told by the log.
            if case .library(let code, _) = error, settings.tls != nil, let line = loggedError.withLock({ $0 }) {
                throw .library(code: code, words: line)
            }
            throw error
        }
    }

    private func connect() throws(MQTTError) {
        // The context is retained until `close` has destroyed the client.
        let context = Unmanaged.passRetained(self).toOpaque()
        guard let client = mosquitto_new(settings.clientID, true, context) else {
            Unmanaged<MosquittoSession>.fromOpaque(context).release()
            throw .library(code: Int32(MOSQ_ERR_NOMEM.rawValue), words: "out of memory")
        }
        handle.withLock { $0 = Handle(pointer: client) }
        mosquitto_log_callback_set(client, Self.onLog)
        try configure(client)
        try MQTTError.check(
            mosquitto_connect_bind_v5(client, settings.host, Int32(settings.port), Int32(settings.keepAliveS), nil, nil),
            "connecting")
        try MQTTError.check(mosquitto_loop_start(client), "starting the network thread")
    }

    private func configure(_ client: OpaquePointer) throws(MQTTError) {
        try MQTTError.check(mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5), "choosing MQTT 5")
        // An acknowledgement is small: held back until the last one was acknowledged by TCP, it would cost 40 ms.
        try MQTTError.check(mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1), "sending at once")
        // Reconnecting is the supervisor's work: the library would end its thread for good on several errors.
        mosquitto_reconnect_delay_set(client, 3600, 3600, false)
        if let username = settings.username {
            try MQTTError.check(mosquitto_username_pw_set(client, username, settings.password), "setting the user name")
        }
        if let tls = settings.tls {
            let systemCertificates = tls.caFile == nil ? "/etc/ssl/certs" : nil
            try MQTTError.check(
                mosquitto_tls_set(client, tls.caFile, systemCertificates, tls.certFile, tls.keyFile, nil),
                "reading the certificates")
        }
        if let will = settings.will {
            let properties = try PropertyList(of: will)
            let bytes = [UInt8](will.payload)
            try MQTTError.check(
                mosquitto_will_set_v5(
                    client, will.topic, Int32(bytes.count), bytes, will.qos.rawValue, will.retain, properties.release()),
                "setting the will")
        }
        mosquitto_connect_v5_callback_set(client, Self.onConnect)
        mosquitto_disconnect_v5_callback_set(client, Self.onDisconnect)
        mosquitto_message_v5_callback_set(client, Self.onMessage)
        mosquitto_publish_v5_callback_set(client, Self.onPublish)
        mosquitto_subscribe_v5_callback_set(client, Self.onSubscribe)
    }

    /// Hands a message over and returns its token.
    func publish(_ message: MQTTMessage) throws(MQTTError) -> Int32 {
        let properties = try PropertyList(of: message)
        let bytes = [UInt8](message.payload)
        var token: Int32 = 0
        let code = handle.withLock { handle in
            guard let handle else { return Int32(MOSQ_ERR_NO_CONN.rawValue) }
            return mosquitto_publish_v5(
                handle.pointer, &token, message.topic, Int32(bytes.count), bytes, message.qos.rawValue, message.retain,
                properties.pointer)
        }
        try MQTTError.check(code, "publishing")
        return token
    }

    /// Says goodbye; the end comes as a signal.
    func disconnect() {
        handle.withLock { handle in
            if let handle { mosquitto_disconnect_v5(handle.pointer, 0, nil) }
        }
    }

    /// Takes the client down. May block as long as the library's thread hangs in a connect: to be called on a thread that may hang.
    func close() {
        isClosed.withLock { $0 = true }
        guard
            let taken = handle.withLock({ handle -> Handle? in
                defer { handle = nil }
                return handle
            })
        else { return }
        mosquitto_disconnect_v5(taken.pointer, 0, nil)
        mosquitto_loop_stop(taken.pointer, false)
        mosquitto_destroy(taken.pointer)
        Unmanaged.passUnretained(self).release()
    }

    private func subscribe(_ client: OpaquePointer) {
        for (filter, qos) in settings.subscriptions {
            let code = mosquitto_subscribe_v5(client, nil, filter, qos.rawValue, 0, nil)
            if code != Int32(MOSQ_ERR_SUCCESS.rawValue) {
                signal(.ended(ConnectionEnd(words: "subscribing to \(filter): \(MQTTError.libraryWords(code))")))
            }
        }
    }

    private static func session(_ context: UnsafeMutableRawPointer?) -> MosquittoSession? {
        context.map { Unmanaged<MosquittoSession>.fromOpaque($0).takeUnretainedValue() }
    }

    private typealias Properties = UnsafePointer<OpaquePointer?>

    private static let onConnect: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int32, Int32, OpaquePointer?) -> Void =
        {
            client, context, code, _, _ in
            guard let session = session(context), let client else { return }
            guard code == 0 else { return session.signal(.refused(MQTTReasonCode(rawValue: code))) }
            session.isAccepted.store(true, ordering: .relaxed)
            session.subscribe(client)
            session.signal(.accepted)
        }

    private static let onDisconnect: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int32, OpaquePointer?) -> Void = {
        _, context, code, _ in
        guard let session = session(context) else { return }
        // Below 0x80 it is the library's own error code, not the broker's reason.
        let reason = code >= 0x80 ? MQTTReasonCode(rawValue: code) : nil
        let words = reason?.description ?? (code == 0 ? "closed" : MQTTError.libraryWords(code))
        let logged = session.settings.tls == nil || reason != nil ? nil : session.loggedError.withLock { $0 }
        session.signal(.ended(ConnectionEnd(words: logged ?? words, reason: reason)))
    }

    private static let onLog: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?) -> Void = {
        _, context, level, text in
        guard level == MOSQ_LOG_ERR, let text, let session = session(context) else { return }
        let line = String(cString: text)
        // What follows the first error only follows from it.
        let isFirst = session.loggedError.withLock { logged in
            defer { logged = logged ?? line }
            return logged == nil
        }
        // A handshake that is not done within `open` fails on the library's thread, which ends without a word.
        let settings = session.settings
        if isFirst, settings.tls != nil, !session.isAccepted.load(ordering: .relaxed) {
            session.signal(.ended(ConnectionEnd(words: "cannot connect to \(settings.host):\(settings.port): \(line)")))
        }
    }

    private static let onPublish: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int32, Int32, OpaquePointer?) -> Void =
        {
            _, context, token, code, _ in
            session(context)?.signal(.published(token, MQTTReasonCode(rawValue: code)))
        }

    private static let onSubscribe:
        @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int32, Int32, UnsafePointer<Int32>?, OpaquePointer?) -> Void = {
            _, context, _, count, granted, _ in
            for code in UnsafeBufferPointer(start: granted, count: Int(count)) where code >= 0x80 {
                session(context)?.signal(.subscriptionRefused(MQTTReasonCode(rawValue: code)))
            }
        }

    private static let onMessage:
        @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafePointer<mosquitto_message>?, OpaquePointer?) -> Void = {
            _, context, message, properties in
            guard let session = session(context), let message = message?.pointee, let topic = message.topic else { return }
            let payload = message.payload.map { Data(bytes: $0, count: Int(message.payloadlen)) } ?? Data()
            session.receive(
                MQTTMessage(
                    topic: String(cString: topic), payload: payload, qos: MQTTQoS(rawValue: message.qos) ?? .atLeastOnce,
                    retain: message.retain,
                    userProperties: PropertyList.userProperties(properties)))
        }
}
