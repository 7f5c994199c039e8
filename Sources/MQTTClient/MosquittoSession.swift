import CMosquitto
import FleetRuntime
import Foundation
import Synchronization

/// One connection attempt and what comes of it: one library client on one thread, made, run and destroyed there.
///
/// The thread connects (which blocks in name service and TCP, for minutes in the worst case), then turns the library's loop until the
/// connection ends. It is marked as threaded for the library, so that acknowledgements of incoming messages are written after the
/// callback has returned. Nothing ever joins the thread: who cannot wait abandons it, and it cleans up when its call returns.
///
/// `@unchecked Sendable`: the C handle is created, run and destroyed by the thread alone; other threads use it only within `handle`'s
/// lock, which the thread takes before it destroys, and only for calls that the library makes safe from every thread (publish,
/// subscribe, disconnect). Callbacks run on the thread and touch only atomics and the event queue.
final class MosquittoSession: @unchecked Sendable {
    let number: Int
    let events: MQTTEvents
    private let options: MQTTClientOptions
    private let will: MQTTMessage?
    private let handle = Mutex<SendableHandle?>(nil)
    let isConnected = Atomic<Bool>(false)
    let connectedAtS = Mutex<Double?>(nil)
    private let mustEnd = Atomic<Bool>(false)
    private let wasAbandoned = Atomic<Bool>(false)
    private let wasAsked = Atomic<Bool>(false)
    /// The broker's own reason, from its refusal or its goodbye.
    let brokerCause = Mutex<MQTTDisconnection.Cause?>(nil)
    let lastErrorLine = Mutex<String?>(nil)
    private let outcome = Mutex<(cause: MQTTDisconnection.Cause?, waiter: CheckedContinuation<MQTTDisconnection.Cause, Never>?)>(
        (nil, nil))

    /// The library's client; opaque, and handled as the class comment says.
    struct SendableHandle: @unchecked Sendable { let pointer: OpaquePointer }

    init(number: Int, options: MQTTClientOptions, will: MQTTMessage?, events: MQTTEvents) {
        self.number = number
        self.options = options
        self.will = will
        self.events = events
    }

    /// Whether callbacks still count.
    var isMuted: Bool { wasAbandoned.load(ordering: .acquiring) }

    func start() {
        let thread = Thread { self.run() }
        thread.name = "mqtt-\(number)"
        thread.stackSize = 1 << 20
        thread.start()
    }

    /// Why the session ended; waits for that. One waiter.
    func ended() async -> MQTTDisconnection.Cause {
        await withCheckedContinuation { continuation in
            let known = outcome.withLock { outcome in
                if outcome.cause == nil { outcome.waiter = continuation }
                return outcome.cause
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    /// Ends waiting for the thread: from now on nothing comes from this session.
    func abandon(_ cause: MQTTDisconnection.Cause) {
        wasAbandoned.store(true, ordering: .releasing)
        mustEnd.store(true, ordering: .releasing)
        isConnected.store(false, ordering: .releasing)
        finish(cause)
    }

    /// Sends a goodbye if there is a connection, and ends.
    func requestDisconnect() {
        wasAsked.store(true, ordering: .releasing)
        handle.withLock { handle in
            if let handle, isConnected.load(ordering: .acquiring) {
                _ = mosquitto_disconnect_v5(handle.pointer, 0, nil)
            }
        }
        // With a goodbye under way the loop ends when it is written, and at the latest at the next turn without a connection.
        if !isConnected.load(ordering: .acquiring) { mustEnd.store(true, ordering: .releasing) }
    }

    /// Runs `body` with the client while it is connected.
    func whileConnected<T: Sendable>(_ body: (OpaquePointer) -> T) -> T? {
        handle.withLock { handle in
            guard let handle, isConnected.load(ordering: .acquiring) else { return nil }
            return body(handle.pointer)
        }
    }

    private func finish(_ cause: MQTTDisconnection.Cause) {
        let waiter = outcome.withLock { outcome -> CheckedContinuation<MQTTDisconnection.Cause, Never>? in
            guard outcome.cause == nil else { return nil }
            outcome.cause = cause
            defer { outcome.waiter = nil }
            return outcome.waiter
        }
        waiter?.resume(returning: cause)
    }

    private func run() {
        let box = Unmanaged.passRetained(self)
        defer { box.release() }
        guard let client = mosquitto_new(options.clientID, true, box.toOpaque()) else {
            return finish(.network("out of memory"))
        }
        var cause: MQTTDisconnection.Cause
        do {
            try configure(client)
            handle.withLock { $0 = SendableHandle(pointer: client) }
            cause = connectAndLoop(client)
        } catch {
            cause = error.cause
        }
        handle.withLock { $0 = nil }
        isConnected.store(false, ordering: .releasing)
        mosquitto_destroy(client)
        if wasAsked.load(ordering: .acquiring) { cause = .requested }
        finish(cause)
    }

    private struct Failure: Error { var cause: MQTTDisconnection.Cause }

    private func configure(_ client: OpaquePointer) throws(Failure) {
        func check(_ code: Int32, _ what: String) throws(Failure) {
            guard code == MOSQ_ERR_SUCCESS.rawValue else { throw Failure(cause: .credentials("\(what): \(Self.text(code))")) }
        }
        mosquitto_threaded_set(client, true)
        mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5)
        mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1)
        MosquittoCallbacks.install(on: client)
        let password: String?
        do { password = try options.password() } catch { throw Failure(cause: .credentials("password: \(error)")) }
        if let username = options.username { try check(mosquitto_username_pw_set(client, username, password), "user name") }
        if options.address.usesTLS {
            if options.caFile == nil { mosquitto_int_option(client, MOSQ_OPT_TLS_USE_OS_CERTS, 1) }
            if options.caFile != nil || options.certFile != nil {
                let code = mosquitto_tls_set(client, options.caFile, nil, options.certFile, options.keyFile, nil)
                guard code == MOSQ_ERR_SUCCESS.rawValue else {
                    throw Failure(cause: .tls("caFile, certFile or keyFile is not usable: \(Self.text(code))"))
                }
            }
        }
        if let will {
            // The library takes the list over when it accepts the will.
            var properties = MosquittoProperties(of: will).release()
            let code = will.payload.withUnsafeBytes {
                mosquitto_will_set_v5(
                    client, will.topic, Int32($0.count), $0.baseAddress, will.qos.rawValue, will.retain, properties)
            }
            if code != MOSQ_ERR_SUCCESS.rawValue { mosquitto_property_free_all(&properties) }
            try check(code, "last will")
        }
    }

    private func connectAndLoop(_ client: OpaquePointer) -> MQTTDisconnection.Cause {
        var properties = MosquittoProperties()
        properties.add(MQTT_PROP_MAXIMUM_PACKET_SIZE, options.maximumIncomingPacketBytes)
        let address = options.address
        let code = mosquitto_connect_bind_v5(
            client, address.host, Int32(address.port), options.keepAliveS, nil, properties.list)
        guard code == MOSQ_ERR_SUCCESS.rawValue else { return cause(ofCode: code) }
        while !mustEnd.load(ordering: .acquiring) {
            // 200 ms bound how long a request to end waits; publishing wakes the loop by itself.
            let code = mosquitto_loop(client, 200, 100)
            guard code == MOSQ_ERR_SUCCESS.rawValue else { return cause(ofCode: code) }
        }
        return .requested
    }

    private func cause(ofCode code: Int32) -> MQTTDisconnection.Cause {
        let number = errno
        if let told = brokerCause.withLock({ $0 }) { return told }
        let line = lastErrorLine.withLock { $0 }
        switch mosq_err_t(rawValue: code) {
        case MOSQ_ERR_TLS, MOSQ_ERR_TLS_HANDSHAKE, MOSQ_ERR_OCSP: return .tls(line ?? Self.text(code))
        case MOSQ_ERR_ERRNO: return .network("\(options.address): \(String(cString: strerror(number)))")
        case MOSQ_ERR_EAI: return .network("\(options.address): the host name is not known")
        default:
            // A failed handshake may surface as a lost connection; OpenSSL's line tells them apart.
            if options.address.usesTLS, let line { return .tls(line) }
            return .network("\(options.address): \(Self.text(code))")
        }
    }

    static func text(_ code: Int32) -> String { String(cString: mosquitto_strerror(code)) }
}
