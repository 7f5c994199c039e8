import FleetModel

/// The limits that the law of a country gives to a kind of road, for passenger cars: what `DE:urban` and the like stand for.
///
/// After the tables of the OpenStreetMap wiki (Default speed limits; Key:maxspeed, implicit values), as of 2025. Where a country's number
/// depends on the region, the time or the kind of lane, there is none here, and the limit is unknown.
public enum ImplicitLimits {
    /// What the value `country:kind` states, also `country:zone30`, `country:30` and `zone30`; nil when `text` is no such value.
    static func parse(_ text: String) -> StatedLimit? {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return zone(text.lowercased(), unit: .kilometresPerHour) }
        let country = parts[0].uppercased()
        guard isCountry(country) else { return nil }
        let nation = country.prefix(2) == "UK" ? "GB" : String(country.prefix(2))
        let unit: SpeedUnit = nation == "GB" || nation == "US" ? .milesPerHour : .kilometresPerHour
        let kind = parts[1].lowercased()
        if let zone = zone(kind, unit: unit) { return zone }
        switch kind {
        case "sign", "signed", "signposted", "markings": return .unknown(.numberMissing)
        case "signals", "variable": return .unknown(.variable)
        case "walk": return .speed(MaxspeedValue.walkingPace)
        default: break
        }
        if let number = table[country]?[kind] ?? (country == nation ? nil : table[nation]?[kind]) {
            return number == unlimited ? .unlimited : .speed(Speed(number, unit))
        }
        return kinds.contains(kind) ? .unknown(.noTable(text)) : nil
    }

    /// `zone30`, `zone:30`, `zone_30` or a bare `30`.
    private static func zone(_ kind: String, unit: SpeedUnit) -> StatedLimit? {
        let rest = kind.hasPrefix("zone") ? kind.dropFirst(4).drop { $0 == ":" || $0 == "_" || $0 == " " } : kind[...]
        guard rest.first?.isNumber == true, let speed = MaxspeedValue.speed(rest) else { return nil }
        // A zone's number is in its country's unit unless it states its own.
        return .speed(rest.allSatisfy { $0.isNumber || $0 == "." } ? Speed(speed.value, unit) : speed)
    }

    /// `DE`, or a region of a country, `BE-VLG`.
    private static func isCountry(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let nation = parts.first, nation.count == 2, parts.count <= 2 else { return false }
        let isRegion = parts.dropFirst().allSatisfy {
            (1...3).contains($0.count) && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
        return nation.allSatisfy { $0.isASCII && $0.isLetter } && isRegion
    }

    private static let kinds: Set<String> = [
        "urban", "rural", "motorway", "trunk", "expressway", "living_street", "bicycle_road", "cyclestreet", "nsl_single",
        "nsl_dual",
        "nsl_restricted", "nsl", "national", "school", "urban_primary", "urban_secondary", "city", "town", "residential",
        "motorroad",
    ]
    private static let unlimited = Double.infinity
    private static let walk = MaxspeedValue.walkingPace.value

    /// Numbers in km/h; in mph for GB.
    private static let table: [String: [String: Double]] = [
        "AD": ["urban": 50, "rural": 90],
        "AL": ["urban": 40, "rural": 80, "trunk": 90, "motorway": 110],
        "AR": ["urban": 40, "urban_primary": 60, "urban_secondary": 60, "rural": 110, "trunk": 120, "motorway": 130],
        "AT": ["urban": 50, "rural": 100, "trunk": 100, "motorway": 130, "living_street": walk, "bicycle_road": 30],
        "AU": ["urban": 50, "rural": 100],
        "BA": ["urban": 50, "rural": 80, "trunk": 100, "motorway": 130],
        "BE": ["urban": 50, "trunk": 120, "motorway": 120, "living_street": 20, "cyclestreet": 30, "school": 30],
        "BE-BRU": ["urban": 30, "rural": 70, "motorway": 120],
        "BE-VLG": ["urban": 50, "rural": 70, "trunk": 120, "motorway": 120],
        "BE-WAL": ["urban": 50, "rural": 90, "trunk": 120, "motorway": 120],
        "BG": ["urban": 50, "rural": 90, "trunk": 120, "motorway": 140, "living_street": 20],
        "BY": ["urban": 60, "rural": 90, "motorway": 110, "living_street": 20],
        "CH": ["urban": 50, "rural": 80, "trunk": 100, "motorway": 120, "living_street": 20],
        "CY": ["urban": 50, "rural": 80, "motorway": 100],
        "CZ": ["urban": 50, "rural": 90, "trunk": 110, "motorway": 130, "living_street": 20],
        "DE": [
            "urban": 50, "rural": 100, "motorway": unlimited, "living_street": walk, "bicycle_road": 30,
        ],
        "DK": ["urban": 50, "rural": 80, "motorway": 130],
        "EE": ["urban": 50, "rural": 90, "living_street": 20],
        "ES": ["urban": 50, "rural": 90, "trunk": 90, "motorway": 120, "living_street": 20],
        "FI": ["urban": 50, "rural": 80, "motorway": 120, "living_street": 20],
        "FR": ["urban": 50, "rural": 80, "trunk": 110, "motorway": 130, "living_street": 20],
        "GB": [
            "nsl_restricted": 30, "nsl_single": 60, "nsl_dual": 70, "urban": 30, "rural": 60, "motorway": 70,
        ],
        "GB-WLS": ["nsl_restricted": 20, "urban": 20],
        "GE": ["urban": 60, "rural": 90, "motorway": 110],
        "GR": ["urban": 50, "rural": 90, "trunk": 110, "motorway": 130],
        "HR": ["urban": 50, "rural": 90, "trunk": 110, "motorway": 130],
        "HU": ["urban": 50, "rural": 90, "trunk": 110, "motorway": 130, "living_street": 20],
        "IE": ["urban": 50, "national": 100, "motorway": 120],
        "IS": ["urban": 50, "living_street": 15],
        "IT": ["urban": 50, "rural": 90, "trunk": 110, "motorway": 130],
        "JP": ["motorway": 100, "national": 60],
        "KZ": ["urban": 60, "motorway": 140, "living_street": 20],
        "LI": ["urban": 50, "rural": 80],
        "LT": ["urban": 50, "rural": 90, "trunk": 120, "motorway": 130, "living_street": 20],
        "LU": ["urban": 50, "rural": 90, "motorway": 130, "living_street": 20],
        "LV": ["urban": 50, "rural": 90, "living_street": 20],
        "MC": ["urban": 50],
        "MD": ["urban": 50, "rural": 90, "trunk": 110, "motorway": 110, "living_street": 20],
        "ME": ["urban": 50, "rural": 80, "trunk": 100, "motorway": 130],
        "MK": ["urban": 50, "rural": 80, "trunk": 100, "motorway": 130],
        "MT": ["urban": 50, "rural": 80],
        "NL": ["urban": 50, "rural": 80, "trunk": 100, "living_street": 15],
        "NO": ["urban": 50, "rural": 80, "living_street": walk],
        "NZ": ["urban": 50, "rural": 100, "motorway": 100],
        "PL": ["urban": 50, "rural": 90, "trunk": 100, "motorway": 140, "living_street": 20],
        "PT": ["urban": 50, "rural": 90, "trunk": 100, "motorway": 120, "living_street": 20],
        "RO": ["urban": 50, "rural": 90, "trunk": 100, "motorway": 130, "living_street": 20],
        "RS": ["urban": 50, "rural": 80, "trunk": 100, "motorway": 130, "living_street": 10],
        "RU": ["urban": 60, "rural": 90, "motorway": 110, "living_street": 20],
        "SE": ["urban": 50, "rural": 70, "motorway": 110, "living_street": walk],
        "SI": ["urban": 50, "rural": 90, "trunk": 110, "motorway": 130, "living_street": 10],
        "SK": ["urban": 50, "rural": 90, "motorway": 130, "living_street": 20],
        "TR": ["urban": 50, "rural": 90, "trunk": 110, "motorway": 130, "living_street": 20],
        "UA": ["urban": 50, "rural": 90, "trunk": 110, "motorway": 130, "living_street": 20],
        "UZ": ["urban": 60, "rural": 100, "living_street": 20],
        "XK": ["urban": 50, "rural": 80, "trunk": 110, "motorway": 130],
        "ZA": ["urban": 60, "rural": 100, "motorway": 120],
    ]
}
