import FleetModel

/// Numbers with a unit, as people write them in configuration and on the command line.
public enum Quantity {
    /// Seconds in `"3 s"`, `"250 ms"`, `"10 min"`, `"24h"`, `"7d"`; nil when the unit is missing or unknown, or the number negative.
    public static func seconds(_ text: String) -> Double? {
        guard let (number, unit) = split(text) else { return nil }
        let factors: [String: Double] = ["ms": 0.001, "s": 1, "min": 60, "m": 60, "h": 3600, "d": 86_400]
        return factors[unit].map { number * $0 }
    }

    /// The speed in `"50 km/h"`, `"30 mph"`, `"20 kn"`, `"5 m/s"`; nil when the unit is missing or unknown, or the number negative.
    public static func speed(_ text: String) -> Speed? {
        guard let (number, unit) = split(text), let unit = SpeedUnit(rawValue: unit) else { return nil }
        return Speed(number, unit)
    }

    /// Bytes in `"64 KiB"`, `"256 MiB"`, `"2 GiB"`, `"512 B"`; nil when the unit is missing or unknown, or the number negative.
    public static func bytes(_ text: String) -> Int64? {
        guard let (number, unit) = split(text) else { return nil }
        let factors: [String: Double] = ["B": 1, "KiB": 1024, "MiB": 1_048_576, "GiB": 1_073_741_824]
        return factors[unit].flatMap { Int64(exactly: (number * $0).rounded()) }
    }

    private static func split(_ text: String) -> (Double, String)? {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let number = Double(digits), number.isFinite, number >= 0 else { return nil }
        let unit = text[digits.endIndex...].drop { $0 == " " }
        return unit.isEmpty ? nil : (number, String(unit))
    }
}
