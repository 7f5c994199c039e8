import FleetModel

/// What a map states about the highest speed that is allowed.
public enum StatedLimit: Hashable, Sendable {
    /// This fast, in the unit in which it is tagged.
    case speed(Speed)
    /// As fast as one likes: `none`, on German motorways.
    case unlimited
    /// It is not known, and why.
    case unknown(Gap)

    /// Why the map gives no limit.
    public enum Gap: Hashable, Sendable {
        /// No tag says anything about it.
        case untagged
        /// Signs that change: `signals`, `variable`.
        case variable
        /// There is a sign, but the tags do not tell its number.
        case numberMissing
        /// Several numbers in one tag, and nothing says where each applies.
        case severalValues(String)
        /// A kind of road of a country for which there is no number in the table.
        case noTable(String)
        /// No spelling that is known.
        case notUnderstood(String)
    }

    /// The speed, where it is one.
    public var speed: Speed? { if case .speed(let speed) = self { speed } else { nil } }
}

extension StatedLimit.Gap: CustomStringConvertible {
    /// A few words, e.g. `several values (50;30)`.
    public var description: String {
        switch self {
        case .untagged: "no speed tag"
        case .variable: "variable signs"
        case .numberMissing: "signposted, number not tagged"
        case .severalValues(let text): "several values (\(text))"
        case .noTable(let text): "no number for \(text)"
        case .notUnderstood(let text): "not understood (\(text))"
        }
    }
}

extension StatedLimit: CustomStringConvertible {
    /// `50 km/h`, `unlimited`, or `unknown: ` and why.
    public var description: String {
        switch self {
        case .speed(let speed): speed.description
        case .unlimited: "unlimited"
        case .unknown(let gap): "unknown: \(gap)"
        }
    }
}
