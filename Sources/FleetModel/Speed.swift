/// The unit in which a road sign or a person states a speed.
public enum SpeedUnit: String, Codable, Hashable, Sendable, CaseIterable {
    case kilometresPerHour = "km/h"
    case milesPerHour = "mph"
    case knots = "kn"
    case metresPerSecond = "m/s"

    /// Metres per second in one of this unit: 1 km/h = 1/3.6 m/s, 1 mile = 1609.344 m, 1 nautical mile = 1852 m, all exact by definition.
    public var metresPerSecond: Double {
        switch self {
        case .kilometresPerHour: 1 / 3.6
        case .milesPerHour: 1609.344 / 3600
        case .knots: 1852.0 / 3600
        case .metresPerSecond: 1
        }
    }
}

/// A speed in the unit in which it was stated, e.g. the 50 km/h of a sign; on the wire `{"value":50,"unit":"km/h"}`.
public struct Speed: Codable, Hashable, Sendable {
    /// The number on the sign.
    public var value: Double
    /// The unit of the number.
    public var unit: SpeedUnit

    /// A speed of `value` in `unit`.
    public init(_ value: Double, _ unit: SpeedUnit) {
        self.value = value
        self.unit = unit
    }

    /// The same speed in metres per second.
    public var metresPerSecond: Double { value * unit.metresPerSecond }

    /// `mps` metres per second in this speed's unit.
    public static func value(ofMps mps: Double, in unit: SpeedUnit) -> Double { mps / unit.metresPerSecond }
}

extension Speed: CustomStringConvertible {
    /// `50 km/h`; a whole number is written without a point.
    public var description: String {
        (value == value.rounded() && abs(value) < 1e9 ? String(Int64(value)) : String(value)) + " " + unit.rawValue
    }
}
