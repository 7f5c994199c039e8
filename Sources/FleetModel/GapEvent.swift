/// Tells that the outbox rows `fromSeq`...`toSeq` were dropped; travels on the alert topic.
public struct GapEvent: Hashable, Sendable {
    /// Value of `schema` that this code reads and writes.
    public static let schema = "fleet.gap/1"

    /// Why rows were dropped.
    public enum Reason: String, Codable, Hashable, Sendable {
        case outboxFull = "outbox_full"
        case diskFull = "disk_full"
        case corrupted, expired
        /// The broker or the server will not take them; they are kept in the vehicle.
        case rejected
    }

    /// Whose rows they were.
    public var identity: VehicleIdentity
    /// First dropped sequence number.
    public var fromSeq: Int64
    /// Last dropped sequence number.
    public var toSeq: Int64
    /// Why.
    public var reason: Reason
    /// Names the event in its receipt.
    public var id: AlertID
    /// When it was noticed.
    public var at: Timestamp

    /// All members.
    public init(identity: VehicleIdentity, id: AlertID, fromSeq: Int64, toSeq: Int64, reason: Reason, at: Timestamp) {
        self.identity = identity
        self.id = id
        self.fromSeq = fromSeq
        self.toSeq = toSeq
        self.reason = reason
        self.at = at
    }
}

extension GapEvent: Codable {
    private enum Key: String, CodingKey { case schema, id, fleet, vehicle, fromSeq, toSeq, reason, at }

    public init(from decoder: any Decoder) throws {
        let c = try decoder.container(keyedBy: Key.self)
        try c.requireSchema(Self.schema, forKey: .schema)
        identity = try c.decodeIdentity(fleet: .fleet, vehicle: .vehicle)
        id = try c.decode(AlertID.self, forKey: .id)
        fromSeq = try c.decode(Int64.self, forKey: .fromSeq)
        toSeq = try c.decode(Int64.self, forKey: .toSeq)
        reason = try c.decode(Reason.self, forKey: .reason)
        at = try c.decode(Timestamp.self, forKey: .at)
        guard SequenceNumber.range.contains(fromSeq), SequenceNumber.range.contains(toSeq) else {
            throw DecodingError.dataCorruptedError(
                forKey: .toSeq, in: c, debugDescription: "fromSeq and toSeq are not 0...\(SequenceNumber.range.upperBound)")
        }
        guard toSeq >= fromSeq else {
            throw DecodingError.dataCorruptedError(forKey: .toSeq, in: c, debugDescription: "toSeq is before fromSeq")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var c = encoder.container(keyedBy: Key.self)
        try c.encode(Self.schema, forKey: .schema)
        try c.encode(id, forKey: .id)
        try c.encode(identity.fleet, forKey: .fleet)
        try c.encode(identity.vehicle, forKey: .vehicle)
        try c.encode(fromSeq, forKey: .fromSeq)
        try c.encode(toSeq, forKey: .toSeq)
        try c.encode(reason, forKey: .reason)
        try c.encode(at, forKey: .at)
    }
}
