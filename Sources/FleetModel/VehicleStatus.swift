/// Whether a vehicle is connected: retained, last will and clean goodbye alike.
public struct VehicleStatus: Hashable, Sendable {
    /// Value of `schema` that this code reads and writes.
    public static let schema = "fleet.status/1"

    /// Connected or not.
    public enum State: String, Codable, Hashable, Sendable { case online, offline }
    /// Why a vehicle is offline.
    public enum Reason: String, Codable, Hashable, Sendable {
        /// The agent said goodbye.
        case stopped
        /// The broker lost it (last will).
        case lost
    }

    /// What `session` may be. A vehicle that connects every second needs 31,000 years to the upper end, and one above still fits
    /// every number type that it travels through.
    public static let sessionRange: ClosedRange<Int64> = 0...1_000_000_000_000

    /// Whose status it is.
    public var identity: VehicleIdentity
    /// Connected or not.
    public var state: State
    /// Why not; nil while online.
    public var reason: Reason?
    /// The boot of the vehicle computer.
    public var boot: String
    /// Stored counter of the vehicle's connections: a lower one is older, whatever its arrival.
    public var session: Int64
    /// When the connection was made.
    public var connectedAt: Timestamp

    /// All members.
    public init(identity: VehicleIdentity, state: State, reason: Reason?, boot: String, session: Int64, connectedAt: Timestamp) {
        self.identity = identity
        self.state = state
        self.reason = reason
        self.boot = boot
        self.session = session
        self.connectedAt = connectedAt
    }
}

extension VehicleStatus: Codable {
    private enum Key: String, CodingKey { case schema, fleet, vehicle, state, reason, boot, session, connectedAt }

    public init(from decoder: any Decoder) throws {
        let c = try decoder.container(keyedBy: Key.self)
        try c.requireSchema(Self.schema, forKey: .schema)
        identity = try c.decodeIdentity(fleet: .fleet, vehicle: .vehicle)
        state = try c.decode(State.self, forKey: .state)
        reason = try c.decodeIfPresent(Reason.self, forKey: .reason)
        boot = try c.decode(String.self, forKey: .boot)
        session = try c.decode(Int64.self, forKey: .session)
        connectedAt = try c.decode(Timestamp.self, forKey: .connectedAt)
        guard boot.isShortPlainText(64) else {
            throw DecodingError.dataCorruptedError(forKey: .boot, in: c, debugDescription: "not a short text")
        }
        guard Self.sessionRange.contains(session) else {
            throw DecodingError.dataCorruptedError(
                forKey: .session, in: c, debugDescription: "not 0...\(Self.sessionRange.upperBound)")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var c = encoder.container(keyedBy: Key.self)
        try c.encode(Self.schema, forKey: .schema)
        try c.encode(identity.fleet, forKey: .fleet)
        try c.encode(identity.vehicle, forKey: .vehicle)
        try c.encode(state, forKey: .state)
        try c.encode(reason, forKey: .reason)
        try c.encode(boot, forKey: .boot)
        try c.encode(session, forKey: .session)
        try c.encode(connectedAt, forKey: .connectedAt)
    }
}
