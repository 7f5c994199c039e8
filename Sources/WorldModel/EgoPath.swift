import FleetModel

/// Where the own vehicle is going to be, and where a road user lies beside that, in metres.
///
/// Sideways metres come from the thing's own width as a ruler, or from its distance where the camera is calibrated. The path begins
/// straight ahead of the camera, towards the vanishing point, and bends as the vehicle turns: while it turns, far things shift by s
/// pixels per second, and a thing that is reached in T seconds at the own speed lies on the path when it stands s·T/2 pixels against
/// the shift from straight ahead (an arc of a circle, to second order).
///
/// What counts is the side that is nearer to the path. A vehicle beside the path shows its flank too, and the flank lies towards the
/// middle of the picture, farther away: so its inner side is found from the box's *outer* edge, which is the corner of its near end,
/// and its width. Nothing here knows which side of the road traffic keeps to.
struct EgoPath: Hashable, Sendable {
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

    /// Where one road user is at one moment, sideways from the path.
    struct Lateral: Hashable, Sendable {
        /// From the path to the middle of its near end, in m, right positive.
        var offsetM: Double
        /// Its width, in m.
        var widthM: Double
        /// Its own movement across the path, in m/s, right positive; nil where its growth is not known.
        var speedMps: Double?
        /// Uncertainty of straight ahead at its distance, in m.
        var aimM: Double
        /// Uncertainty of `offsetM` from the box, in m.
        var offsetSdM: Double
    }

    /// Judges `track`, which no side of the frame cuts; `distanceM` only from a calibrated camera.
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
        let bendPx = bend(distanceM: distanceM ?? metresPerPixel * focalLengthPx, ttcS: track.approach.timeToCollision?.seconds)
        let widthM = min(size.widthM, box.width * metresPerPixel)
        let isRight = box.midX >= aheadX + bendPx
        let endPx = isRight ? box.maxX - widthM / metresPerPixel / 2 : box.x + widthM / metresPerPixel / 2
        var lateral = Lateral(
            offsetM: (endPx - aheadX - bendPx) * metresPerPixel, widthM: widthM, aimM: aimSdPx * metresPerPixel,
            offsetSdM: 0.15 + 0.1 * widthM)
        if let growth = track.approach.growthRate, track.approach.growthRateSd < Self.mostGrowthSd {
            // The seaman's rule of the constant bearing: with image velocity u (less what the camera's own turning gives to
            // everything) and growth r, a point at column x from straight ahead moves across by u - x·r pixels of its present scale.
            let drift = track.lateralRatePxPerS - motion.shiftXPxPerS
            lateral.speedMps = (drift - (box.midX - aheadX) * growth) * metresPerPixel
        }
        return lateral
    }

    /// Growth that is known worse than this (1/s) says nothing about movement across.
    private static let mostGrowthSd = 0.15

    /// How far beside straight ahead the path lies, in pixels, where a thing at `distanceM` is; what stands there is reached after
    /// distance over own speed, and without a speed after its time to collision.
    private func bend(distanceM: Double, ttcS: Double?) -> Double {
        let reachedAfterS: Double? = speedMps.map { distanceM / max($0, 1) } ?? ttcS
        return -motion.shiftXPxPerS * min(reachedAfterS ?? 0, Self.longestBendS) / 2
    }
}
