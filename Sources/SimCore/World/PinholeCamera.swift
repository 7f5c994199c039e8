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

    /// The upright rectangle round a box-shaped thing whose near face stands at `distanceM`, not cut to the frame; nil when it
    /// does not lie wholly ahead.
    public func box(lateralM: Double, distanceM: Double, widthM: Double, heightM: Double, lengthM: Double) -> Box? {
        guard distanceM >= Self.nearestM else { return nil }
        var corners: [CanvasPoint] = []
        for z in [distanceM, distanceM + lengthM] {
            corners.append(project(xM: lateralM - widthM / 2, yM: heightM, zM: z))
            corners.append(project(xM: lateralM + widthM / 2, yM: 0, zM: z))
        }
        let (xs, ys) = (corners.map(\.x), corners.map(\.y))
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else { return nil }
        return Box(x: left, y: top, width: right - left, height: bottom - top)
    }
}
