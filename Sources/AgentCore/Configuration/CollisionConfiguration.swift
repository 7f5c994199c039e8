import FleetModel
import FleetRuntime

/// The section `collision`.
public struct CollisionConfiguration: Sendable {
    /// Road users that are warned of.
    public var classes: Set<RoadUserClass>
    /// Time to collision below which each severity begins, in s.
    public var cautionTtcS: Double
    public var warningTtcS: Double
    public var criticalTtcS: Double
    /// Seconds for which the time to collision must stay below.
    public var persistenceS: Double
    /// Own speed below which nothing is warned of.
    public var minimumSpeed: Speed

    init(_ section: ConfigurationSection) throws {
        let names = try section.strings("classes")
        classes = try Set(
            names?.map {
                guard let known = RoadUserClass(rawValue: $0) else {
                    let allowed = RoadUserClass.allCases.map(\.rawValue).joined(separator: ", ")
                    throw section.error("classes", "\"\($0)\" is no class; allowed are \(allowed)")
                }
                return known
            } ?? RoadUserClass.allCases)
        cautionTtcS = try section.duration("cautionTtc", in: 0.2...10) ?? 3
        warningTtcS = try section.duration("warningTtc", in: 0.2...10) ?? 2.4
        criticalTtcS = try section.duration("criticalTtc", in: 0.2...10) ?? 1.4
        persistenceS = try section.duration("persistence", in: 0...3) ?? 0.3
        minimumSpeed = try section.speed("minimumSpeed", in: 0...40) ?? Speed(10, .kilometresPerHour)
        guard criticalTtcS <= warningTtcS, warningTtcS <= cautionTtcS else {
            throw section.error("warningTtc", "criticalTtc, warningTtc and cautionTtc must rise in this order")
        }
    }
}
