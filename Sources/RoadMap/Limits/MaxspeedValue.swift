import FleetModel

/// Reads the value of a `maxspeed` tag of OpenStreetMap, in every spelling of the wiki's page Key:maxspeed and those met in the data.
public enum MaxspeedValue {
    /// Walking pace, for `walk`: the upper end of what German courts take it for (4 to 7 km/h), so that nobody is wrongly told.
    public static let walkingPace = Speed(7, .kilometresPerHour)
    /// Longest value that is looked at; OpenStreetMap's own bound is 255 characters.
    static let maximumLength = 255
    /// What a limit of a road can be, m/s: 3 km/h to 160 km/h and a little.
    private static let plausibleMps = 0.8...45.0

    /// What `text` states. A bare number is km/h.
    public static func parse(_ text: String) -> StatedLimit {
        let value = trimmed(text)
        guard !value.isEmpty else { return .unknown(.untagged) }
        guard value.utf8.count <= maximumLength else { return .unknown(.notUnderstood(String(value.prefix(20)) + "...")) }
        if let speed = speed(value) { return .speed(speed) }
        switch value.lowercased() {
        case "none", "no", "unlimited", "no_limit": return .unlimited
        case "walk", "walking", "walking_pace", "schritttempo": return .speed(walkingPace)
        case "signals", "variable", "dynamic", "vms": return .unknown(.variable)
        case "sign", "signed", "signposted", "posted", "markings", "marking": return .unknown(.numberMissing)
        case "implicit", "default", "unknown", "unposted", "unsigned", "fixme", "undefined": return .unknown(.untagged)
        default: break
        }
        if let limit = ImplicitLimits.parse(value) { return limit }
        // One number several times is that number; several numbers leave open which of them applies.
        let parts = value.split(whereSeparator: { ";/|".contains($0) }).map { trimmed($0) }
        if parts.count > 1, parts.allSatisfy({ speed($0) != nil }) {
            let speeds = Set(parts.compactMap { speed($0) })
            return speeds.count == 1 ? .speed(speeds.first ?? walkingPace) : .unknown(.severalValues(value))
        }
        return .unknown(.notUnderstood(value))
    }

    /// The limits of the lanes of `120|120|60`; nil for a lane without one.
    static func lanes(_ text: String) -> [StatedLimit?] {
        guard text.utf8.count <= maximumLength else { return [] }
        return text.split(separator: "|", omittingEmptySubsequences: false).map { $0.isEmpty ? nil : parse(String($0)) }
    }

    /// A number with or without a unit; nil for anything else, and for numbers that no road has.
    static func speed(_ text: some StringProtocol) -> Speed? {
        var digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
        let rest = text[digits.endIndex...].drop { $0 == " " || $0 == "\u{A0}" }
        if digits.last == "." || digits.last == "," { digits = digits.dropLast() }
        guard let number = Double(String(digits.map { $0 == "," ? "." : $0 })), number.isFinite else { return nil }
        let unit: SpeedUnit
        switch rest.lowercased() {
        case "", "km/h", "kmh", "kph", "km/u", "kmph", "k/h": unit = .kilometresPerHour
        case "mph", "mp/h", "mi/h": unit = .milesPerHour
        case "knots", "knot", "kn", "kt", "kts": unit = .knots
        default: return nil
        }
        let speed = Speed(number, unit)
        return plausibleMps.contains(speed.metresPerSecond) ? speed : nil
    }

    static func trimmed(_ text: some StringProtocol) -> String {
        var part = text[...]
        while let first = part.first, first.isWhitespace { part.removeFirst() }
        while let last = part.last, last.isWhitespace { part.removeLast() }
        return String(part)
    }
}
