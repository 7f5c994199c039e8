import CMosquitto

/// What a call to the MQTT library failed at.
public enum MQTTError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no connection; nothing was queued.
    case notConnected
    /// The message is larger than the broker takes; nothing was queued.
    case tooLarge
    /// The library's own error code, and what failed in its or the system's words.
    case library(code: Int32, words: String)

    /// One line.
    public var description: String {
        switch self {
        case .notConnected: "not connected"
        case .tooLarge: "the message is larger than the broker takes"
        case .library(_, let words): words
        }
    }

    /// Whether the message itself is at fault, so that no other connection would carry it either.
    public var blamesMessage: Bool {
        guard case .library(let code, _) = self else { return false }
        return [MOSQ_ERR_INVAL, MOSQ_ERR_MALFORMED_UTF8, MOSQ_ERR_MALFORMED_PACKET].contains { Int32($0.rawValue) == code }
    }

    /// The library's words for its error `code`, without the full stop that it ends them with.
    static func libraryWords(_ code: Int32) -> String {
        let words = String(cString: mosquitto_strerror(code))
        return words.hasSuffix(".") ? String(words.dropLast()) : words
    }

    /// Throws unless `code` is success.
    static func check(_ code: mosq_err_t, _ operation: String) throws(MQTTError) { try check(Int32(code.rawValue), operation) }

    /// Throws unless `code` is success.
    static func check(_ code: Int32, _ operation: String) throws(MQTTError) {
        switch code {
        case Int32(MOSQ_ERR_SUCCESS.rawValue): return
        case Int32(MOSQ_ERR_NO_CONN.rawValue): throw .notConnected
        case Int32(MOSQ_ERR_OVERSIZE_PACKET.rawValue), Int32(MOSQ_ERR_PAYLOAD_SIZE.rawValue): throw .tooLarge
        case Int32(MOSQ_ERR_EAI.rawValue): throw .library(code: code, words: "\(operation): the host name is not known")
        // The words of a system error depend on errno, which the next call may change.
        default: throw .library(code: code, words: "\(operation): \(libraryWords(code))")
        }
    }
}
