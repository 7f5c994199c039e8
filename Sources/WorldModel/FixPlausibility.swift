import Foundation

/// Whether two fixes of one vehicle can follow each other, and whether a run of them moves as fast as it says.
///
/// Pure functions on numbers; the thresholds are those of a road vehicle.
enum FixPlausibility {
    /// Highest speed of a road vehicle that is believed, m/s (360 km/h).
    static let maximumSpeedMps = 100.0
    /// Longest time between two fixes that are compared, s; after more the receiver has to warm up again.
    static let maximumGapS = 5.0
    /// How far a receiver's clock may run back for a fix to count as late and not as a new clock, s.
    static let reorderS = 2.0
    /// Strongest acceleration, m/s²: 0 to 100 km/h in 5.6 s, beyond what lorries, vans and nearly all cars do.
    static let accelerationMps2 = 5.0
    /// Strongest braking, m/s²: dry friction (coefficient about 1) and a margin for grade and pitch.
    static let brakingMps2 = 12.0
    /// Scatter of one reported speed, m/s: three times the 0.5 m/s that receivers' data sheets give for a moving antenna, 95 %.
    static let speedScatterMps = 1.5
    /// Displacement beyond the reported speeds that is no jump, m: a weak fix drifts this far between two reports
    /// (quectel-eg25-g of the gpsd test logs: 40 m typically, jumps of 60 to 100 m).
    static let jumpAllowanceM = 50.0
    /// Strongest cornering, m/s²; passenger cars reach about 8 on dry roads, traffic stays below 4.
    static let corneringMps2 = 6.0
    /// Smallest radius of a turn, m: turning circles of cars start at 10 m.
    static let turningRadiusM = 5.0
    /// Share of the displacement that is asked for; the rest is the receiver's smoothing of speed and position.
    static let supportShare = 0.8
    /// Scatter of a displacement between fixes a few seconds apart, m; well below the 8 m (95 %) of the absolute
    /// position in the GPS SPS Performance Standard of 2020, because the errors are shared.
    static let displacementScatterM = 5.0

    /// How a fix follows an earlier one.
    enum Succession: Equatable {
        case consistent
        /// A little older than the earlier fix: it arrived late.
        case late
        /// Too long after, or on another clock: they cannot be compared.
        case unrelated
        /// The positions are too far apart for the time between.
        case jump
        /// The speeds are too far apart for the time between.
        case spike
    }

    /// How `later` follows `earlier`.
    static func succession(from earlier: SettledFix, to later: SettledFix) -> Succession {
        guard let dt = later.instant.seconds(since: earlier.instant), dt > -reorderS, dt <= maximumGapS else { return .unrelated }
        guard dt > 0 else { return .late }
        if let from = earlier.point, let to = later.point {
            let speed = max(earlier.speedMps ?? maximumSpeedMps, later.speedMps ?? maximumSpeedMps)
            guard from.distanceM(to: to) <= 1.5 * speed * dt + jumpAllowanceM else { return .jump }
        }
        if let before = earlier.speedMps, let after = later.speedMps {
            guard after - before <= accelerationMps2 * dt + speedScatterMps, before - after <= brakingMps2 * dt + speedScatterMps
            else { return .spike }
        }
        return .consistent
    }

    /// Whether a run's displacement bears out its speeds.
    enum Support: Equatable {
        case supported
        /// Displacement is short of the speeds, within its scatter.
        case doubtful
        /// The vehicle has not gone where these speeds would have taken it.
        case contradicted
        /// Too short a run, or no positions.
        case undecided
    }

    /// Compares the distance between the ends of `run` with the shortest one that its speeds allow.
    ///
    /// A vehicle that travels an arc of length s turns by at most θ = min(a·T/v, s/r) (cornering limit a, turning radius r), so its
    /// ends are at least the chord s·sin(θ/2)/(θ/2) apart.
    static func support(of run: [SettledFix]) -> Support {
        guard run.count >= 3, let first = run.first, let last = run.last, let from = first.point, let to = last.point,
            let duration = last.instant.seconds(since: first.instant), duration > 0
        else { return .undecided }
        var travelled = 0.0
        for (a, b) in zip(run, run.dropFirst()) {
            guard let after = b.speedMps ?? a.speedMps, let dt = b.instant.seconds(since: a.instant) else { return .undecided }
            travelled += ((a.speedMps ?? after) + after) / 2 * dt
        }
        let turn = min(corneringMps2 * duration * duration / max(travelled, 0.01), travelled / turningRadiusM)
        let chord = turn >= 2 * .pi ? 0 : turn < 0.01 ? travelled : travelled * sin(turn / 2) / (turn / 2)
        let displacement = from.distanceM(to: to)
        if displacement >= supportShare * chord { return .supported }
        return displacement + displacementScatterM >= supportShare * chord ? .doubtful : .contradicted
    }
}
