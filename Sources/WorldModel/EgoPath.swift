import FleetModel

/// Whether a road user is where the own vehicle is going to be, judged from one moment.
///
/// Sideways metres come from the thing's own width as a ruler, or from its distance where the camera is calibrated; the corridor
/// begins straight ahead of the camera, towards the vanishing point, and bends as the vehicle turns. Two questions, both must be
/// answered yes: is it beside the corridor at most by a margin *now*, and, where it closes, will it meet the corridor *when it is
/// reached*? The second is the seaman's rule of the constant bearing: with image velocity u of a point (less what the camera's own
/// turning gives to everything) and growth r, that point passes the camera at a lateral distance of u/r pixels of its present scale.
/// What grows and drifts out passes by. That answer does not depend on where straight ahead is.
///
/// While the vehicle turns, far things shift by s pixels per second; a thing that is reached in T seconds at the own speed then lies
/// on the path when it stands s·T/2 pixels against the shift from straight ahead (an arc of a circle, to second order).
///
/// What counts is the side that is nearer to the corridor. A vehicle beside the corridor shows its flank too, and the flank lies
/// towards the middle of the picture, farther away: so its inner side is found from the box's *outer* edge, which is the corner of
/// its near end, and its width. Nothing here knows which side of the road traffic keeps to.
struct EgoPath: Hashable, Sendable {
    /// Half the width of the own vehicle and a margin, in m: a car of 1.8 m with 0.1 m beside it.
    static let halfWidthM = 1.0
    /// How far beside the corridor a thing that moves in may be now, in m: a lane is 3.5 m, a car keeps 0.8 m to its edge.
    static let besideM = 0.3
    /// The same for who walks or rides across: a step from the kerb, and half of the lane beside the own.
    static let crossingBesideM = 3.5
    /// Walking pace at least, towards the corridor, makes a crossing, in m/s (persons walk at 1.2 to 1.5).
    static let leastCrossingMps = 0.5
    /// The path is not bent for what is reached later than this, in s: nobody knows how long a bend goes on.
    static let longestBendS = 3.0

    /// Column of straight ahead, in pixels.
    var aheadX: Double
    /// Its uncertainty, in pixels (1 standard deviation).
    var aimSdPx: Double
    /// How the camera turns.
    var motion: EgoMotion
    /// Own speed in m/s; nil while unknown.
    var speedMps: Double?
    /// Focal length in pixels, of the calibration or assumed.
    var focalLengthPx: Double
    var frame: FrameSize

    /// Where one road user is and passes, sideways from the path.
    struct Lateral: Hashable, Sendable {
        /// From the path to its nearer side, in m; negative when it lies across.
        var nearM: Double
        /// The same when it will be reached, in m; nil when it does not close.
        var missM: Double?
        /// Uncertainty of straight ahead at its distance, in m.
        var aimM: Double
        /// Whether it walks or rides towards the path.
        var isCrossing = false

        /// Whether it stands in the corridor now and, where it closes, when it is reached.
        var isInPath: Bool {
            guard let missM else { return nearM - aimM < EgoPath.halfWidthM }
            let beside = isCrossing ? EgoPath.crossingBesideM : EgoPath.besideM
            return nearM - aimM < EgoPath.halfWidthM + beside && missM < EgoPath.halfWidthM
        }
    }

    /// Whether `track` is where the own vehicle is going to be; `distanceM` only from a calibrated camera.
    func contains(_ track: Track, distanceM: Double?) -> Bool {
        if frame.cuts(track.box).contains(.side) {
            // Neither its middle nor its size is known. What is cut by a side and still reaches straight ahead is close in front.
            return track.box.x < aheadX && track.box.maxX > aheadX
        }
        return lateral(of: track, distanceM: distanceM).isInPath
    }

    /// Judges `track`, which no side of the frame cuts.
    func lateral(of track: Track, distanceM: Double?) -> Lateral {
        let box = track.box
        let size = TypicalSize.of(track.roadUser)
        let metresPerPixel: Double =
            if let distanceM {
                distanceM / focalLengthPx
            } else if track.roadUser.isVehicle {
                // Seen at an angle a box shows the flank too: its height then is the better ruler.
                max(size.widthM / box.width, size.heightM / box.height)
            } else {
                size.heightM / box.height
            }
        let ttcS = track.approach.timeToCollision?.seconds
        let bendPx = bend(distanceM: distanceM ?? metresPerPixel * focalLengthPx, ttcS: ttcS)
        let widthM = min(size.widthM, box.width * metresPerPixel)
        // Right positive; the middle of its near end.
        let isRight = box.midX >= aheadX + bendPx
        let endPx = isRight ? box.maxX - widthM / metresPerPixel / 2 : box.x + widthM / metresPerPixel / 2
        let offsetM = (endPx - aheadX - bendPx) * metresPerPixel
        var lateral = Lateral(nearM: abs(offsetM) - widthM / 2, aimM: aimSdPx * metresPerPixel)
        if ttcS != nil, let growth = track.approach.growthRate {
            let drift = track.lateralRatePxPerS - motion.shiftXPxPerS
            // The box's middle passes at u/r; its near end lies beside it by as much as now.
            let passingM = (drift / growth + endPx - box.midX - bendPx) * metresPerPixel
            lateral.missM = abs(passingM) - widthM / 2
            if !track.roadUser.isVehicle {
                let acrossMps = (passingM - offsetM) * growth
                lateral.isCrossing = acrossMps * offsetM < 0 && abs(acrossMps) >= Self.leastCrossingMps
            }
        }
        return lateral
    }

    /// How far beside straight ahead the path lies, in pixels, where a thing at `distanceM` is; what stands there is reached after
    /// distance over own speed, and without a speed after its time to collision.
    private func bend(distanceM: Double, ttcS: Double?) -> Double {
        let reachedAfterS: Double? = speedMps.map { distanceM / max($0, 1) } ?? ttcS
        return -motion.shiftXPxPerS * min(reachedAfterS ?? 0, Self.longestBendS) / 2
    }
}
