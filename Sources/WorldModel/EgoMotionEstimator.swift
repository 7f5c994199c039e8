import Foundation

/// Finds out from the flow of the scene how the camera turns and where straight ahead is.
///
/// A point of the scene at image position p moves by v = t + k (p - e): t is the shift that the camera's turning gives to everything
/// far or near, e the vanishing point ("focus of expansion", Gibson 1950), k >= 0 how much nearer the point has come relative to its
/// distance. Across the line from e to p only t and the error of e count, so with n across that line
///
///     n·v = n·t - k n·(e' - e)
///
/// is linear in t and in the correction e' - e; four unknowns, some hundred points, Tukey's biweight against what moves by itself.
/// Turning is believed frame by frame; the vanishing point is a property of the mounting, so its corrections go into a slow filter,
/// and only from moments in which the vehicle moves and hardly turns (in a bend the direction of travel at the camera is not the
/// vehicle's axis).
public struct EgoMotionEstimator: Hashable, Sendable {
    /// Numbers of the estimator.
    public struct Settings: Hashable, Sendable {
        /// Fewer points that agree say nothing.
        public var leastPoints = 16
        /// Error of one followed point, in shares of the frame's width (0.15 of a pixel at 480).
        public var pointNoise = 0.0003
        /// Median of k over the points below the horizon from which the vehicle counts as moving: per second.
        public var leastExpansionPerS = 0.08
        /// Turning faster than this, in widths of the frame per second, teaches no vanishing point (3 degrees per second at 60 degrees).
        public var fastestTurn = 0.05
        /// Error of one moment's vanishing point beyond its own scatter, in shares of the frame: the vehicle sways in its lane.
        public var sway = 0.02
        /// Errors of moments that follow each other are alike for about this long, in s: each weighs accordingly less.
        public var alikeForS = 1.0
        /// It is never believed to better than this share of the frame (0.25 degrees): load and springs tilt the vehicle, and a camera that
        /// somebody has moved is found again within a minute.
        public var leastSd = 0.004
        /// Time over which the shift is smoothed, in s: as long as the tracks' own filters look back.
        public var smoothingS = 0.25

        public init() {}
    }

    /// Straight ahead, as believed now.
    public private(set) var aim: CameraAim
    /// How the camera turns now, smoothed; none while it is not known.
    public private(set) var motion = EgoMotion.none
    /// How fast the scene below the horizon expands (per second, median); 0 while standing. Nil before the first flow.
    public private(set) var expansionPerS: Double?
    /// How fast the road expands, per second and pixel below the horizon, smoothed: a flat road at h below a camera of focal length f that
    /// moves with v expands by v·y / (f·h) at y pixels below the horizon. Nil before the first flow.
    public private(set) var roadExpansionPerPx: Double?

    /// How much has been seen of the turn, against having watched it for ever.
    private var turnWeight = 0.0
    private let settings: Settings
    private let frame: FrameSize
    private let focalLengthPx: Double

    /// An estimator for frames of size `frame` that starts from `aim`. `focalLengthPx` is that of the calibration; without one, that
    /// of a 60 degree lens serves: it matters only for the curvature of the shift towards the frame's edges.
    public init(frame: FrameSize, aim: CameraAim, focalLengthPx: Double? = nil, settings: Settings = Settings()) {
        self.frame = frame
        self.aim = aim
        self.focalLengthPx = focalLengthPx ?? frame.width * 0.866
        self.settings = settings
    }

    /// Column of straight ahead, in pixels.
    public var aheadX: Double { aim.x * frame.width }
    /// Row of the horizon, in pixels.
    public var horizonY: Double { aim.y * frame.height }

    /// Takes in one field of flow.
    public mutating func observe(_ flow: SceneFlow) {
        guard flow.intervalS > 0, let fit = fit(usable(flow.points), intervalS: flow.intervalS) else {
            forget(after: flow.intervalS)
            return
        }
        turn(by: fit, intervalS: flow.intervalS)
        expansionPerS = fit.expansion / flow.intervalS
        if let perPx = fit.roadExpansion {
            let before = roadExpansionPerPx ?? perPx / flow.intervalS
            roadExpansionPerPx = before + (1 - exp(-flow.intervalS / settings.smoothingS)) * (perPx / flow.intervalS - before)
        }
        learn(fit, intervalS: flow.intervalS)
    }

    /// Smooths the turn; the first ones weigh more, for nothing is known before. How far moments are off is how well the turn is known.
    private mutating func turn(by fit: Fit, intervalS: Double) {
        let kept = exp(-intervalS / settings.smoothingS)
        turnWeight = turnWeight * kept + 1 - kept
        let share = (1 - kept) / turnWeight
        let (offX, offY) = (fit.shiftX / intervalS - motion.shiftXPxPerS, fit.shiftY / intervalS - motion.shiftYPxPerS)
        motion.shiftXPxPerS += share * offX
        motion.shiftYPxPerS += share * offY
        let variance = motion.shiftXSdPxPerS * motion.shiftXSdPxPerS
        motion.shiftXSdPxPerS = (variance + share * (offX * offX - variance)).squareRoot()
    }

    /// Without a fit the turn fades: an old one would bend the path for ever.
    private mutating func forget(after seconds: Double) {
        let kept = exp(-max(0, seconds) / settings.smoothingS)
        turnWeight *= kept
        roadExpansionPerPx = nil
        motion.shiftXPxPerS *= kept
        motion.shiftYPxPerS *= kept
    }

    private mutating func learn(_ fit: Fit, intervalS: Double) {
        guard fit.expansion / intervalS >= settings.leastExpansionPerS,
            abs(motion.shiftXPxPerS) < settings.fastestTurn * frame.width,
            abs(fit.shiftX / intervalS) < 2 * settings.fastestTurn * frame.width,
            // A fit that would move the vanishing point right through the frame sat on something else.
            abs(fit.aheadX) < 0.3 * frame.width, abs(fit.aheadY) < 0.3 * frame.height
        else { return }
        let alike = max(1, settings.alikeForS / intervalS).squareRoot()
        func updated(_ value: Double, _ sd: Double, by change: Double, changeSd: Double) -> (Double, Double) {
            let noise = (changeSd * changeSd + settings.sway * settings.sway).squareRoot() * alike
            let variance = max(sd * sd, settings.leastSd * settings.leastSd)
            // Beyond three standard deviations a moment counts as if it were at three.
            let bound = 3 * (variance + noise * noise).squareRoot()
            let gain = variance / (variance + noise * noise)
            return (value + gain * min(max(change, -bound), bound), ((1 - gain) * variance).squareRoot())
        }
        (aim.x, aim.sdX) = updated(aim.x, aim.sdX, by: fit.aheadX / frame.width, changeSd: fit.aheadSdX / frame.width)
        (aim.y, aim.sdY) = updated(aim.y, aim.sdY, by: fit.aheadY / frame.height, changeSd: fit.aheadSdY / frame.height)
        aim.samples += 1
    }

    /// Leaves out what lies still below the horizon while the rest moves: bonnet, dashboard, dirt and reflections on the windscreen,
    /// letters that the camera writes into the picture.
    private func usable(_ points: [SceneFlow.Point]) -> [SceneFlow.Point] {
        let still = settings.pointNoise * frame.width
        let isStill = { (p: SceneFlow.Point) in abs(p.dx) + abs(p.dy) < still }
        guard points.count(where: { !isStill($0) }) >= settings.leastPoints else { return points }
        return points.filter { !isStill($0) || abs($0.y - horizonY) < 0.06 * frame.height }
    }

    // MARK: One moment

    private struct Fit {
        var shiftX: Double
        var shiftY: Double
        /// Correction of the vanishing point, in pixels, and its standard deviations.
        var aheadX: Double
        var aheadY: Double
        var aheadSdX: Double
        var aheadSdY: Double
        /// Median of k below the horizon.
        var expansion: Double
        /// What k grows by from row to row on the road; nil where too little of it is seen.
        var roadExpansion: Double?
    }

    private func fit(_ points: [SceneFlow.Point], intervalS: Double) -> Fit? {
        guard points.count >= settings.leastPoints else { return nil }
        // First the shift alone, from what it was on: then everything together.
        var shift = (x: motion.shiftXPxPerS * intervalS, y: motion.shiftYPxPerS * intervalS)
        var ahead = (x: 0.0, y: 0.0)
        var system = NormalEquations()
        var (expansions, roadExpansions): ([Double], [Double]) = ([], [])
        var inliers = 0
        let floor = settings.pointNoise * frame.width
        // Whoever begins to turn is off by as much as most points say: they must not all count as outliers.
        var spread = max(
            8 * floor, Self.scatter(points.compactMap { sight(of: $0, shift: shift, ahead: ahead).map { abs($0.across) } }))
        for round in 0..<10 {
            // The vanishing point stays where it is until the outliers are gone.
            let isFree = round >= 4
            system = NormalEquations()
            (expansions, roadExpansions) = ([], [])
            inliers = 0
            var residuals: [Double] = []
            for p in points {
                guard let seen = sight(of: p, shift: shift, ahead: ahead) else { continue }
                residuals.append(abs(seen.across))
                // What comes out of the vanishing point backwards is no scene; far things may seem to by noise.
                guard seen.expansion > -4 * spread / seen.length else { continue }
                let u = seen.across / (3 * spread)
                guard abs(u) < 1 else { continue }
                let weight = (1 - u * u) * (1 - u * u)
                inliers += 1
                if p.y > horizonY + 0.05 * frame.height {
                    expansions.append(seen.expansion)
                    if abs(seen.dx) < Self.laneSlope * seen.dy { roadExpansions.append(seen.expansion / seen.dy) }
                }
                let (ax, ay) = turnDerivative(seen.nx, seen.ny, at: p)
                let (ex, ey) = isFree ? (-seen.expansion * seen.nx, -seen.expansion * seen.ny) : (0, 0)
                system.add([ax, ay, ex, ey], value: seen.across, weight: weight)
            }
            guard inliers >= settings.leastPoints else { return nil }
            // Held towards what is believed: where k is small everywhere, nothing is learnt of the vanishing point.
            let held = floor * floor
            system.hold(
                [0, 0, held / square(aim.sdX * frame.width), held / square(aim.sdY * frame.height)], at: [0, 0, -ahead.x, -ahead.y])
            guard let step = system.solution(isFree ? 4 : 2) else { return nil }
            shift = (shift.x + step[0], shift.y + step[1])
            if isFree { ahead = (ahead.x + step[2], ahead.y + step[3]) }
            spread = max(floor, Self.scatter(residuals))
        }
        expansions.sort()
        roadExpansions.sort()
        let sd = system.standardDeviations(of: spread)
        return Fit(
            shiftX: shift.x, shiftY: shift.y, aheadX: ahead.x, aheadY: ahead.y, aheadSdX: sd?[2] ?? .infinity,
            aheadSdY: sd?[3] ?? .infinity, expansion: expansions.isEmpty ? 0 : expansions[expansions.count / 2],
            roadExpansion: roadExpansions.count < Self.leastRoadPoints ? nil : roadExpansions[roadExpansions.count / 2])
    }

    /// What lies below the horizon by more than this share of how far it lies beside straight ahead is the own lane: from a camera 1.4 m
    /// above the road, 2 m to each side of it.
    private static let laneSlope = 1.5
    /// Fewer points of the road say nothing.
    private static let leastRoadPoints = 3

    /// One point as seen from the vanishing point, in pixels.
    private struct Sighting {
        var dx, dy, length: Double
        /// Unit vector across the line from the vanishing point.
        var nx, ny: Double
        /// Movement across that line beyond the turn.
        var across: Double
        /// Movement along it beyond the turn, in shares of the length: k.
        var expansion: Double
    }

    /// Nil where the vanishing point is too near for a direction.
    private func sight(of p: SceneFlow.Point, shift: (x: Double, y: Double), ahead: (x: Double, y: Double)) -> Sighting? {
        let (dx, dy) = (p.x - aheadX - ahead.x, p.y - horizonY - ahead.y)
        let length = (dx * dx + dy * dy).squareRoot()
        guard length > 0.02 * frame.width else { return nil }
        let (nx, ny) = (-dy / length, dx / length)
        let turned = turn(shift, at: p)
        let (vx, vy) = (p.dx - turned.x, p.dy - turned.y)
        return Sighting(
            dx: dx, dy: dy, length: length, nx: nx, ny: ny, across: nx * vx + ny * vy,
            expansion: (vx * dx + vy * dy) / (length * length))
    }

    /// Standard deviation that the median of absolute residuals stands for: of a normal variable it is 0.6745 of them.
    private static func scatter(_ residuals: [Double]) -> Double {
        residuals.isEmpty ? 0 : residuals.sorted()[residuals.count / 2] / 0.6745
    }

    private func square(_ value: Double) -> Double { value * value }

    /// What a turn that shifts the middle of the picture by `shift` does to the point `p` (pinhole, small angles).
    private func turn(_ shift: (x: Double, y: Double), at p: SceneFlow.Point) -> (x: Double, y: Double) {
        let (x, y) = ((p.x - aheadX) / focalLengthPx, (p.y - horizonY) / focalLengthPx)
        return (shift.x * (1 + x * x) + shift.y * x * y, shift.x * x * y + shift.y * (1 + y * y))
    }

    private func turnDerivative(_ nx: Double, _ ny: Double, at p: SceneFlow.Point) -> (Double, Double) {
        let (x, y) = ((p.x - aheadX) / focalLengthPx, (p.y - horizonY) / focalLengthPx)
        return (nx * (1 + x * x) + ny * x * y, nx * x * y + ny * (1 + y * y))
    }
}
