/// What an alert is about.
public enum AlertKind: String, Codable, Hashable, Sendable, CaseIterable {
    case overspeed, collision, headway, landmark
}

/// How bad it is, in rising order.
public enum Severity: String, Codable, Hashable, Sendable, CaseIterable, Comparable {
    case info, caution, warning, critical

    private var rank: Int {
        switch self {
        case .info: 0
        case .caution: 1
        case .warning: 2
        case .critical: 3
        }
    }

    public static func < (a: Severity, b: Severity) -> Bool { a.rank < b.rank }
}

/// Where in its episode an alert stands.
public enum AlertPhase: String, Codable, Hashable, Sendable {
    case start, update, end
}

/// Why an episode ended.
public enum EndReason: String, Codable, Hashable, Sendable {
    /// The condition no longer holds.
    case cleared
    /// What it was about is no longer seen.
    case lost
    /// The limit changed within the episode; a new one may follow.
    case limitChanged = "limit_changed"
    /// The speed, the limit or the picture is no longer known.
    case unknown
    /// The recording or the drive is over.
    case stopped
    /// The agent died within the episode; told at its next start.
    case interrupted
}

/// Whether an alert happened now or comes from a recording.
public enum AlertOrigin: String, Codable, Hashable, Sendable {
    case live, replay
}

/// What the vehicle's wall clock was set by when the alert was raised.
public enum ClockState: String, Codable, Hashable, Sendable {
    case gps, ntp, unsynchronised
}

/// Where a speed limit comes from.
public enum LimitSource: String, Codable, Hashable, Sendable {
    case sign, map, zone
    case configuration = "default"
}
