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
    /// Braking that would just avoid the collision, from which it is a warning, and critical, in m/s².
    public var warningDecelerationMps2: Double
    public var criticalDecelerationMps2: Double
    /// Seconds for which the time to collision must stay below.
    public var persistenceS: Double
    /// Own speed below which nothing is warned of.
    public var minimumSpeed: Speed
    /// Least confidence of the detector, for persons apart.
    public var minimumScore: Double
    public var minimumPersonScore: Double
    /// Seconds without danger after which an episode ends.
    public var clearAfterS: Double
    /// Seconds in which the same thing is not told again unless it is worse.
    public var refractoryS: Double

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
        cautionTtcS = try section.duration("cautionTtc", in: 0.2...10) ?? 3.4
        warningTtcS = try section.duration("warningTtc", in: 0.2...10) ?? 2.8
        criticalTtcS = try section.duration("criticalTtc", in: 0.2...10) ?? 1.5
        warningDecelerationMps2 = try section.number("warningDeceleration", in: 1...20) ?? 5
        criticalDecelerationMps2 = try section.number("criticalDeceleration", in: 1...20) ?? 7
        persistenceS = try section.duration("persistence", in: 0...3) ?? 0.3
        minimumSpeed = try section.speed("minimumSpeed", in: 0...40) ?? Speed(10, .kilometresPerHour)
        minimumScore = try section.number("minimumScore", in: 0...1) ?? 0.4
        minimumPersonScore = try section.number("minimumPersonScore", in: 0...1) ?? 0.5
        clearAfterS = try section.duration("clearAfter", in: 0...10) ?? 0.7
        refractoryS = try section.duration("refractory", in: 0...600) ?? 4
        guard criticalTtcS <= warningTtcS, warningTtcS <= cautionTtcS else {
            throw section.error("warningTtc", "criticalTtc, warningTtc and cautionTtc must rise in this order")
        }
        guard warningDecelerationMps2 <= criticalDecelerationMps2 else {
            throw section.error("warningDeceleration", "must not be more than criticalDeceleration")
        }
    }
}
