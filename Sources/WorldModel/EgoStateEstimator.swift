import FleetModel

/// Turns a receiver's reports into what is believed of the own vehicle.
///
/// A value without a clock: time comes with the reports, so that a replay believes exactly what the drive believed. In order:
///
/// 1. Reports of one fix time are one *epoch*; the last of them counts. gpsd derives a speed from the position jump when the
///    position sentence comes first, and reports it before the real speed of the same time; waiting for the next time drops it.
/// 2. A fix must follow the last believed one as a road vehicle can (`FixPlausibility`): no jump, no spike, not late.
/// 3. After a start, a gap or a jump that stays, a run of consistent fixes is needed before anything is believed (warm-up).
/// 4. The speeds of the last seconds must be borne out by the displacement; a standing receiver's noise becomes zero.
/// 5. The belief is held for a few seconds without fixes, then it is unknown.
public struct EgoStateEstimator: Sendable {
    /// Consistent three-dimensional fixes in a row before anything is believed (gpsd's advice for time is 3 as well).
    public static let warmUpFixes = 3
    /// The same for receivers that never report a three-dimensional fix.
    public static let warmUpFlatFixes = 10
    /// How long the belief outlives its fix, s: at 1 Hz the epoch that is waited for, one rejected report, and a margin.
    public static let holdS = 4.0
    /// Age of the newest fix time at which the receiver counts as stuck or silent, s.
    public static let staleAfterS = 3.0
    /// How long a rejected fix is told, s: one heartbeat interval.
    public static let rejectionToldS = 10.0
    /// Length of the run whose displacement is compared with its speeds, s.
    public static let supportWindowS = 4.0
    /// Least length of that run where the stated speed error exceeds the speed, s.
    public static let leastSupportS = 1.0
    /// Highest speed that is taken for the noise of a standing receiver, m/s; faster contradictions leave the speed unknown.
    public static let noiseSpeedMps = 7.0
    /// Slowest movement whose direction is believed, m/s: below it bearings are noise.
    public static let headingSpeedMps = 1.5

    /// Fixes that were dropped because they contradicted the others, since the start.
    public private(set) var rejectedCount = 0

    private var held: SettledFix?
    private var latestMode: Int?
    private var newestFixS: Double?
    private var statesTime = false
    private var lastRejectionS: Double?
    private var candidates: [SettledFix] = []
    private var run: [SettledFix] = []
    private var believedSpeedMps: Double?
    private var believedHeadingDeg: Double?

    /// Nothing known.
    public init() {}

    /// Takes one report. Reports come in the order of arrival.
    public mutating func update(_ report: PositionFix) {
        latestMode = report.mode
        guard report.mode >= 2 else {
            settle()
            return
        }
        if report.fixTime != nil {
            statesTime = true
        } else if statesTime {
            return  // Part of an epoch whose time is not known yet; the full report follows.
        }
        let instant = report.fixTime.map(FixInstant.receiver) ?? .arrival(timeS: report.timeS)
        if held?.instant == instant {
            held?.report = report
            return
        }
        settle()
        held = SettledFix(report, instant: instant)
        if run.last?.instant != instant { newestFixS = report.timeS }
    }

    /// What is believed at `timeS`, on the clock of the reports.
    public func state(at timeS: Double) -> EgoState {
        var state = EgoState(mode: latestMode ?? 0, degraded: [])
        if let fix = run.last, timeS - fix.arrivalS <= Self.holdS {
            state.speedMps = believedSpeedMps
            state.position = fix.point
            state.headingDeg = believedHeadingDeg
            state.positionErrorM = fix.report.positionErrorM
            state.fixTimeS = fix.arrivalS
            state.fixTime = fix.report.fixTime
        }
        if let mode = latestMode {
            if mode < 2 {
                state.degraded.append(.gpsNoFix)
            } else if let newest = newestFixS, timeS - newest > Self.staleAfterS {
                state.degraded.append(.gpsStale)
            }
        }
        if let rejection = lastRejectionS, timeS - rejection <= Self.rejectionToldS { state.degraded.append(.gpsRejected) }
        if state.speedMps == nil { state.degraded.append(.speedUnknown) }
        return state
    }

    /// Judges the epoch that has just ended.
    private mutating func settle() {
        guard let fix = held else { return }
        held = nil
        guard fix.isPlausible else {
            reject(fix)
            return
        }
        guard let last = run.last else {
            warmUp(with: fix)
            return
        }
        switch FixPlausibility.succession(from: last, to: fix) {
        case .consistent:
            candidates = []
            believe(fix)
        case .late:
            break
        case .unrelated:
            forget()
            warmUp(with: fix)
        case .jump, .spike:
            reject(fix)
            warmUp(with: fix)
        }
    }

    /// Adds `fix` to the run of those that agree among themselves but not with what is believed, and goes over to them when it is long enough.
    private mutating func warmUp(with fix: SettledFix) {
        if let last = candidates.last {
            switch FixPlausibility.succession(from: last, to: fix) {
            case .consistent: candidates.append(fix)
            case .late: return
            case .unrelated: candidates = [fix]
            case .jump, .spike:
                if run.isEmpty { reject(fix) }
                candidates = [fix]
            }
        } else {
            candidates = [fix]
        }
        let solid = candidates.count { $0.report.mode >= 3 }
        guard solid >= Self.warmUpFixes || candidates.count >= Self.warmUpFlatFixes else { return }
        let agreed = candidates
        forget()
        for fix in agreed { believe(fix) }
    }

    private mutating func believe(_ fix: SettledFix) {
        run.append(fix)
        run.removeAll { (fix.instant.seconds(since: $0.instant) ?? .infinity) > Self.supportWindowS }
        believedSpeedMps = supportedSpeed(of: fix)
        if let speed = believedSpeedMps, speed >= Self.headingSpeedMps, let heading = fix.report.headingDeg, heading.isFinite {
            believedHeadingDeg = heading
        }
    }

    /// The speed of `fix` as far as the displacement of the last seconds bears it out.
    private mutating func supportedSpeed(of fix: SettledFix) -> Double? {
        guard let speed = fix.speedMps else { return nil }
        let isUncertain = speed > Self.headingSpeedMps && (fix.report.speedErrorMps.map { $0 > speed } ?? false)
        switch FixPlausibility.support(of: run) {
        case .supported:
            return isUncertain && runDurationS < Self.leastSupportS ? nil : speed
        case .undecided:
            return isUncertain && fix.point != nil ? nil : speed
        case .doubtful:
            return isUncertain ? nil : speed
        case .contradicted where speed <= Self.noiseSpeedMps:
            return 0
        case .contradicted:
            reject(fix)
            return nil
        }
    }

    private var runDurationS: Double {
        guard let first = run.first, let last = run.last else { return 0 }
        return last.instant.seconds(since: first.instant) ?? 0
    }

    private mutating func reject(_ fix: SettledFix) {
        rejectedCount += 1
        lastRejectionS = fix.report.timeS
    }

    private mutating func forget() {
        run = []
        candidates = []
        believedSpeedMps = nil
        believedHeadingDeg = nil
    }
}
