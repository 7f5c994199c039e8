/// Why the other side accepted, refused or ended something (MQTT 5, section 2.4). 0x80 and above is a failure.
public struct MQTTReasonCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The byte on the wire.
    public var rawValue: Int32
    /// The byte on the wire.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// Accepted.
    public static let success = MQTTReasonCode(rawValue: 0x00)
    /// Accepted, though nobody is subscribed.
    public static let noMatchingSubscribers = MQTTReasonCode(rawValue: 0x10)
    /// User name or password is wrong.
    public static let badUserNameOrPassword = MQTTReasonCode(rawValue: 0x86)
    /// The ACL forbids it.
    public static let notAuthorised = MQTTReasonCode(rawValue: 0x87)
    /// Another client took this client id.
    public static let sessionTakenOver = MQTTReasonCode(rawValue: 0x8E)
    /// Larger than the broker takes.
    public static let packetTooLarge = MQTTReasonCode(rawValue: 0x95)
    /// A limit of the broker is reached.
    public static let quotaExceeded = MQTTReasonCode(rawValue: 0x97)

    /// Whether it is a refusal.
    public var isFailure: Bool { rawValue >= 0x80 }

    /// Whether the message itself is at fault, so that sending it again changes nothing: malformed, protocol error, topic, size, format. All
    /// other refusals are a matter of the broker's configuration or load.
    public var blamesMessage: Bool { [0x81, 0x82, 0x90, 0x95, 0x99].contains(rawValue) }

    /// Whether the broker has had enough for a while: busy, receive maximum, message rate, quota, connection rate.
    public var asksForPatience: Bool { [0x89, 0x93, 0x96, 0x97, 0x9F].contains(rawValue) }

    /// In words, with the number.
    public var description: String {
        let name: String =
            switch rawValue {
            case 0x00: "success"
            case 0x04: "disconnected with will"
            case 0x10: "no matching subscribers"
            case 0x80: "unspecified error"
            case 0x81: "malformed packet"
            case 0x82: "protocol error"
            case 0x84: "protocol version not supported"
            case 0x85: "client id not valid"
            case 0x86: "bad user name or password"
            case 0x87: "not authorised"
            case 0x88: "server unavailable"
            case 0x89: "server busy"
            case 0x8A: "banned"
            case 0x8B: "server shutting down"
            case 0x8D: "keep alive timeout"
            case 0x8E: "session taken over by another client with the same id"
            case 0x90: "topic name not valid"
            case 0x93: "more in flight than agreed"
            case 0x95: "packet too large"
            case 0x96: "message rate too high"
            case 0x97: "quota exceeded"
            case 0x99: "payload format not valid"
            case 0x98: "administrative action"
            case 0x9A: "retain not supported"
            case 0x9F: "connection rate exceeded"
            default: "reason"
            }
        return name + " (0x" + String(rawValue, radix: 16, uppercase: true) + ")"
    }
}
