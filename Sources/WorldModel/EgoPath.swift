import FleetModel

/// Whether a road user is where the own vehicle is going to be.
///
/// Sideways metres come from the thing's own width as a ruler, or from its distance where the camera is calibrated; the corridor
/// runs straight ahead from the camera, narrowing in the picture to the vanishing point. Two questions, both must be answered yes:
/// is it beside the corridor at most by a lane's margin *now*, and, where it closes, will it meet the corridor *when it is reached*?
/// The second is the seaman's rule of the constant bearing: with image velocity u of its centre and growth r, a thing passes the
/// camera at a lateral distance of u/r pixels of its present scale. What grows and drifts out passes by.
struct EgoPath: Hashable, Sendable {
    /// Half the width of the own vehicle and a margin, in m: a car of 1.8 m with 0.1 m beside it.
    static let halfWidthM = 1.0
    /// How far beside the corridor a thing that moves in may be now, in m: a lane is 3.5 m, a car keeps 0.8 m to its edge.
    static let besideM = 0.3
    /// The direction of view of a camera nobody has aligned is off by this share of the frame's width.
    static let uncalibratedAim = 0.03

    /// Where one road user is and passes, sideways from the camera; right positive.
    struct Lateral: Hashable, Sendable {
        /// Offset of its centre from straight ahead, in m.
        var offsetM: Double
        /// Offset of its centre when it will be reached, in m; nil when it does not close.
        var passingM: Double?
        /// Half of its own width as seen from behind, in m: the flank that a box may show as well is no wider.
        var halfWidthM: Double
        /// Uncertainty of straight ahead at its distance, in m.
        var aimM: Double

        /// Whether it stands in the corridor now and, where it closes, when it is reached.
        var isInPath: Bool {
            let near = abs(offsetM) - halfWidthM - aimM
            guard let passingM else { return near < EgoPath.halfWidthM }
            let miss = abs(passingM) - halfWidthM
            return near < EgoPath.halfWidthM + EgoPath.besideM && miss < EgoPath.halfWidthM
        }
    }

    /// Whether `track` is where the own vehicle is going to be.
    static func isInPath(_ track: Track, distanceM: Double?, camera: CameraCalibration?, frame: FrameSize) -> Bool {
        let aheadX = camera?.principalPointX ?? frame.width / 2
        if frame.cuts(track.box).contains(.side) {
            // Neither its middle nor its size is known. What is cut by a side and still reaches straight ahead is close in front.
            return track.box.x < aheadX && track.box.maxX > aheadX
        }
        return lateral(of: track, distanceM: distanceM, camera: camera, frame: frame).isInPath
    }

    /// Judges `track`, which no side of the frame cuts; `distanceM` only from a calibrated camera.
    static func lateral(of track: Track, distanceM: Double?, camera: CameraCalibration?, frame: FrameSize) -> Lateral {
        let box = track.box
        let size = TypicalSize.of(track.roadUser)
        let metresPerPixel: Double =
            if let distanceM, let camera {
                distanceM / camera.focalLengthPx
            } else if track.roadUser.isVehicle {
                // Seen at an angle a box shows the flank too: its height then is the better ruler.
                max(size.widthM / box.width, size.heightM / box.height)
            } else {
                size.heightM / box.height
            }
        let aheadX = camera?.principalPointX ?? frame.width / 2
        let aimPx = camera == nil ? uncalibratedAim * frame.width : 0.005 * frame.width
        var passingM: Double?
        if track.approach.timeToCollision != nil, let growth = track.approach.growthRate {
            passingM = track.lateralRatePxPerS / growth * metresPerPixel
        }
        return Lateral(
            offsetM: (box.midX - aheadX) * metresPerPixel, passingM: passingM,
            halfWidthM: min(size.widthM, box.width * metresPerPixel) / 2, aimM: aimPx * metresPerPixel)
    }
}
