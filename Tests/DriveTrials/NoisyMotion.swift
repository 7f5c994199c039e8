import FleetModel
import FleetRuntime
import Foundation
import SimCore
import WorldModel

/// Stands in for the growth and shift that are measured inside the picture: the truth with that measurement's scatter.
struct NoisyMotion {
    /// Scatter of the logarithm of the scale on kitti_lead_approach.
    private static let scatter = 0.002
    /// Smaller boxes have too few corners.
    private static let smallestPx = 20.0

    private var random: SeededGenerator
    private var before: (timeS: Double, truth: TruthLine)?

    init(seed: UInt64) { random = SeededGenerator(seed: seed, purpose: "motion") }

    /// What is measured for `tracks` from the frame before to `truth`. Corners are followed on the near face, also where the frame's edge
    /// cuts the box, whose middle says nothing then.
    mutating func measure(_ tracks: [Track], _ truth: TruthLine, _ camera: PinholeCamera, atS timeS: Double) -> [Int: ImageMotion] {
        defer { before = (timeS, truth) }
        guard let before, timeS > before.timeS else { return [:] }
        var motions: [Int: ImageMotion] = [:]
        for track in tracks {
            guard min(track.box.width, track.box.height) >= Self.smallestPx, random.uniform(0...1) > 0.2,
                let old = before.truth.objects.max(by: { $0.box.iou(track.box) < $1.box.iou(track.box) }),
                old.box.iou(track.box) > 0.3, old.occluded < 0.5, let now = truth.objects.first(where: { $0.id == old.id })
            else { continue }
            let scale = old.distanceM / now.distanceM
            let (from, to) = (Self.nearFace(of: old, camera), Self.nearFace(of: now, camera))
            motions[track.id] = ImageMotion(
                logScale: log(scale) + random.normal(sd: Self.scatter), logScaleSd: 0.7 * Self.scatter,
                shiftX: to.x - from.x - (scale - 1) * (from.x - track.box.midX) + random.normal(sd: 0.3),
                shiftY: to.y - from.y - (scale - 1) * (from.y - track.box.midY) + random.normal(sd: 0.3),
                intervalS: timeS - before.timeS)
        }
        return motions
    }

    /// The middle of the near face, a car's height taken for all.
    private static func nearFace(of object: TruthLine.Object, _ camera: PinholeCamera) -> (x: Double, y: Double) {
        let point = camera.project(xM: object.lateralM, yM: 0.75, zM: object.distanceM)
        return (point.x, point.y)
    }
}
