/// Which vehicle of which fleet: the first two parts of every key and topic.
public struct VehicleIdentity: Codable, Hashable, Sendable, Comparable {
    /// Fleet name, `[A-Za-z0-9_-]{1,64}`.
    public let fleet: String
    /// Vehicle name within the fleet, `[A-Za-z0-9_-]{1,64}`.
    public let vehicle: String

    /// Nil when either name is not `[A-Za-z0-9_-]{1,64}`.
    public init?(fleet: String, vehicle: String) {
        guard Self.isValid(fleet), Self.isValid(vehicle) else { return nil }
        self.fleet = fleet
        self.vehicle = vehicle
    }

    /// Whether `name` may stand in a topic: `[A-Za-z0-9_-]{1,64}`.
    public static func isValid(_ name: String) -> Bool {
        let bytes = name.utf8
        return (1...64).contains(bytes.count)
            && bytes.allSatisfy {
                (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 95 || $0 == 45
            }
    }

    public static func < (a: VehicleIdentity, b: VehicleIdentity) -> Bool { (a.fleet, a.vehicle) < (b.fleet, b.vehicle) }
}

extension VehicleIdentity {
    /// Fails when either name is not `[A-Za-z0-9_-]{1,64}`.
    public init(from decoder: any Decoder) throws {
        let c = try decoder.container(keyedBy: CodingKeys.self)
        self = try c.decodeIdentity(fleet: .fleet, vehicle: .vehicle)
    }
}

extension VehicleIdentity: CustomStringConvertible {
    /// `fleet/vehicle`, also the vehicle's MQTT user name and certificate CN.
    public var description: String { fleet + "/" + vehicle }
}
