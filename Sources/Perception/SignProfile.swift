import FleetModel

/// How a country builds its speed signs: what to look for, and the unit of a round sign, which does not tell it.
public struct SignProfile: Hashable, Sendable {
    /// Whether limits stand on round signs with a red ring.
    public var hasRoundSigns: Bool
    /// Whether limits stand on plates.
    public var hasPlates: Bool
    /// Unit of the number on a round sign.
    public var roundUnit: SpeedUnit
    /// Unit of the numbers on plates, which tell it by their words; nil where either may stand.
    public var plateUnit: SpeedUnit?

    /// All members.
    public init(hasRoundSigns: Bool, hasPlates: Bool, roundUnit: SpeedUnit, plateUnit: SpeedUnit? = nil) {
        self.hasRoundSigns = hasRoundSigns
        self.hasPlates = hasPlates
        self.roundUnit = roundUnit
        self.plateUnit = plateUnit
    }

    /// Where the country is not known: both shapes, and kilometres per hour on round signs.
    public static let anywhere = SignProfile(hasRoundSigns: true, hasPlates: true, roundUnit: .kilometresPerHour)

    /// Speed plates instead of round signs (US MUTCD R2-1, Canada's MUTCDC Rb-1 and what follows them).
    private static let plateCountries: Set<String> = ["AS", "CA", "GU", "MP", "PR", "US", "VI"]
    /// Round signs in miles per hour (United Kingdom's TSRGD diagram 670 and what follows it).
    private static let roundMphCountries: Set<String> = [
        "AG", "AI", "BS", "BZ", "DM", "FK", "GB", "GD", "GG", "IM", "JE", "KN", "KY", "LC", "MS", "SH", "TC", "VC", "VG", "WS",
    ]

    /// The profile of a country by its ISO 3166-1 code of two letters; nil when that is no code.
    public init?(country: String) {
        let code = country.uppercased()
        guard code.utf8.count == 2, code.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else {
            return nil
        }
        let hasPlates = Self.plateCountries.contains(code)
        self.init(
            hasRoundSigns: !hasPlates, hasPlates: hasPlates,
            roundUnit: Self.roundMphCountries.contains(code) ? .milesPerHour : .kilometresPerHour,
            plateUnit: hasPlates ? (code == "CA" ? .kilometresPerHour : .milesPerHour) : nil)
    }

    /// Whether a sign of `shape` can stand in the country; end signs have no shape.
    func allows(_ shape: SignShape?) -> Bool {
        switch shape {
        case .round: hasRoundSigns
        case .plateMph: hasPlates && plateUnit != .kilometresPerHour
        case .plateKmh: hasPlates && plateUnit != .milesPerHour
        case nil: true
        }
    }
}
