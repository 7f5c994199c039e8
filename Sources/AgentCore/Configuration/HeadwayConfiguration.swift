import FleetModel
import FleetRuntime

/// The section `headway`.
public struct HeadwayConfiguration: Sendable {
    /// Time headway below which each severity begins, in s.
    public var cautionS: Double
    public var warningS: Double
    /// Seconds for which it must last.
    public var persistenceS: Double
    /// Own speed below which nothing is told.
    public var minimumSpeed: Speed

    init(_ section: ConfigurationSection) throws {
        cautionS = try section.duration("caution", in: 0...5) ?? 0.9
        warningS = try section.duration("warning", in: 0...5) ?? 0.6
        persistenceS = try section.duration("persistence", in: 0...60) ?? 3
        minimumSpeed = try section.speed("minimumSpeed", in: 0...60) ?? Speed(50, .kilometresPerHour)
        guard warningS <= cautionS else { throw section.error("warning", "must not be longer than caution") }
    }
}
