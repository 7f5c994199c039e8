import CMosquitto

/// What a call to the MQTT library failed at.
public enum MQTTError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no connection; nothing was queued.
    case notConnected
    /// The message is larger than the broker takes; nothing was queued.
    case tooLarge
    /// The library's own error code and its words.
    case library(code: Int32, operation: String)

    /// One line.
    public var description: String {
        switch self {
        case .notConnected: "not connected"
        case .tooLarge: "the message is larger than the broker takes"
        case .library(let code, let operation): "\(operation): \(String(cString: mosquitto_strerror(code)))"
        }
    }

    /// Throws unless `code` is success.
    static func check(_ code: mosq_err_t, _ operation: String) throws(MQTTError) { try check(Int32(code.rawValue), operation) }

    /// Throws unless `code` is success.
    static func check(_ code: Int32, _ operation: String) throws(MQTTError) {
        switch code {
        case Int32(MOSQ_ERR_SUCCESS.rawValue): return
        case Int32(MOSQ_ERR_NO_CONN.rawValue): throw .notConnected
        case Int32(MOSQ_ERR_OVERSIZE_PACKET.rawValue), Int32(MOSQ_ERR_PAYLOAD_SIZE.rawValue): throw .tooLarge
        default: throw .library(code: code, operation: operation)
        }
    }
}
