import FleetModel
import WorldModel

/// Faster than the limit allows, for longer than tolerated.
///
/// Speeds are compared in the sign's own unit, so that 80 km/h driven as 22.2222 m/s is not too fast. Durations count in fix time. A
/// change of the limit ends the episode: what happened under one limit is never booked to another.
public struct OverspeedRule: Rule {
    public let name = "overspeed"
    public let suppressed: [String: Int] = [:]

    private let settings: Settings
    private var limit: SpeedLimit?
    private var sample: OverspeedEpisode.Sample?
    /// The excess that lasts, told or not yet told.
    private var episode: OverspeedEpisode?

    /// In the limit's own unit: half of the last digit that signs, receivers and people use.
    private static let roundingMargin = 0.05

    /// A rule with `settings`.
    public init(settings: Settings = Settings()) { self.settings = settings }

    public mutating func update(_ world: WorldState) -> [RuleEvent] {
        guard let speedMps = world.ego.speedMps, speedMps.isFinite, let newLimit = world.limit else {
            if episode?.isTold == false { episode = nil }
            return endIfUnknownTooLong(atS: world.timeS)
        }
        let now = OverspeedEpisode.Sample(timeS: world.ego.fixTimeS ?? world.timeS, speedMps: speedMps)
        let limitChanged = limit.map { $0.limit != newLimit.limit || $0.highest != newLimit.highest } ?? false
        if let sample, now.timeS <= sample.timeS, !limitChanged, limit != nil { return [] }

        var events = endIfUnknownTooLong(atS: now.timeS)
        if limitChanged { events += end(atS: max(now.timeS, sample?.timeS ?? now.timeS), reason: .limitChanged, last: now) }
        limit = newLimit
        events += judge(now, against: newLimit)
        sample = now
        return events
    }

    public mutating func stop(atS timeS: Double) -> [RuleEvent] { end(atS: sample?.timeS ?? timeS, reason: .stopped, last: nil) }

    private mutating func judge(_ now: OverspeedEpisode.Sample, against limit: SpeedLimit) -> [RuleEvent] {
        // Where sources disagree the driver has the benefit of the doubt.
        let applied = limit.highest ?? limit.limit
        let value = Speed.value(ofMps: now.speedMps, in: applied.unit)
        let threshold = applied.value + settings.toleranceValue(above: applied)
        let isOver = value > threshold + Self.roundingMargin

        guard var running = episode else {
            guard isOver else { return [] }
            episode = OverspeedEpisode(beginning: now, limit: limit, toleranceMps: tolerance(above: applied))
            return tellStart()
        }
        if !running.isTold, !isOver {
            episode = nil
            return []
        }
        let floor = threshold - Speed.value(ofMps: settings.hysteresis.metresPerSecond, in: applied.unit)
        if running.isTold, value <= floor + Self.roundingMargin {
            return end(atS: now.timeS, reason: .cleared, last: now)
        }
        running.add(now)
        episode = running
        return running.isTold ? tellUpdate(now, applied: applied) : tellStart()
    }

    private mutating func tellStart() -> [RuleEvent] {
        // A millisecond of slack: times are sums of fractions.
        guard var running = episode, running.durationS >= settings.minimumDurationS - 0.001 else { return [] }
        running.severity = severity(of: running)
        running.markTold()
        episode = running
        return [running.event(.start)]
    }

    private mutating func tellUpdate(_ now: OverspeedEpisode.Sample, applied: Speed) -> [RuleEvent] {
        guard var running = episode else { return [] }
        let worse = severity(of: running)
        let higherMax = running.maxSpeedMps > running.toldMaxMps + applied.unit.metresPerSecond
        let due = now.timeS - running.toldAtS >= settings.updateIntervalS
        guard worse > running.severity || (higherMax && due) else { return [] }
        running.severity = max(running.severity, worse)
        running.markTold()
        episode = running
        return [running.event(.update)]
    }

    private mutating func endIfUnknownTooLong(atS now: Double) -> [RuleEvent] {
        guard let sample, now - sample.timeS > settings.holdS else { return [] }
        limit = nil
        return end(atS: sample.timeS, reason: .unknown, last: nil)
    }

    /// Ends what lasts. `last`, where given, is the first sample that does not belong to the episode any more.
    private mutating func end(atS timeS: Double, reason: EndReason, last: OverspeedEpisode.Sample?) -> [RuleEvent] {
        defer { episode = nil }
        guard var running = episode, running.isTold else { return [] }
        if let last { running.close(at: last) }
        return [running.event(.end, ended: (timeS, reason))]
    }

    private func severity(of running: OverspeedEpisode) -> Severity {
        let excessMps = running.maxSpeedMps - (running.limit.highest ?? running.limit.limit).metresPerSecond
        if excessMps >= settings.criticalExcess.metresPerSecond { return .critical }
        if excessMps >= settings.warningExcess.metresPerSecond { return .warning }
        return running.durationS >= settings.longDurationS ? .warning : .caution
    }

    private func tolerance(above limit: Speed) -> Double {
        settings.toleranceValue(above: limit) * limit.unit.metresPerSecond
    }
}
