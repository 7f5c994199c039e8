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
    /// The path is an arc as far as is reached in this time, in s; beyond that nobody knows whether the bend goes on. Who is told of at 3.4 s must
    /// be judged well before, and oncoming traffic of 3 s stands where the vehicle is in 6. (4 s: of 200 bends with the speed unknown, oncoming
    /// lorries were warned of in 33.)
    static let longestBendS = 6.0

    /// Column of straight ahead, in pixels.
    var aheadX: Double
    /// Its uncertainty, in pixels (1 standard deviation).
    var aimSdPx: Double
    /// How the camera turns.
    var motion: EgoMotion
    /// Own speed in m/s; nil while unknown.
    var speedMps: Double?
    /// Row of the horizon, in pixels.
    var horizonY: Double
    /// How fast the road expands, per second and pixel below the horizon; nil while unknown.
    var roadExpansionPerPx: Double?
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
        /// Uncertainty of `speedMps`.
        var speedSdMps = 0.0
        /// Uncertainty of straight ahead at its distance, in m.
        var aimM: Double
        /// Uncertainty of `offsetM` from the box, in m.
        var offsetSdM: Double
        /// Its closing speed as a share of the own speed: 1 for what stands, less for what drives the same way, more for what comes towards us.
        /// Nil where its growth or the time to its place is not known.
        var closingShare: Double?
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
        let standingS = standingAfterS(distanceM: distanceM ?? metresPerPixel * focalLengthPx, lowerEdgeY: box.maxY)
        let knownS = standingS ?? track.approach.timeToCollision?.seconds
        let reachedS = knownS ?? 0
        let bentS = min(reachedS, Self.longestBendS)
        let bendPx = -motion.shiftXPxPerS * bentS / 2
        // How far the bend may be off: by the turning, and wholly where nobody knows whether it goes on or when the place is reached.
        let openS = knownS == nil ? Self.longestBendS : min(reachedS - bentS, Self.longestBendS)
        let bendSdPx = (motion.shiftXSdPxPerS * bentS + abs(motion.shiftXPxPerS) * openS) / 2
        let widthM = min(size.widthM, box.width * metresPerPixel)
        let isRight = box.midX >= aheadX + bendPx
        let endPx = isRight ? box.maxX - widthM / metresPerPixel / 2 : box.x + widthM / metresPerPixel / 2
        var lateral = Lateral(
            offsetM: (endPx - aheadX - bendPx) * metresPerPixel, widthM: widthM, aimM: aimSdPx * metresPerPixel,
            offsetSdM: 0.15 + 0.1 * widthM + bendSdPx * metresPerPixel)
        if let standingS, let growth = track.approach.growthRate { lateral.closingShare = growth * standingS }
        if let seen = track.motion, seen.logScaleSd < Self.mostScaleSd {
            // The seaman's rule of the constant bearing: with image velocity u and growth r, a point at column x from straight ahead
            // moves across by u - x·r pixels of its present scale. In a bend the path itself moves: by s for what stands, not at all
            // for what keeps its distance, in between by the share of the closing speed in the own, which is r·T.
            let (u, growth) = (seen.shiftX / seen.intervalS, seen.logScale / seen.intervalS)
            let x = box.midX - seen.shiftX / 2 - aheadX
            let closingShare = min(max(growth * reachedS, 0), Self.mostClosingShare)
            lateral.speedMps = (u - x * growth - motion.shiftXPxPerS * closingShare) * metresPerPixel
            let pixelSd = (Self.shiftSdPx + abs(x) * seen.logScaleSd) / seen.intervalS
            let turnSd = motion.shiftXSdPxPerS * closingShare
            lateral.speedSdMps = Self.leastSpeedSdMps + (pixelSd * pixelSd + turnSd * turnSd).squareRoot() * metresPerPixel
        }
        return lateral
    }

    /// Growth that is known worse than this (logarithm of the scale between two frames) says nothing about movement across.
    private static let mostScaleSd = 0.02
    /// A box's shift between two frames is known to this many pixels ...
    private static let shiftSdPx = 0.2
    /// ... and movement across never better than this, in m/s: the camera's own turning is known to 0.3 degrees per second at 40 m.
    private static let leastSpeedSdMps = 0.2
    /// Oncoming traffic closes at twice the own speed.
    private static let mostClosingShare = 2.0

    /// In how many seconds the place where a thing at `distanceM` stands will be reached. Without a speed the road at its lower edge tells it;
    /// nil where that does not either: then its time to collision has to do, as if it stood still.
    private func standingAfterS(distanceM: Double, lowerEdgeY: Double) -> Double? {
        if let speedMps { return distanceM / max(speedMps, 1) }
        let belowPx = lowerEdgeY - horizonY
        guard let roadExpansionPerPx, roadExpansionPerPx > 0, belowPx > Self.leastBelow * frame.height else { return nil }
        return 1 / (roadExpansionPerPx * belowPx)
    }

    /// Nearer to the horizon, in shares of the frame's height, a row says nothing about the distance.
    private static let leastBelow = 0.02
}
