import FleetModel
import WorldModel

/// One stretch of driving too fast under one limit, from its first sample on.
struct OverspeedEpisode: Hashable, Sendable {
    /// An accepted speed at the time of its fix.
    struct Sample: Hashable, Sendable {
        var timeS: Double
        var speedMps: Double
    }

    let startedAtS: Double
    let limit: SpeedLimit
    let toleranceMps: Double
    var severity = Severity.caution
    private(set) var maxSpeedMps: Double
    private(set) var distanceM = 0.0
    private(set) var isTold = false
    private(set) var toldAtS = -Double.infinity
    private(set) var toldMaxMps = 0.0
    private var latest: Sample

    init(beginning first: Sample, limit: SpeedLimit, toleranceMps: Double) {
        startedAtS = first.timeS
        self.limit = limit
        self.toleranceMps = toleranceMps
        maxSpeedMps = first.speedMps
        latest = first
    }

    var durationS: Double { latest.timeS - startedAtS }
    /// Weighted by time; of an episode of one sample, that sample.
    var meanSpeedMps: Double { durationS > 0 ? distanceM / durationS : latest.speedMps }

    mutating func add(_ sample: Sample) {
        close(at: sample)
        maxSpeedMps = max(maxSpeedMps, sample.speedMps)
    }

    /// Extends time and distance to `sample` (trapezoid between the two speeds); its speed itself does not count as a maximum.
    mutating func close(at sample: Sample) {
        let seconds = max(0, sample.timeS - latest.timeS)
        distanceM += seconds * (latest.speedMps + sample.speedMps) / 2
        latest = Sample(timeS: latest.timeS + seconds, speedMps: sample.speedMps)
    }

    mutating func markTold() {
        isTold = true
        toldAtS = latest.timeS
        toldMaxMps = maxSpeedMps
    }

    func event(_ phase: AlertPhase, ended: (atS: Double, reason: EndReason)? = nil) -> RuleEvent {
        let details = OverspeedDetails(
            limit: limit.limit, limitMps: limit.limit.metresPerSecond, limitMinMps: limit.lowest?.metresPerSecond,
            toleranceMps: toleranceMps, source: limit.source, confidence: limit.confidence, maxSpeedMps: maxSpeedMps,
            meanSpeedMps: meanSpeedMps, distanceM: distanceM, durationS: durationS)
        return RuleEvent(
            episode: 0, phase: phase, severity: severity, startedAtS: startedAtS, ended: ended, details: .overspeed(details))
    }
}
