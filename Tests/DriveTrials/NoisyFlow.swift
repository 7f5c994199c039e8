import FleetRuntime
import Foundation
import SimCore
import WorldModel

/// Stands in for the flow of the scene: points of road and house fronts as they move past, with the scatter of the measurement.
struct NoisyFlow {
    private static let pointCount = 30
    private static let scatterPx = 0.25
    private static let frontM = 11.0

    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed, purpose: "flow") }

    /// How points moved in `intervalS` up to now at `speedMps` on a road of the given curvature.
    mutating func measure(_ camera: PinholeCamera, curvaturePerM: Double, speedMps: Double, intervalS: Double) -> SceneFlow {
        let (f, centre) = (camera.focalLengthPx, camera.principalPoint)
        var points: [SceneFlow.Point] = []
        while points.count < Self.pointCount {
            let isRoad = random.uniform(0...1) < 0.5
            let z = random.uniform(6...60)
            let x = isRoad ? random.uniform(-8...8) : (random.uniform(0...1) < 0.5 ? -Self.frontM : Self.frontM)
            let below = isRoad ? camera.heightM : random.uniform(-6...1)
            func seen(_ z: Double) -> (x: Double, y: Double) {
                (centre.x + f * (x / z + curvaturePerM * z / 2), centre.y + f * below / z)
            }
            let (from, to) = (seen(z), seen(z - speedMps * intervalS))
            guard (0...Double(camera.width)).contains(from.x), (0...Double(camera.height)).contains(from.y) else { continue }
            points.append(
                SceneFlow.Point(
                    x: from.x, y: from.y, dx: to.x - from.x + random.normal(sd: Self.scatterPx),
                    dy: to.y - from.y + random.normal(sd: Self.scatterPx)))
        }
        return SceneFlow(points: points, intervalS: intervalS)
    }
}
