import FleetModel

/// What a sign says, as the reader sees it.
public enum SignKind: String, Codable, Hashable, Sendable, CaseIterable {
    /// A speed limit begins.
    case speedLimit = "speed_limit"
    /// A limit, or all of them, end.
    case endOfLimit = "end_of_limit"
    /// No speed limit: another sign, or no sign at all.
    case other
}

/// The build of a limit sign. A round sign does not tell its unit; the country does.
public enum SignShape: String, Codable, Hashable, Sendable, CaseIterable {
    /// Round with a red ring, as in Europe, Asia and most of the world; also its lamp variant.
    case round
    /// A plate with SPEED LIMIT, in miles per hour.
    case plateMph = "plate-mph"
    /// A plate with MAXIMUM, in kilometres per hour.
    case plateKmh = "plate-kmh"
}

/// One sign as it was read from a crop.
public struct SignReading: Hashable, Sendable {
    /// What it says.
    public let kind: SignKind
    /// The number on it; nil on signs without one and where an end sign's number is not readable.
    public let value: Int?
    /// How a limit sign is built; nil for the other kinds.
    public let shape: SignShape?
    /// Calibrated probability that kind and value are right, 0...1.
    public let score: Double

    /// A reading; limits have a value and a shape.
    public init(kind: SignKind, value: Int? = nil, shape: SignShape? = nil, score: Double) {
        self.kind = kind
        self.value = value
        self.shape = shape
        self.score = score
    }

    /// Unit of the value: miles per hour on a mph plate; kilometres per hour otherwise, unless the country uses `roundUnit` on round signs.
    public func unit(onRoundSigns roundUnit: SpeedUnit = .kilometresPerHour) -> SpeedUnit? {
        guard value != nil else { return nil }
        return switch shape {
        case .plateMph: .milesPerHour
        case .plateKmh: .kilometresPerHour
        case .round, nil: roundUnit
        }
    }
}
