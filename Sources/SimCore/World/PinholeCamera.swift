import FleetModel
import Foundation
import Imaging
import WorldModel

/// A level pinhole camera without distortion in the middle of the ego lane.
///
/// Camera axes: x to the right, y up from the road, z ahead, metres. u = cx + f x / z, v = cy + f (h - y) / z.
public struct PinholeCamera: Hashable, Sendable {
    /// Picture size, pixels.
    public let width: Int
    public let height: Int
    /// Focal length, pixels: half the width over the tangent of half the horizontal field of view.
    public let focalLengthPx: Double
    /// Metres above the road.
    public let heightM: Double

    /// Nothing nearer than this is drawn, m.
    static let nearestM = 1.0

    /// A camera whose picture spans `hfovDeg` degrees from its left to its right edge.
    public init(width: Int, height: Int, hfovDeg: Double, heightM: Double) {
        self.width = width
        self.height = height
        focalLengthPx = Double(width) / 2 / tan(hfovDeg * .pi / 360)
        self.heightM = heightM
    }

    /// Where the optical axis meets the picture: its middle.
    public var principalPoint: CanvasPoint { CanvasPoint(x: Double(width) / 2, y: Double(height) / 2) }

    /// What replay needs to know about the camera.
    public var calibration: CameraCalibration {
        CameraCalibration(
            width: width, height: height, focalLengthPx: focalLengthPx.rounded(toPlaces: 3), principalPointX: principalPoint.x,
            principalPointY: principalPoint.y, heightM: heightM, pitchDeg: 0)
    }

    /// Where a point is seen; `zM` must be positive.
    public func project(xM: Double, yM: Double, zM: Double) -> CanvasPoint {
        CanvasPoint(
            x: principalPoint.x + focalLengthPx * xM / zM, y: principalPoint.y + focalLengthPx * (heightM - yM) / zM)
    }

    /// The upright rectangle round what the frame shows of a box-shaped thing whose near face stands at `distanceM`; nil when it
    /// does not lie wholly ahead or nothing of it is in the frame.
    ///
    /// Not the whole rectangle cut to the frame: of a car that is half past, the high near end may be outside already while its low far end
    /// is still seen.
    public func box(lateralM: Double, distanceM: Double, widthM: Double, heightM: Double, lengthM: Double) -> Box? {
        guard distanceM >= Self.nearestM else { return nil }
        let (left, right) = (lateralM - widthM / 2, lateralM + widthM / 2)
        let (near, far) = (distanceM, distanceM + lengthM)
        let face = { (corners: [(x: Double, y: Double, z: Double)]) in corners.map { project(xM: $0.x, yM: $0.y, zM: $0.z) } }
        let faces = [
            face([(left, 0, near), (left, heightM, near), (right, heightM, near), (right, 0, near)]),
            face([(left, 0, far), (left, heightM, far), (right, heightM, far), (right, 0, far)]),
            face([(left, 0, near), (left, heightM, near), (left, heightM, far), (left, 0, far)]),
            face([(right, 0, near), (right, heightM, near), (right, heightM, far), (right, 0, far)]),
        ]
        let seen = faces.flatMap(insideFrame)
        guard let minX = seen.map(\.x).min(), let maxX = seen.map(\.x).max(), let minY = seen.map(\.y).min(),
            let maxY = seen.map(\.y).max(), maxX > minX, maxY > minY
        else { return nil }
        return Box(x: minX, y: minY, width: maxX - minX, height: maxY - minY)
    }

    /// The corners of what the frame shows of a convex polygon: cut along one edge of the frame after the other (Sutherland and Hodgman).
    private func insideFrame(_ polygon: [CanvasPoint]) -> [CanvasPoint] {
        let depths: [(CanvasPoint) -> Double] = [
            { $0.x }, { Double(width) - $0.x }, { $0.y }, { Double(height) - $0.y },
        ]
        return depths.reduce(polygon) { corners, depth in
            zip(corners, corners.dropFirst() + corners.prefix(1)).flatMap { from, to in
                let (a, b) = (depth(from), depth(to))
                let kept = a >= 0 ? [from] : []
                guard (a < 0) != (b < 0) else { return kept }
                let share = a / (a - b)
                return kept + [CanvasPoint(x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share)]
            }
        }
    }
}
