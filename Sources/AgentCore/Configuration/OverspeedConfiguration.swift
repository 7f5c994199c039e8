import FleetModel
import FleetRuntime
import SpeedLimits

/// The section `overspeed`.
public struct OverspeedConfiguration: Sendable {
    /// Limit where no other source knows one; nil leaves it unknown.
    public var defaultLimit: Speed?
    /// GeoJSON file with zones; nil for none.
    public var zonesPath: String?
    /// File of roads and limits that `fleet-cli map import` made; nil for none.
    public var mapPath: String?
    /// The local time of schedules and conditions; unknown without `timeZone`.
    public var clock: LocalClock
    /// What is tolerated above the limit; the larger of this and `tolerancePercent` applies.
    public var tolerance: Speed
    /// What is tolerated above the limit, in percent of it.
    public var tolerancePercent: Double
    /// Seconds that the speed must stay above before an alert.
    public var minimumDurationS: Double
    /// How far below limit + tolerance the speed must fall before the episode ends.
    public var hysteresis: Speed
    /// Excess over the limit from which it is a warning.
    public var warningExcess: Speed
    /// Excess over the limit from which it is critical.
    public var criticalExcess: Speed
    /// Seconds after which a caution becomes a warning.
    public var longDurationS: Double

    init(_ section: ConfigurationSection) throws {
        defaultLimit = try section.speed("defaultLimit", in: 1...100)
        zonesPath = try section.readableFile("zones")
        mapPath = try section.readableFile("map")
        clock = .unknown
        if let name = try section.string("timeZone", maximumLength: 64) {
            guard let known = LocalClock(timeZone: name) else {
                throw section.error("timeZone", "must be a name of the time zone database, e.g. \"Europe/Berlin\"")
            }
            clock = known
        }
        tolerance = try section.speed("tolerance", in: 0...30) ?? Speed(3, .kilometresPerHour)
        tolerancePercent = try section.number("tolerancePercent", in: 0...50) ?? 3
        minimumDurationS = try section.duration("minimumDuration", in: 0...600) ?? 2
        hysteresis = try section.speed("hysteresis", in: 0...10) ?? Speed(2, .kilometresPerHour)
        warningExcess = try section.speed("warningExcess", in: 0...50) ?? Speed(10, .kilometresPerHour)
        criticalExcess = try section.speed("criticalExcess", in: 0...50) ?? Speed(20, .kilometresPerHour)
        guard criticalExcess.metresPerSecond >= warningExcess.metresPerSecond else {
            throw section.error("criticalExcess", "must not be below warningExcess")
        }
        longDurationS = try section.duration("longDuration", in: 1...86_400) ?? 60
    }
}
