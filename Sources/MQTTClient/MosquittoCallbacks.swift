import CMosquitto
import FleetRuntime
import FoundationEssentials

/// The library's callbacks: they run on the session's thread, copy what they are given and hand it on.
enum MosquittoCallbacks {
    static func install(on client: OpaquePointer) {
        mosquitto_log_callback_set(client, log)
        mosquitto_connect_v5_callback_set(client, connected)
        mosquitto_disconnect_v5_callback_set(client, disconnected)
        mosquitto_publish_v5_callback_set(client, published)
        mosquitto_subscribe_v5_callback_set(client, subscribed)
        mosquitto_message_v5_callback_set(client, message)
    }

    /// The session behind a callback's user data; nil once nobody listens to it.
    private static func session(_ userdata: UnsafeMutableRawPointer?) -> MosquittoSession? {
        guard let userdata else { return nil }
        let session = Unmanaged<MosquittoSession>.fromOpaque(userdata).takeUnretainedValue()
        return session.isMuted ? nil : session
    }

    private static let log: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?) -> Void = {
        _, userdata, level, text in
        guard level == MOSQ_LOG_ERR, let text, let session = session(userdata) else { return }
        let line = String(cString: text)
        // The first line of a failure names the cause, those after it only what follows from it.
        session.lastErrorLine.withLock { if $0 == nil { $0 = line } }
    }

    private static let connected: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int32, Int32, OpaquePointer?) -> Void =
        {
            _, userdata, code, _, properties in
            guard let session = session(userdata) else { return }
            let reason = MQTTReasonCode(code)
            guard reason == .success else {
                session.brokerCause.withLock { $0 = .refused(reason) }
                return
            }
            session.connectedAtS.withLock { $0 = MonotonicTime.now() }
            session.isConnected.store(true, ordering: .releasing)
            session.events.put(
                .connected(
                    MQTTConnection(
                        number: session.number,
                        maximumPacketSize: MosquittoPropertyReader.int32(properties, MQTT_PROP_MAXIMUM_PACKET_SIZE).map(Int.init),
                        receiveMaximum: MosquittoPropertyReader.int16(properties, MQTT_PROP_RECEIVE_MAXIMUM).map(Int.init) ?? 65_535
                    )))
        }

    private static let disconnected: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int32, OpaquePointer?) -> Void = {
        _, userdata, code, _ in
        guard let session = session(userdata) else { return }
        session.isConnected.store(false, ordering: .releasing)
        // Numbers below 0x80 are the library's own errors; its loop returns those too.
        if code >= 0x80 {
            session.brokerCause.withLock { if $0 == nil { $0 = .closed(MQTTReasonCode(code)) } }
        }
    }

    private static let published: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int32, Int32, OpaquePointer?) -> Void =
        {
            _, userdata, packet, code, _ in
            guard let session = session(userdata) else { return }
            session.events.put(.published(MQTTPacketID(connection: session.number, packet: packet), MQTTReasonCode(code)))
        }

    private static let subscribed:
        @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, Int32, Int32, UnsafePointer<Int32>?, OpaquePointer?) -> Void = {
            _, userdata, packet, count, codes, _ in
            guard let session = session(userdata) else { return }
            let answers = UnsafeBufferPointer(start: codes, count: codes == nil ? 0 : Int(max(0, count))).map { MQTTReasonCode($0) }
            session.events.put(.subscribed(MQTTPacketID(connection: session.number, packet: packet), answers))
        }

    private static let message:
        @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafePointer<mosquitto_message>?, OpaquePointer?) -> Void = {
            _, userdata, incoming, properties in
            guard let session = session(userdata), let incoming = incoming?.pointee, let topic = incoming.topic else { return }
            let payload = incoming.payload.map { Data(bytes: $0, count: Int(max(0, incoming.payloadlen))) } ?? Data()
            session.events.putWhenRoom(
                .message(
                    MQTTMessage(
                        topic: String(cString: topic), payload: payload, qos: incoming.qos == 0 ? .atMostOnce : .atLeastOnce,
                        retain: incoming.retain, contentType: MosquittoPropertyReader.string(properties, MQTT_PROP_CONTENT_TYPE),
                        expiryS: MosquittoPropertyReader.int32(properties, MQTT_PROP_MESSAGE_EXPIRY_INTERVAL),
                        userProperties: MosquittoPropertyReader.userProperties(properties))))
        }
}
