import FleetModel

/// Whether a road user is where the own vehicle is going to be, judged from one moment.
///
/// Sideways metres come from the thing's own width as a ruler, or from its distance where the camera is calibrated; the corridor
/// runs straight ahead from the camera, narrowing in the picture to the vanishing point. Two questions, both must be answered yes:
/// is it beside the corridor at most by a lane's margin *now*, and, where it closes, will it meet the corridor *when it is reached*?
/// The second is the seaman's rule of the constant bearing: with image velocity u of a point and growth r, that point passes the
/// camera at a lateral distance of u/r pixels of its present scale. What grows and drifts out passes by.
///
/// What counts is the side that is nearer to the corridor. A vehicle beside the corridor shows its flank too, and the flank lies
/// towards the middle of the picture, farther away: so its inner side is found from the box's *outer* edge, which is the corner of
/// its near end, and its width.
struct EgoPath: Hashable, Sendable {
    /// Half the width of the own vehicle and a margin, in m: a car of 1.8 m with 0.1 m beside it.
    static let halfWidthM = 1.0
    /// How far beside the corridor a thing that moves in may be now, in m: a lane is 3.5 m, a car keeps 0.8 m to its edge.
    static let besideM = 0.3
    /// The direction of view of a camera nobody has aligned is off by this share of the frame's width.
    static let uncalibratedAim = 0.03

    /// Where one road user is and passes, sideways from the camera.
    struct Lateral: Hashable, Sendable {
        /// From straight ahead to its nearer side, in m; negative when it lies across.
        var nearM: Double
        /// The same when it will be reached, in m; nil when it does not close.
        var missM: Double?
        /// Uncertainty of straight ahead at its distance, in m.
        var aimM: Double

        /// Whether it stands in the corridor now and, where it closes, when it is reached.
        var isInPath: Bool {
            guard let missM else { return nearM - aimM < EgoPath.halfWidthM }
            return nearM - aimM < EgoPath.halfWidthM + EgoPath.besideM && missM < EgoPath.halfWidthM
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
        let widthM = min(size.widthM, box.width * metresPerPixel)
        // Right positive; the middle of its near end.
        let isRight = box.midX >= aheadX
        let endPx = isRight ? box.maxX - widthM / metresPerPixel / 2 : box.x + widthM / metresPerPixel / 2
        let offsetM = (endPx - aheadX) * metresPerPixel
        var missM: Double?
        if track.approach.timeToCollision != nil, let growth = track.approach.growthRate {
            // The box's middle passes at u/r; its near end lies beside it by as much as now.
            let passingM = (track.lateralRatePxPerS / growth + endPx - box.midX) * metresPerPixel
            missM = abs(passingM) - widthM / 2
        }
        return Lateral(nearM: abs(offsetM) - widthM / 2, missM: missM, aimM: aimPx * metresPerPixel)
    }
}
