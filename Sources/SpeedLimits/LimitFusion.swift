import FleetModel
import RoadMap
import WorldModel

/// The limit that applies, from zones, signs, the map and the configuration.
///
/// The precedence and its reasons (docs/limits.md has the same for users):
///
/// 1. **Zone**: the operator's own ground and the operator's own word.
/// 2. **Sign** in force: what stands at the road is the law, and newer than any map. Where the map agrees, both together are nearly certain.
///    Where it disagrees and the sign is weak (a junction since, or far behind), the map decides, and the two make a range.
/// 3. **Map**: right most of the time; after an end sign, the limit that has just ended is not taken from it.
/// 4. **Default**: only where nothing at all is known; not where the map says that there is no limit, or that variable signs set it.
///
/// Where sources disagree the rule takes the highest (`SpeedLimit.highest`), and the alert tells the lowest too.
public struct LimitFusion: SpeedLimitProvider {
    /// How the answer came about.
    public enum Decision: String, Hashable, Sendable {
        case zone, sign, signAndMap, signAgainstMap, map, mapAgainstSign, unlimited, variable, configuration, restricted, unknown
    }

    /// How the last answer came about.
    public private(set) var decision = Decision.unknown

    private let zones: ZoneLimits?
    private var map: MapLimits?
    private let fallback: Speed?
    private var sign = HeldSign()
    /// Signs that are ahead of the fixes: a fix is believed one report late, and is judged by the limit of its own place.
    private var ahead: [AdoptedSign] = []
    private static let mostAhead = 8

    /// Speeds are the same limit within this, m/s: 50 km/h and 31 mph are not.
    private static let sameMps = 0.05

    /// The sources that there are; `clock` tells the local time of conditions and schedules.
    public init(zones: ZoneLimits? = nil, roads: (any RoadSource)? = nil, clock: LocalClock = .unknown, defaultLimit: Speed? = nil)
    {
        self.zones = zones
        map = roads.map { MapLimits(roads: $0, clock: clock) }
        fallback = defaultLimit
    }

    public mutating func observe(_ adopted: AdoptedSign, ego: EgoState) {
        if ahead.count >= Self.mostAhead { ahead.removeFirst() }
        ahead.append(adopted)
    }

    public mutating func limit(for ego: EgoState) -> SpeedLimit? {
        let reading = map?.reading(for: ego)
        sign.advance(ego, map: reading)
        while let next = ahead.first, ego.fixTimeS.map({ $0 >= next.timeS }) ?? true {
            ahead.removeFirst()
            sign.pass(next, map: reading)
        }
        if let zone = zones?.limit(for: ego) { return decided(.zone, zone) }
        return restricted(unrestricted(reading))
    }

    /// What applies but for signs that hold for some vehicles or at some times only.
    private mutating func unrestricted(_ reading: MapReading?) -> SpeedLimit? {
        switch sign.standing {
        case .limit(let limit, let confidence, let isWeak): return fuse(limit, confidence, isWeak, reading)
        case .ended(let ended):
            if let known = reading?.limit.speed, ended.map({ Self.areSame($0, known) }) ?? true { return decided(.unknown, nil) }
            return mapAlone(reading)
        case nil: return mapAlone(reading)
        }
    }

    /// The range of `limit` and of what a sign orders for some vehicles or at some times: either may hold, and a limit that the sign has
    /// ended is no longer sure.
    private mutating func restricted(_ limit: SpeedLimit?) -> SpeedLimit? {
        guard var limit, let restriction = sign.restriction else { return limit }
        let all = [limit.limit, limit.lowest ?? limit.limit, limit.highest ?? limit.limit, restriction].sorted {
            $0.metresPerSecond < $1.metresPerSecond
        }
        guard let lowest = all.first, let highest = all.last, !Self.areSame(lowest, highest) else { return limit }
        (limit.lowest, limit.highest) = (lowest, highest)
        limit.confidence *= 0.8
        return decided(.restricted, limit)
    }

    private mutating func fuse(_ sign: Speed, _ confidence: Double, _ isWeak: Bool, _ reading: MapReading?) -> SpeedLimit? {
        guard let reading, let known = reading.limit.speed else {
            return decided(.sign, SpeedLimit(sign, source: .sign, confidence: confidence))
        }
        if Self.areSame(sign, known) {
            let both = 1 - (1 - confidence) * (1 - reading.confidence)
            return decided(.signAndMap, SpeedLimit(sign, source: .sign, confidence: both))
        }
        let pair = [sign, known, reading.lowest, reading.highest].compactMap(\.self).sorted {
            $0.metresPerSecond < $1.metresPerSecond
        }
        guard isWeak else {
            // The lowest is told; the highest is the sign's own, because it is newer than the map.
            let lower = pair.first.flatMap { $0.metresPerSecond < sign.metresPerSecond ? $0 : nil }
            return decided(.signAgainstMap, SpeedLimit(sign, source: .sign, confidence: confidence * 0.95, lowest: lower))
        }
        return decided(
            .mapAgainstSign,
            SpeedLimit(
                known, source: .map, confidence: reading.confidence * 0.8, lowest: pair.first, highest: pair.last,
                name: reading.road.way.name))
    }

    private mutating func mapAlone(_ reading: MapReading?) -> SpeedLimit? {
        guard let reading else { return byDefault() }
        switch reading.limit {
        case .unlimited: return decided(.unlimited, nil)
        case .unknown(.variable): return decided(.variable, nil)
        case .unknown: return byDefault()
        case .speed(let speed):
            // Without an upper bound (none but for a condition that cannot be told) no alert can be right.
            if reading.lowest != nil, reading.highest == nil { return decided(.unknown, nil) }
            return decided(
                .map,
                SpeedLimit(
                    speed, source: .map, confidence: reading.confidence, lowest: reading.lowest, highest: reading.highest,
                    name: reading.road.way.name))
        }
    }

    private mutating func byDefault() -> SpeedLimit? {
        guard let fallback else { return decided(.unknown, nil) }
        return decided(.configuration, SpeedLimit(fallback, source: .configuration))
    }

    private mutating func decided(_ how: Decision, _ limit: SpeedLimit?) -> SpeedLimit? {
        decision = how
        return limit
    }

    private static func areSame(_ a: Speed, _ b: Speed) -> Bool { abs(a.metresPerSecond - b.metresPerSecond) < sameMps }
}
