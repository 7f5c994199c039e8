import FleetModel
import SafetyRules
import WorldModel

/// Timelines of world states for the rules.
enum Timeline {
    /// A moment with a speed and a limit, both in km/h; nil is unknown.
    static func drive(_ timeS: Double, kmh: Double?, limit: Speed? = Speed(50, .kilometresPerHour)) -> WorldState {
        var ego = EgoState(mode: 3, degraded: [])
        ego.speedMps = kmh.map { $0 / 3.6 }
        ego.fixTimeS = kmh == nil ? nil : timeS
        return WorldState(timeS: timeS, ego: ego, limit: limit.map { SpeedLimit($0, source: .zone) })
    }

    /// A moment with one object ahead.
    static func ahead(
        _ timeS: Double, ttcS: Double?, track: Int = 1, roadUser: RoadUserClass = .car, inPath: Bool = true, score: Double = 0.9,
        speedMps: Double? = nil, closingMps: Double? = nil, distanceM: Double? = nil, x: Double = 600
    ) -> WorldState {
        let object = WorldObject(
            track: track, roadUser: roadUser, score: score, box: Box(x: x, y: 300, width: 80, height: 60), lastSeenS: timeS,
            timeToCollision: ttcS.map { TimeToCollision(seconds: $0, sdS: 0.1) }, distanceM: distanceM,
            distanceSdM: distanceM.map { $0 * 0.15 }, closingMps: closingMps, isInPath: inPath)
        var ego = EgoState(mode: speedMps == nil ? 0 : 3, degraded: [])
        ego.speedMps = speedMps
        return WorldState(timeS: timeS, ego: ego, frame: FrameSize(width: 1280, height: 720), objects: [object])
    }

    /// Frames at 30 Hz from `start` for `seconds`, each made by `state`.
    static func frames(from start: Double = 0, seconds: Double, _ state: (Double) -> WorldState) -> [WorldState] {
        (0...Int((seconds * 30).rounded())).map { state(start + Double($0) / 30) }
    }
}

extension Rule {
    /// Everything the rule says about `worlds`.
    mutating func run(_ worlds: [WorldState]) throws -> [RuleEvent] { try worlds.flatMap { try update($0) } }
}

extension RuleEvent {
    var overspeed: OverspeedDetails? { if case .overspeed(let d) = details { d } else { nil } }
    var collision: CollisionDetails? { if case .collision(let d) = details { d } else { nil } }
}
