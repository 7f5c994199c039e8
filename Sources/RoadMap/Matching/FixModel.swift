import Glibc
import WorldModel

/// How well a fix goes with a place on a road.
struct FixModel {
    /// Standard deviation of a fix without a stated error, m (GPS in a city), and the bounds of a stated one.
    private static let usualSdM = 6.0
    private static let sdBoundsM = 3.0...25.0
    /// What a fix counts as evidence of the place: a receiver's error wanders slowly, so that fixes a second apart repeat each other, and a few
    /// of them together say no more than one.
    private static let evidence = 0.3
    /// Standard deviation of the lane about the way's line, m: one line often stands for several lanes.
    private static let laneSdM = 3.5
    /// Standard deviation of a heading at speed, degrees: lane changes, and curves that the map draws as corners.
    private static let headingSdDeg = 15.0
    /// Slowest movement whose heading is looked at, m/s.
    private static let headingSpeedMps = 2.0
    /// Most that a heading can count against a road, in logarithm: a wrong heading must not outweigh everything.
    private static let headingFloor = -10.0

    private let point: MapPlane.Point
    private let heading: MapPlane.Point?
    private let headingSdDeg: Double
    /// Variance of the position along one axis, m².
    let variance: Double
    /// Farthest that a road may be from the fix, m.
    let reachM: Double

    init(_ fix: MapMatcher.Fix, at point: MapPlane.Point) {
        self.point = point
        let sd = fix.errorM.map { min(max($0 / 2, Self.sdBoundsM.lowerBound), Self.sdBoundsM.upperBound) } ?? Self.usualSdM
        variance = sd * sd
        reachM = 15 + 3 * sd
        // A direction is worth more the faster the vehicle is.
        let speed = fix.speedMps ?? 0
        headingSdDeg = Self.headingSdDeg + 40 / max(speed, 1)
        if let degrees = fix.headingDeg, speed >= Self.headingSpeedMps {
            heading = MapPlane.Point(x: sin(degrees * .pi / 180), y: cosine(degrees * .pi / 180))
        } else {
            heading = nil
        }
    }

    /// `hypothesis` drawn to the fix along its road, with the weight that the fix gives it; nil when it is out of reach.
    func weigh(_ hypothesis: Hypothesis, in network: RoadNetwork) -> Hypothesis? {
        var seen = hypothesis
        let road = network.roads[hypothesis.road]
        let (place, tangent) = road.place(at: hypothesis.along)
        let away = point - place
        let along = away.dot(tangent)
        let across = tangent.cross(away)
        guard abs(across) <= reachM + 10, abs(along) <= reachM + 40 else { return nil }
        let acrossVariance = variance + Self.laneSdM * Self.laneSdM
        let alongVariance = variance + hypothesis.variance
        let misfit = across * across / acrossVariance + along * along / alongVariance + log(alongVariance / variance)
        seen.logWeight -= Self.evidence * misfit / 2
        let gain = hypothesis.variance / alongVariance
        seen.along = min(max(hypothesis.along + gain * along, 0), road.length)
        seen.variance = max(hypothesis.variance * (1 - gain), 0.25)
        if let heading {
            let sign: Double = hypothesis.direction == .forward ? 1 : -1
            let angle = atan2(abs(tangent.cross(heading)), sign * tangent.dot(heading)) * 180 / .pi
            seen.logWeight += max(-angle * angle / (2 * headingSdDeg * headingSdDeg), Self.headingFloor)
        }
        return seen
    }
}
