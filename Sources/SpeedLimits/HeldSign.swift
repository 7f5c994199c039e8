import FleetModel
import RoadMap
import WorldModel

/// The sign that was passed last and what became of it: it holds until it ends.
///
/// A value without a clock; distance comes from the speed between fixes. What ends a sign, in this order:
///
/// 1. an end sign, or another limit;
/// 2. a turn into another road (not for zones);
/// 3. the map's limit changes along the road, more than `signOffsetM` behind the sign: signs stand where the map changes, give or take;
/// 4. the distance after which such a sign would have been repeated, by the class of the road.
///
/// A junction with a public road weakens it (except on motorways and in zones): in most countries a limit ends there unless it is repeated, in some it
/// does not. A weak sign gives way to a map that disagrees.
struct HeldSign: Sendable {
    /// What a passed sign amounts to now.
    enum Standing: Hashable, Sendable {
        /// A limit holds; `isWeak` when it gives way to the map.
        case limit(Speed, confidence: Double, isWeak: Bool)
        /// An end sign was passed a moment ago; `limit` is what ended, nil when that is not known.
        case ended(limit: Speed?)
    }

    /// How far a sign and the place where the map changes may lie apart, m: mapping, positioning and the passage at up to 60 m.
    static let signOffsetM = 120.0
    /// How long after an end sign the map may still show the limit that ended, m.
    static let endOffsetM = 300.0
    /// From here on a sign is weak, m: by then many a one is repeated.
    static let strongM = 1500.0
    /// A change of direction by this within `turnM` is a turn, degrees and m.
    static let turnDeg = 55.0
    static let turnM = 60.0

    private struct Passed {
        var sign: AdoptedSign
        var limit: Speed?
        /// The odometer when it was passed, m.
        var sinceM: Double
        var travelledM = 0.0
        /// The map's limit, and the road's class and name, beside the sign.
        var mapLimit: StatedLimit?
        var wayID: Int64?
        var name: String?
        var hasPassedJunction = false
        var isEnd: Bool { sign.kind == .endOfLimit || sign.kind == .endOfAll }
    }

    private var passed: Passed?
    /// The last sign whose plate says for whom or when it holds.
    private var restricted: Passed?
    private var lastFixS: Double?
    private var odometerM = 0.0
    private var trail: [(odometerM: Double, headingDeg: Double)] = []

    /// What the last sign amounts to; nil when none is in force.
    var standing: Standing? {
        guard let passed else { return nil }
        guard !passed.isEnd else { return .ended(limit: passed.limit) }
        guard let limit = passed.limit else { return nil }
        let isWeak =
            passed.hasPassedJunction || passed.travelledM > Self.strongM || passed.sign.kind == .variable && passed.travelledM > 500
        return .limit(limit, confidence: passed.sign.confidence * (isWeak ? 0.8 : 1), isWeak: isWeak)
    }

    /// The limit that holds under a condition which nobody here knows; nil when there is none.
    var restriction: Speed? { restricted?.limit }

    /// Takes a sign that has just been passed, with what the map says there.
    mutating func pass(_ sign: AdoptedSign, map: MapReading?) {
        var new = Passed(sign: sign, limit: sign.limit, sinceM: odometerM)
        new.mapLimit = map?.limit
        new.wayID = map?.road.way.id
        new.name = map?.road.way.name
        if sign.kind == .restricted {
            restricted = sign.limit == nil ? restricted : new
            return
        }
        restricted = nil
        if new.isEnd {
            // A sign that ends another limit than the one in force (the end of a lower one within it) leaves that one.
            if let ended = sign.limit, let current = passed, !current.isEnd, let limit = current.limit, ended != limit { return }
            new.limit = sign.limit ?? passed?.limit
        } else if sign.limit == nil {
            return
        }
        passed = new
    }

    /// Takes the next fix, with what the map says there.
    mutating func advance(_ ego: EgoState, map: MapReading?) {
        guard let timeS = ego.fixTimeS, timeS != lastFixS else { return }
        let seconds = lastFixS.map { timeS - $0 } ?? 0
        lastFixS = timeS
        guard passed != nil || restricted != nil else {
            trail = []
            return
        }
        if !(0...30).contains(seconds) {
            // The clock has jumped, or nothing was known for long: where the vehicle has been meanwhile is not known either.
            (passed, restricted) = (nil, nil)
            return
        }
        let stepM = (ego.speedMps ?? 0) * seconds
        odometerM += stepM
        if let heading = ego.headingDeg { note(heading) }
        passed = passed.flatMap { advanced($0, by: stepM, ego, map) }
        restricted = restricted.flatMap { advanced($0, by: stepM, ego, map) }
    }

    /// `current` after `stepM` more; nil when it has ended.
    private func advanced(_ current: Passed, by stepM: Double, _ ego: EgoState, _ map: MapReading?) -> Passed? {
        var current = current
        current.travelledM += stepM
        if let road = map?.road, road.sinceJunctionM.map({ $0 < current.travelledM - 20 }) ?? false,
            !Self.isExpressway(road.way.roadClass)
        {
            current.hasPassedJunction = true
        }
        guard !ends(current, hasTurned(ego, since: current.sinceM), map) else { return nil }
        if let limit = map?.limit, current.travelledM <= Self.signOffsetM { current.mapLimit = limit }
        return current
    }

    private func ends(_ current: Passed, _ hasTurned: Bool, _ map: MapReading?) -> Bool {
        let isZone = current.sign.kind == .zone
        if hasTurned, !isZone, !isSameRoad(current, map) { return true }
        if current.isEnd {
            return current.travelledM > Self.endOffsetM
                || (map.map { $0.limit.speed != current.limit && $0.limit.speed != nil } ?? false)
        }
        if let before = current.mapLimit, let now = map?.limit, current.travelledM > Self.signOffsetM, now != before,
            Self.isKnown(now),
            now.speed != current.limit, !isZone
        {
            return true
        }
        return current.travelledM > Self.reachM(of: map?.road.way.roadClass, isZone: isZone)
    }

    private func isSameRoad(_ current: Passed, _ map: MapReading?) -> Bool {
        guard let road = map?.road, let wayID = current.wayID else { return false }
        return road.way.id == wayID || (current.name != nil && road.way.name == current.name)
    }

    private static func isKnown(_ limit: StatedLimit) -> Bool { if case .unknown = limit { false } else { true } }

    private static func isExpressway(_ roadClass: RoadClass) -> Bool { roadClass == .motorway || roadClass == .trunk }

    /// After how many metres a sign would have been repeated: highway manuals ask for a repetition within 1 to 3 km outside of towns and after each
    /// junction within; some room is left.
    private static func reachM(of roadClass: RoadClass?, isZone: Bool) -> Double {
        if isZone { return 5000 }
        return switch roadClass {
        case .motorway, .trunk: 8000
        case .primary, .secondary, .tertiary, .unclassified: 4000
        case .residential, .livingStreet, .service: 1500
        case .motorwayLink, .trunkLink, .primaryLink, .secondaryLink, .tertiaryLink: 1500
        case .road, nil: 3000
        }
    }

    /// Adds the direction at the odometer's reading to the trail of the last `turnM`.
    private mutating func note(_ headingDeg: Double) {
        trail.append((odometerM, headingDeg))
        // One entry from before the stretch stays, so that a step longer than it is seen too.
        while trail.count > 2, odometerM - trail[1].odometerM >= Self.turnM { trail.removeFirst() }
    }

    /// Whether the direction has changed within the last `turnM`, after the odometer read `sinceM`.
    private func hasTurned(_ ego: EgoState, since sinceM: Double) -> Bool {
        guard let heading = ego.headingDeg else { return false }
        return trail.contains { entry in
            entry.odometerM > sinceM && abs((heading - entry.headingDeg).remainder(dividingBy: 360)) > Self.turnDeg
        }
    }
}
