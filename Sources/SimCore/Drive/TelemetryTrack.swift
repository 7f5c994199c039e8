import FleetModel
import FleetRuntime
import Foundation
import WorldModel

/// What a satellite receiver would report along a drive: five fixes a second, with a little noise from the seed.
///
/// The noise is that of a good receiver under an open sky: 0.05 m/s of speed
/// (u-blox M8 data sheet), and a position error that wanders slowly by about a metre rather than jumping.
public struct TelemetryTrack: Sendable {
    /// Seconds between two fixes.
    public static let intervalS = 0.2
    private static let speedNoiseMps = 0.05
    private static let metresPerDegree = 6_371_008.8 * Double.pi / 180

    private let scenario: Scenario
    private var random: SeededGenerator
    private let start: (latitude: Double, longitude: Double, altitudeM: Double)
    private let headingDeg: Double
    private var wander = (north: 0.0, east: 0.0, up: 0.0)

    /// The fixes of `scenario`; the seed also chooses where on earth the road lies.
    public init(scenario: Scenario, seed: UInt64) {
        self.scenario = scenario
        random = SeededGenerator(seed: seed, purpose: "telemetry")
        start = (48.1 + random.uniform(-0.05...0.05), 11.55 + random.uniform(-0.05...0.05), 515 + random.uniform(-10...10))
        headingDeg = random.uniform(0...359.9).rounded(toPlaces: 1)
    }

    /// All fixes from 0 to `durationS`.
    public mutating func fixes(durationS: Double) -> [PositionFix] {
        (0...Int((durationS / Self.intervalS).rounded(.down))).map { fix(at: Double($0) * Self.intervalS) }
    }

    private mutating func fix(at t: Double) -> PositionFix {
        let ego = scenario.ego.state(at: t)
        wander.north = 0.98 * wander.north + random.normal(sd: 0.08)
        wander.east = 0.98 * wander.east + random.normal(sd: 0.08)
        wander.up = 0.98 * wander.up + random.normal(sd: 0.15)
        let along = place(afterM: ego.positionM)
        let north = along.north + wander.north
        let east = along.east + wander.east
        var fix = PositionFix(mode: 3, timeS: t)
        fix.latitude = start.latitude + north / Self.metresPerDegree
        fix.longitude = start.longitude + east / (Self.metresPerDegree * cos(start.latitude * .pi / 180))
        fix.altitudeM = start.altitudeM + wander.up
        fix.speedMps = max(0, ego.speedMps + random.normal(sd: Self.speedNoiseMps))
        fix.headingDeg = along.headingDeg
        fix.hdop = 0.8 + random.uniform(0...0.3)
        fix.speedErrorMps = 0.3
        return fix
    }

    /// Where the road is after `metres`, m from its beginning, and its direction there.
    private func place(afterM metres: Double) -> (north: Double, east: Double, headingDeg: Double) {
        let start = headingDeg * .pi / 180
        let curvature = scenario.curvaturePerM
        guard curvature != 0 else { return (metres * cos(start), metres * sin(start), headingDeg) }
        let end = start + curvature * metres
        let degrees = (end * 180 / .pi).truncatingRemainder(dividingBy: 360)
        return (
            (sin(end) - sin(start)) / curvature, (cos(start) - cos(end)) / curvature,
            (degrees < 0 ? degrees + 360 : degrees).rounded(toPlaces: 1)
        )
    }
}
