/// A reason code of MQTT 5 (section 2.4); 0x80 and above are failures.
public struct MQTTReasonCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The number on the wire.
    public var rawValue: UInt8
    /// The number on the wire.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ number: Int32) { rawValue = UInt8(truncatingIfNeeded: number) }

    /// Whether it is a failure.
    public var isFailure: Bool { rawValue >= 0x80 }

    /// Done, or goodbye.
    public static let success = MQTTReasonCode(rawValue: 0x00)
    /// Done, and nobody has subscribed.
    public static let noMatchingSubscribers = MQTTReasonCode(rawValue: 0x10)
    /// No reason told.
    public static let unspecified = MQTTReasonCode(rawValue: 0x80)
    /// User name or password is wrong.
    public static let badUserNameOrPassword = MQTTReasonCode(rawValue: 0x86)
    /// Not allowed for this client.
    public static let notAuthorized = MQTTReasonCode(rawValue: 0x87)
    /// The broker ends.
    public static let serverShuttingDown = MQTTReasonCode(rawValue: 0x8B)
    /// The broker heard nothing for too long.
    public static let keepAliveTimeout = MQTTReasonCode(rawValue: 0x8D)
    /// Another client connected with the same client id.
    public static let sessionTakenOver = MQTTReasonCode(rawValue: 0x8E)
    /// Larger than the broker's limit.
    public static let packetTooLarge = MQTTReasonCode(rawValue: 0x95)
    /// A limit of the broker is reached.
    public static let quotaExceeded = MQTTReasonCode(rawValue: 0x97)

    private static let names: [UInt8: String] = [
        0x00: "success", 0x01: "granted QoS 1", 0x02: "granted QoS 2", 0x04: "disconnect with will",
        0x10: "no matching subscribers",
        0x11: "no subscription existed", 0x80: "unspecified error", 0x81: "malformed packet", 0x82: "protocol error",
        0x83: "implementation specific error", 0x84: "unsupported protocol version", 0x85: "client identifier not valid",
        0x86: "bad user name or password", 0x87: "not authorized", 0x88: "server unavailable", 0x89: "server busy", 0x8A: "banned",
        0x8B: "server shutting down", 0x8C: "bad authentication method", 0x8D: "keep alive timeout", 0x8E: "session taken over",
        0x8F: "topic filter invalid", 0x90: "topic name invalid", 0x91: "packet identifier in use",
        0x92: "packet identifier not found", 0x93: "receive maximum exceeded", 0x94: "topic alias invalid",
        0x95: "packet too large",
        0x96: "message rate too high", 0x97: "quota exceeded", 0x98: "administrative action", 0x99: "payload format invalid",
        0x9A: "retain not supported", 0x9B: "QoS not supported", 0x9C: "use another server", 0x9D: "server moved",
        0x9E: "shared subscriptions not supported", 0x9F: "connection rate exceeded", 0xA0: "maximum connect time",
        0xA1: "subscription identifiers not supported", 0xA2: "wildcard subscriptions not supported",
    ]

    /// The specification's name and the number, e.g. `not authorized (0x87)`.
    public var description: String {
        let digits = String(rawValue, radix: 16, uppercase: true)
        return (Self.names[rawValue] ?? "unknown reason") + " (0x" + (digits.utf8.count < 2 ? "0" : "") + digits + ")"
    }
}
