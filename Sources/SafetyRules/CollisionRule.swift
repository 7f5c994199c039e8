import FleetModel
import Foundation
import WorldModel

/// A road user in the own path will be reached soon.
///
/// One episode a track: it begins when the time to collision has stayed below the caution threshold for the persistence and
/// every gate is open, becomes worse as the thresholds are passed, never better, and ends when the danger has passed or the
/// track is lost. Speed gates apply while the own speed is known; unknown is not zero: then vision alone decides.
public struct CollisionRule: Rule {
    public let name = "collision"
    public private(set) var suppressed: [String: Int] = [:]

    private let settings: Settings
    private var threats: [Int: CollisionThreat] = [:]
    private var ended: [EndedEpisode] = []
    private var speedGateOpen = false
    private var frame: FrameSize?
    private var lastFrameS = 0.0

    /// An episode that is over; keeps the same thing from being told again at once.
    private struct EndedEpisode: Hashable, Sendable {
        var track: Int
        var box: Box
        var atS: Double
        var severity: Severity
        /// Whether nothing closed any more: what closes again after that is another danger.
        var isSettled: Bool
    }

    /// A rule with `settings`.
    public init(settings: Settings = Settings()) { self.settings = settings }

    public mutating func update(_ world: WorldState) -> [RuleEvent] {
        let now = world.timeS
        guard let frame = world.frame else { return endIfBlind(atS: now) }
        self.frame = frame
        lastFrameS = now
        openOrCloseSpeedGate(world.ego.speedMps)
        ended.removeAll { now - $0.atS > settings.refractoryS }

        var events: [RuleEvent] = []
        let seen = Set(world.objects.map(\.track))
        for track in threats.keys.sorted() where !seen.contains(track) {
            let atS = threats[track].map { max($0.latest.lastSeenS, $0.episode?.startedAtS ?? 0) } ?? now
            events += end(track, atS: atS, tellingAtS: now, reason: .lost)
            threats[track] = nil
        }
        for object in world.objects {
            threats[object.track, default: CollisionThreat(object)].latest = object
            events += judge(object, speedMps: world.ego.speedMps, frame: frame, atS: now)
        }
        return events
    }

    public mutating func stop(atS timeS: Double) -> [RuleEvent] {
        threats.keys.sorted().flatMap { end($0, atS: timeS, tellingAtS: timeS, reason: .stopped) }
    }

    private mutating func judge(_ object: WorldObject, speedMps: Double?, frame: FrameSize, atS now: Double) -> [RuleEvent] {
        guard var threat = threats[object.track] else { return [] }
        let ttcS = object.timeToCollision?.seconds
        if let ttcS { threat.note(ttcS: ttcS, atS: now) }
        let level = ttcS.flatMap { settings.severity(atTtcS: $0, decelerationMps2: Self.leastDecelerationMps2(object)) }
        let closedGate = firstClosedGate(object, speedMps: speedMps)
        if let level, level >= .warning, let closedGate { count(closedGate, &threat) }

        let isThreat = level != nil && closedGate == nil
        // A severity counts when two frames agree, or when it is sure enough in one.
        let sure = object.timeToCollision.flatMap { settings.severity(atTtcS: $0.seconds + settings.sureSds * $0.sdS) }
        let agreed = isThreat ? max(min(level ?? .caution, threat.lastLevel ?? .caution), sure ?? .caution) : nil
        threat.lastLevel = isThreat ? level : nil
        // The persistence asks whether the closing is real, so it counts while gates are still closed: who cuts in is told of at once.
        let isClosing = ttcS.map { $0 < settings.cautionTtcS * settings.persistenceFactor } ?? false
        threat.sinceS = isClosing ? threat.sinceS ?? now : nil
        if isThreat {
            threat.gatesOpenSinceS = threat.gatesOpenSinceS ?? now
            threat.lastThreatS = now
        } else {
            threat.gatesOpenSinceS = nil
        }
        defer { threats[object.track] = threat }

        if threat.episode != nil {
            if let event = goOn(&threat, agreed: agreed, ttcS: ttcS, frame: frame, atS: now) { return [event] }
            let stillNear = ttcS.map { $0 < settings.cautionTtcS * settings.clearFactor } ?? false
            if stillNear && object.isInPath { threat.lastThreatS = now }
            guard now - threat.lastThreatS >= settings.clearAfterS else { return [] }
            return [close(&threat, atS: threat.lastThreatS, tellingAtS: now, reason: .cleared, frame: frame)].compactMap(\.self)
        }
        guard let agreed, let sinceS = threat.sinceS, let startedAtS = threat.gatesOpenSinceS,
            now - sinceS >= settings.persistenceS - 1e-6, let ttcS
        else { return [] }
        guard now - object.lastSeenS <= settings.longestUnseenS + 1e-6 else {
            count("unseen", &threat)
            return []
        }
        guard ttcS >= settings.leastTtcS else {
            count("too-near", &threat)
            return []
        }
        guard let ttc = object.timeToCollision, ttc.sdS <= settings.mostTtcSd * ttc.seconds else {
            count("uncertain", &threat)
            return []
        }
        guard isFresh(object, agreed) else {
            count("refractory", &threat)
            return []
        }
        threat.episode = CollisionThreat.Episode(
            startedAtS: startedAtS, severity: agreed, minTtcS: ttcS, gates: passedGates(object, speedMps: speedMps))
        return [event(threat, .start, frame: frame, tellingAtS: now)].compactMap(\.self)
    }

    /// Notes a new minimum, and tells when it has become worse.
    private func goOn(
        _ threat: inout CollisionThreat, agreed: Severity?, ttcS: Double?, frame: FrameSize, atS now: Double
    ) -> RuleEvent? {
        guard let agreed, let ttcS, var episode = threat.episode else { return nil }
        episode.minTtcS = min(episode.minTtcS, ttcS)
        let isWorse = agreed > episode.severity
        if isWorse { episode.severity = agreed }
        threat.episode = episode
        return isWorse ? event(threat, .update, frame: frame, tellingAtS: now) : nil
    }

    // MARK: Gates

    /// The first gate that holds `object` back, in the order in which they are told; nil when all are open.
    private func firstClosedGate(_ object: WorldObject, speedMps: Double?) -> String? {
        if !settings.classes.contains(object.roadUser) { return "class" }
        let isLongKnown = object.lastSeenS - object.firstSeenS >= settings.longKnownS
        let leastScore = object.roadUser == .person && !isLongKnown ? settings.minimumPersonScore : settings.minimumScore
        if object.score < leastScore { return "score" }
        if !object.isInPath { return "in-path" }
        if speedMps != nil, !speedGateOpen { return "speed" }
        if let closing = object.closingMps, closing < settings.minimumClosingMps { return "closing" }
        if let speedMps, isOncoming(object, speedMps: speedMps) { return "oncoming" }
        return nil
    }

    /// Braking that just avoids the collision, with the time to it longer by its standard deviation: v²/2d of a gap d = v·T. 0 while the closing
    /// speed is unknown.
    private static func leastDecelerationMps2(_ object: WorldObject) -> Double {
        guard let ttc = object.timeToCollision, let closingMps = object.closingMps else { return 0 }
        let longerS = ttc.seconds + ttc.sdS
        return closingMps * ttc.seconds / (2 * longerS * longerS)
    }

    /// Whether `object` comes towards the own vehicle by itself: the gap closes faster than the own speed can close it, beyond the
    /// half the uncertainty of distance and time. What stands or drives the same way never does.
    private func isOncoming(_ object: WorldObject, speedMps: Double) -> Bool {
        guard let distanceM = object.distanceM, let distanceSdM = object.distanceSdM, let ttc = object.timeToCollision,
            distanceM > 0, ttc.seconds > 0
        else { return false }
        let closingMps = distanceM / ttc.seconds
        let relativeSd = (pow(distanceSdM / distanceM, 2) + pow(ttc.sdS / ttc.seconds, 2)).squareRoot()
        return closingMps * (1 - 0.5 * relativeSd) > speedMps * settings.oncomingFactor + settings.oncomingMarginMps
    }

    private func passedGates(_ object: WorldObject, speedMps: Double?) -> [String] {
        ["class", "score", "in-path"] + (speedMps == nil ? [] : ["speed"]) + (object.closingMps == nil ? [] : ["closing"])
            + (speedMps == nil || object.distanceM == nil ? [] : ["oncoming"]) + ["persistence"]
    }

    private mutating func openOrCloseSpeedGate(_ speedMps: Double?) {
        guard let speedMps else { return }
        if speedMps >= settings.minimumSpeedMps { speedGateOpen = true }
        if speedMps < settings.minimumSpeedMps - settings.speedHysteresisMps { speedGateOpen = false }
    }

    /// Whether nothing like it was told a moment ago, or only something less bad.
    private func isFresh(_ object: WorldObject, _ severity: Severity) -> Bool {
        !ended.contains { old in
            !old.isSettled && (old.track == object.track || old.box.iou(object.box) > 0.3) && severity <= old.severity
        }
    }

    private mutating func count(_ gate: String, _ threat: inout CollisionThreat) {
        if threat.counted.insert(gate).inserted { suppressed[gate, default: 0] += 1 }
    }

    // MARK: Ends

    private mutating func endIfBlind(atS now: Double) -> [RuleEvent] {
        guard now - lastFrameS > settings.holdS else { return [] }
        let events = threats.keys.sorted().flatMap { end($0, atS: lastFrameS, tellingAtS: now, reason: .unknown) }
        threats = [:]
        return events
    }

    private mutating func end(_ track: Int, atS timeS: Double, tellingAtS now: Double, reason: EndReason) -> [RuleEvent] {
        guard var threat = threats[track], let frame else { return [] }
        defer { threats[track] = threat }
        return [close(&threat, atS: timeS, tellingAtS: now, reason: reason, frame: frame)].compactMap(\.self)
    }

    private mutating func close(
        _ threat: inout CollisionThreat, atS timeS: Double, tellingAtS now: Double, reason: EndReason, frame: FrameSize
    ) -> RuleEvent? {
        guard let episode = threat.episode else { return nil }
        let last = event(threat, .end, frame: frame, tellingAtS: now, ended: (timeS, reason))
        let ttcS = threat.latest.timeToCollision?.seconds ?? .infinity
        ended.append(
            EndedEpisode(
                track: threat.latest.track, box: threat.latest.box, atS: now, severity: episode.severity,
                isSettled: reason == .cleared && ttcS > settings.settledFactor * settings.cautionTtcS))
        threat.episode = nil
        threat.sinceS = nil
        threat.gatesOpenSinceS = nil
        return last
    }

    private func event(
        _ threat: CollisionThreat, _ phase: AlertPhase, frame: FrameSize, tellingAtS now: Double,
        ended: (atS: Double, reason: EndReason)? = nil
    ) -> RuleEvent? {
        guard let episode = threat.episode else { return nil }
        return RuleEvent(
            episode: threat.latest.track, phase: phase, severity: episode.severity, startedAtS: episode.startedAtS, ended: ended,
            details: .collision(threat.details(episode, frame: frame, atS: now)))
    }
}
