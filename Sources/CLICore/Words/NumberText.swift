import FleetModel

/// Numbers as a person reads them.
enum NumberText {
    /// `value` with exactly `places` decimals, half away from zero.
    static func decimal(_ value: Double, _ places: Int) -> String {
        let rounded = value.rounded(toPlaces: places)
        guard rounded.isFinite, abs(rounded) < 1e12 else { return String(value) }
        var factor: Int64 = 1
        for _ in 0..<places { factor *= 10 }
        let scaled = Int64((abs(rounded) * Double(factor)).rounded())
        let sign = rounded < 0 ? "-" : ""
        guard places > 0 else { return sign + String(scaled) }
        let fraction = String(scaled % factor)
        return sign + String(scaled / factor) + "." + String(repeating: "0", count: places - fraction.count) + fraction
    }

    /// `1234567` bytes as `1.2 MiB`.
    static func bytes(_ count: Int64) -> String {
        let units = ["B", "KiB", "MiB", "GiB"]
        var value = Double(count)
        var unit = 0
        while value >= 1024, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        return (unit == 0 ? String(count) : decimal(value, 1)) + " " + units[unit]
    }
}

/// Speeds in the unit that the reader chose; everything inside is metres per second.
struct SpeedText: Sendable {
    /// The reader's unit.
    var unit: SpeedUnit

    /// `63`: for tables.
    func whole(_ mps: Double) -> String { NumberText.decimal(Speed.value(ofMps: mps, in: unit), 0) }
    /// `63 km/h`.
    func text(_ mps: Double) -> String { whole(mps) + " " + unit.rawValue }
    /// `62.9 km/h`.
    func precise(_ mps: Double) -> String { NumberText.decimal(Speed.value(ofMps: mps, in: unit), 1) + " " + unit.rawValue }

    /// A limit as on its sign, and in the reader's unit where that is another: `50 km/h`, `50 km/h (31 mph)`.
    func limit(_ limit: Speed) -> String {
        limit.unit == unit ? limit.description : "\(limit) (\(text(limit.metresPerSecond)))"
    }
}
