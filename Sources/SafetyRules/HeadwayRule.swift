import FleetModel
import WorldModel

/// The vehicle ahead is followed too closely ("tailgating"), though nothing closes.
///
/// Time headway is the distance to the vehicle ahead over the own speed: the time there is to begin braking when it does. Needs a
/// calibrated camera and a known speed; where one is missing nothing is judged. One episode at a time.
public struct HeadwayRule: Rule {
    public let name = "headway"
    public private(set) var suppressed: [String: Int] = [:]

    private struct Episode: Hashable, Sendable {
        var startedAtS: Double
        var severity: Severity
        var track: Int
        /// The smallest so far.
        var headwayS: Double
        var leadSpeedMps: Double?
    }

    private let settings: Settings
    private var speedGateOpen = false
    private var sinceS: Double?
    private var worstS = 0.0
    private var episode: Episode?
    private var lastNearS = 0.0
    private var lastFrameS = 0.0
    private var endedAtS = -Double.infinity
    private var number = 0
    private var countedGate: String?

    /// A rule with `settings`.
    public init(settings: Settings = Settings()) { self.settings = settings }

    public mutating func update(_ world: WorldState) -> [RuleEvent] {
        let now = world.timeS
        guard world.frame != nil else {
            return now - lastFrameS > settings.holdS ? end(atS: lastFrameS, .unknown) : []
        }
        lastFrameS = now
        openOrCloseSpeedGate(world.ego.speedMps)
        guard let speedMps = world.ego.speedMps, let (lead, headwayS) = lead(of: world, speedMps: speedMps) else {
            return leave(atS: now)
        }
        if let gate = closedGate(lead, headwayS: headwayS) {
            count(gate)
            return leave(atS: now)
        }
        guard let severity = settings.severity(atHeadwayS: headwayS) else {
            countedGate = nil
            // Between the thresholds an episode neither begins nor ends.
            if headwayS < settings.cautionS * settings.clearFactor, episode != nil { lastNearS = now }
            return leave(atS: now)
        }
        lastNearS = now
        let leadSpeed = max(0, speedMps - (lead.closingMps ?? 0))
        if var episode {
            episode.headwayS = min(episode.headwayS, headwayS)
            episode.leadSpeedMps = leadSpeed
            let isWorse = severity > episode.severity
            episode.severity = max(severity, episode.severity)
            self.episode = episode
            return isWorse ? [event(episode, .update)] : []
        }
        let since = sinceS ?? now
        worstS = sinceS == nil ? headwayS : max(worstS, headwayS)
        sinceS = since
        guard now - since >= settings.persistenceS - 1e-6 else { return [] }
        guard now - endedAtS >= settings.refractoryS else {
            count("headway-refractory")
            return []
        }
        number += 1
        // As bad as it was all the time, not as bad as it was once.
        let begun = Episode(
            startedAtS: since, severity: settings.severity(atHeadwayS: worstS) ?? .caution, track: lead.track, headwayS: headwayS,
            leadSpeedMps: leadSpeed)
        episode = begun
        return [event(begun, .start)]
    }

    public mutating func stop(atS timeS: Double) -> [RuleEvent] { end(atS: timeS, .stopped) }

    /// The nearest vehicle in the path with a distance, and the headway to it.
    private func lead(of world: WorldState, speedMps: Double) -> (WorldObject, Double)? {
        let ahead = world.objects.filter { $0.isInPath && $0.roadUser != .person && $0.distanceM != nil }
        guard speedMps > 0, let lead = ahead.min(by: { ($0.distanceM ?? 0) < ($1.distanceM ?? 0) }), let distanceM = lead.distanceM
        else { return nil }
        return (lead, distanceM / speedMps)
    }

    private func closedGate(_ lead: WorldObject, headwayS: Double) -> String? {
        guard settings.severity(atHeadwayS: headwayS) != nil else { return nil }
        if !speedGateOpen { return "headway-speed" }
        if let sd = lead.distanceSdM, let distanceM = lead.distanceM, sd > settings.mostDistanceSd * max(distanceM, 1) {
            return "headway-distance"
        }
        if let opening = lead.openingMps, opening > settings.openingMps { return "headway-opening" }
        return nil
    }

    private mutating func leave(atS now: Double) -> [RuleEvent] {
        sinceS = nil
        guard episode != nil, now - lastNearS >= settings.clearAfterS else { return [] }
        return end(atS: lastNearS, .cleared)
    }

    private mutating func end(atS timeS: Double, _ reason: EndReason) -> [RuleEvent] {
        sinceS = nil
        guard let episode else { return [] }
        self.episode = nil
        endedAtS = timeS
        return [event(episode, .end, ended: (max(timeS, episode.startedAtS), reason))]
    }

    private func event(_ episode: Episode, _ phase: AlertPhase, ended: (atS: Double, reason: EndReason)? = nil) -> RuleEvent {
        RuleEvent(
            episode: number, phase: phase, severity: episode.severity, startedAtS: episode.startedAtS, ended: ended,
            details: .headway(HeadwayDetails(timeHeadwayS: episode.headwayS, leadSpeedMps: episode.leadSpeedMps)))
    }

    private mutating func openOrCloseSpeedGate(_ speedMps: Double?) {
        guard let speedMps else { return }
        if speedMps >= settings.minimumSpeedMps { speedGateOpen = true }
        if speedMps < settings.minimumSpeedMps - settings.speedHysteresisMps { speedGateOpen = false }
    }

    private mutating func count(_ gate: String) {
        guard countedGate != gate else { return }
        countedGate = gate
        suppressed[gate, default: 0] += 1
    }
}
