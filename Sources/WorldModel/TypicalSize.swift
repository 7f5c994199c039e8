import FleetModel

/// How large road users of a class are: the ruler where the camera gives no metres.
struct TypicalSize: Hashable, Sendable {
    /// Across the direction of view from behind, in m.
    var widthM: Double
    /// In m.
    var heightM: Double
    /// Relative spread of the dimension that is used for distance (width of vehicles, height of the others).
    var spread: Double

    /// Passenger cars in Europe are 1.65 to 1.95 m wide (mirrors not counted), trucks and buses up to the legal 2.55 m; adults are
    /// 1.5 to 1.9 m tall; a cycle with its rider is about as tall as a person.
    static func of(_ roadUser: RoadUserClass) -> TypicalSize {
        switch roadUser {
        case .car: TypicalSize(widthM: 1.8, heightM: 1.5, spread: 0.12)
        case .truck, .bus: TypicalSize(widthM: 2.45, heightM: 2.8, spread: 0.15)
        case .person: TypicalSize(widthM: 0.55, heightM: 1.7, spread: 0.12)
        case .bicycle, .motorcycle: TypicalSize(widthM: 0.75, heightM: 1.6, spread: 0.2)
        }
    }
}
