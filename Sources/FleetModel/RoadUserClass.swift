/// What kind of road user a detection is; the raw value is the word on the wire and in files.
public enum RoadUserClass: String, Codable, Hashable, Sendable, CaseIterable {
    case person, bicycle, motorcycle, car, bus, truck

    /// Car, bus or truck.
    public var isVehicle: Bool { self == .car || self == .bus || self == .truck }
    /// Bicycle or motorcycle, with or without its rider.
    public var isTwoWheeler: Bool { self == .bicycle || self == .motorcycle }
}
