/// Whether a road user is in the own path, over time.
///
/// Its place beside the path and its movement across are filtered. Two questions, both must be answered yes: is it beside the path at
/// most by a margin *now*, and, where it closes, will it meet the path *when it is reached*? What grows and drifts out passes by; what
/// stands beside and stays there does too. Time inside counts up and time outside down, within a bound, with two thresholds: what
/// flickers about the edge is not in the path.
struct PathMembership: Hashable, Sendable {
    /// Half the width of the own vehicle and a margin, in m: a car of 1.8 m with 0.1 m beside it.
    static let halfWidthM = 1.0
    /// How far beside the path a vehicle that moves in may be now, in m: a lane is 3.5 m, a car keeps 0.8 m to its edge.
    static let besideM = 0.5
    /// The same for who walks or rides across: a step from the kerb, and half of the lane beside the own.
    static let crossingBesideM = 3.5
    /// Walking pace at least, towards the path, makes a crossing, in m/s (persons walk at 1.2 to 1.5).
    static let leastCrossingMps = 0.5
    /// Who crosses is looked for on the path with this margin, in m, and this much more for each second until then: a walker's pace changes, and
    /// who is just past the own path when it is reached has only to hesitate.
    static let crossingMarginM = 0.5
    static let crossingMarginMps = 0.3
    /// A vehicle that moves in does so at this pace at least, in m/s (a lane change of 3.5 m takes 3 to 6 s), and for sure by this many
    /// standard deviations; less is the scatter of boxes.
    static let leastCutInMps = 0.6
    static let cutInSds = 3.0
    /// Who moves in drives, and so closes more slowly than what stands: by less than this share of the own speed. Half hidden parked cars seem
    /// to move in, for the nearer one that hides them grows faster.
    static let drivingShare = 0.8
    /// What closes like a standing thing and moves across is crossing traffic, at this pace at least, in m/s.
    static let leastTrafficCrossingMps = 2.5
    /// Movement across may change by this within a second, in m/s: a swerve has 3, a lane change 1.
    static let acrossNoise = 0.8
    /// Nobody looks farther ahead than this, in s.
    static let longestAheadS = 3.0
    /// Inside for this much longer than outside makes it a member, in s: no longer than a track needs to be told from noise anyway.
    static let entersAfterS = 0.2
    /// What is counted at most, in s: a member is let go after 0.2 s outside.
    static let mostS = 0.3
    /// One sight counts for this at most, in s: it says nothing about the gap before it.
    static let mostPerSightS = 0.11
    /// Below this it is a member no more, in s.
    static let leavesAtS = 0.1

    private var insideS = 0.0
    private var lastS: Double?
    private var across: RateFilter?
    private var aimM = 0.0
    private var widthM = 0.0
    private var closingShare: Double?
    /// The answer.
    private(set) var isMember = false

    /// Whether it moves across the path at walking pace, for sure by two standard deviations.
    var isWalkingAcross: Bool {
        across.map { abs($0.rate) >= max(Self.leastCrossingMps, 2 * $0.rateSd) } ?? false
    }

    /// Takes in where it is at `now`; it is reached in `ttcS` seconds, nil when it does not close.
    mutating func observe(_ lateral: EgoPath.Lateral, isVehicle: Bool, ttcS: Double?, atS now: Double) {
        var filter = across ?? RateFilter(value: lateral.offsetM, valueSd: lateral.offsetSdM, rateSd: 1)
        if across != nil {
            filter.predict(seconds: max(0, now - (lastS ?? now)), rateNoise: Self.acrossNoise)
            filter.observe(value: lateral.offsetM, sd: lateral.offsetSdM)
        }
        if let speed = lateral.speedMps { filter.observe(rate: speed, sd: lateral.speedSdMps) }
        across = filter
        (aimM, widthM, closingShare) = (lateral.aimM, lateral.widthM, lateral.closingShare)
        count(isInside: isInside(isVehicle: isVehicle, ttcS: ttcS), atS: now)
    }

    /// Takes in that it reaches over the frame's edge: then neither its middle nor its size is known. Who was in the path and still
    /// reaches over straight ahead is close in front; nobody comes into the path that way.
    mutating func observeCut(reachesAhead: Bool, atS now: Double) {
        across = nil
        count(isInside: isMember && reachesAhead, atS: now)
    }

    private func isInside(isVehicle: Bool, ttcS: Double?) -> Bool {
        guard let across else { return false }
        let nearM = abs(across.value) - widthM / 2 - min(aimM, Self.mostAimM)
        guard let ttcS else { return nearM < Self.halfWidthM }
        let ahead = min(ttcS, Self.longestAheadS)
        // Who moves in must do so for sure; who moves out is believed sooner, as everything that is passed does.
        let movesIn = across.value * across.rate < 0
        let drives = closingShare.map { $0 < Self.drivingShare } ?? true
        let leastMps = movesIn && !drives ? Self.leastTrafficCrossingMps : Self.leastCutInMps
        let isSure = abs(across.rate) >= max(leastMps, movesIn ? Self.cutInSds * across.rateSd : 0)
        let reachedM = abs(across.value + (isSure || !isVehicle ? across.rate * ahead : 0)) - widthM / 2
        let isCrossing = !isVehicle && across.value * across.rate < 0 && abs(across.rate) >= Self.leastCrossingMps
        return isCrossing
            ? nearM < Self.halfWidthM + Self.crossingBesideM
                && reachedM < Self.halfWidthM + Self.crossingMarginM + Self.crossingMarginMps * ahead
            : nearM < Self.halfWidthM + Self.besideM && reachedM < Self.halfWidthM
    }

    /// Straight ahead is not doubted by more than this, in m: else far things would all be in the path.
    private static let mostAimM = 0.5

    /// Counts the judgement of the moment `now`.
    mutating func count(isInside: Bool, atS now: Double) {
        let elapsed = min(max(0, now - (lastS ?? now)), Self.mostPerSightS)
        lastS = now
        insideS = min(max(0, insideS + (isInside ? elapsed : -elapsed)), Self.mostS)
        if insideS >= Self.entersAfterS - 1e-9 { isMember = true }
        if insideS < Self.leavesAtS { isMember = false }
    }
}
