import FleetModel

/// Who walks across the road hardly moves along it, so the place where he walks is reached at the own speed.
///
/// A walker is seen some 50 pixels tall when a warning is due, and what so small a box grows by is known too badly. Distance and own speed
/// know it better: growth is speed over distance. It is taken together with the growth that is seen, unless the two contradict each other.
enum CrossingWalker {
    /// How much of the walk may go along the road, in m/s (1 standard deviation; walking pace is 1.2 to 1.5).
    static let alongSdMps = 1.0
    /// By this many standard deviations seen and expected growth may differ.
    static let mostSds = 2.5

    /// The time to collision of `approach` at `distanceM` ± `distanceSdM` and the own speed; what `approach` says alone where they contradict.
    static func timeToCollision(
        _ approach: TimeToCollisionEstimator, distanceM: Double, distanceSdM: Double, speedMps: Double
    ) -> TimeToCollision? {
        guard let growth = approach.growthRate, distanceM > 0, speedMps > 0 else { return approach.timeToCollision }
        let expected = speedMps / distanceM
        let (place, pace) = (distanceSdM / distanceM, alongSdMps / speedMps)
        let sd = expected * (place * place + pace * pace).squareRoot()
        let doubt = (sd * sd + approach.growthRateSd * approach.growthRateSd).squareRoot()
        guard abs(growth - expected) <= mostSds * doubt else { return approach.timeToCollision }
        return approach.timeToCollision(expectingRate: expected, sd: sd)
    }
}
