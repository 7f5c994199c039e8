import FleetModel
import Foundation

/// Distance of one track from a calibrated camera: where its box stands on the road, how wide it is, and how it grows.
///
/// Kept as the logarithm of the distance: growth r says how it falls (d ln d/dt = -r), the box says where it is.
struct DistanceEstimator: Hashable, Sendable {
    private var logDistance: RateFilter?
    private var timeS = 0.0

    /// Pitch moves by this much on springs and over crests, in degrees (1 standard deviation).
    private static let pitchSdDeg = 0.4
    /// The lower edge of a detector's box is off by this share of the box's height: shadow below, bumper above the road.
    private static let lowerEdgeSd = 0.05

    /// From this much wider than seen straight from behind a vehicle shows its flank.
    private static let flankShows = 1.12

    /// The distance in m and its standard deviation; nil before the first estimate.
    var estimate: (m: Double, sdM: Double)? {
        logDistance.map { (exp($0.value), exp($0.value) * $0.valueSd) }
    }

    /// Takes in the box of `track` at `now`.
    mutating func observe(_ track: Track, camera: CameraCalibration, frame: FrameSize, atS now: Double) {
        let box = track.box
        if var filter = logDistance {
            if let growth = track.approach.growthRate, track.approach.growthRateSd < 0.3 {
                filter.observe(rate: -growth, sd: max(0.02, track.approach.growthRateSd))
            }
            filter.predict(seconds: now - timeS, rateNoise: 0.2)
            logDistance = filter
        }
        timeS = now
        // What is not seen now is carried on by its growth alone.
        guard track.lastSeenS == now, let seen = Self.measure(box, track.roadUser, camera: camera, cut: frame.cuts(box)) else {
            return
        }
        if logDistance == nil {
            logDistance = RateFilter(value: log(seen.m), valueSd: seen.relativeSd, rateSd: 0.3)
        } else {
            // A box errs the same way for many frames: each one alone weighs a fifth.
            logDistance?.observe(value: log(seen.m), sd: seen.relativeSd * 2.2)
        }
    }

    /// Distance and relative standard deviation from one box: road contact and known size, weighted by their variances.
    static func measure(_ box: Box, _ roadUser: RoadUserClass, camera: CameraCalibration, cut: CutEdges) -> (
        m: Double, relativeSd: Double
    )? {
        var weights = 0.0
        var sum = 0.0
        for (m, sd) in [fromRoad(box, camera: camera, cut: cut), fromSize(box, roadUser, camera: camera, cut: cut)].compactMap(
            \.self)
        {
            weights += 1 / (sd * sd)
            sum += log(m) / (sd * sd)
        }
        guard weights > 0 else { return nil }
        return (exp(sum / weights), (1 / weights).squareRoot())
    }

    /// A flat road at the camera's height below it: d = h / tan(angle of the lower edge below the horizon).
    private static func fromRoad(_ box: Box, camera: CameraCalibration, cut: CutEdges) -> (Double, Double)? {
        guard let heightM = camera.heightM, !cut.contains(.bottom) else { return nil }
        let below = atan((box.maxY - camera.principalPointY) / camera.focalLengthPx) - camera.pitchDeg * .pi / 180
        guard below > 0.004 else { return nil }
        let rowSd = lowerEdgeSd * box.height / camera.focalLengthPx
        let angleSd = (pow(pitchSdDeg * .pi / 180, 2) + rowSd * rowSd).squareRoot()
        let relativeSd = angleSd / below
        guard relativeSd < 0.6 else { return nil }
        return (heightM / tan(below), relativeSd)
    }

    private static func fromSize(_ box: Box, _ roadUser: RoadUserClass, camera: CameraCalibration, cut: CutEdges) -> (
        Double, Double
    )? {
        let size = TypicalSize.of(roadUser)
        if roadUser.isVehicle {
            guard !cut.contains(.side) else { return nil }
            // Where the flank shows beside the rear, the box is wider than the vehicle: its height then is the better ruler.
            let isWide = box.width > flankShows * size.widthM / size.heightM * box.height
            return isWide && !cut.contains(.bottom) && !cut.contains(.top)
                ? (camera.focalLengthPx * size.heightM / box.height, size.spread + 0.1)
                : (camera.focalLengthPx * size.widthM / box.width, size.spread + 0.08)
        }
        guard cut.isDisjoint(with: [.top, .bottom]) else { return nil }
        return (camera.focalLengthPx * size.heightM / box.height, size.spread + 0.05)
    }
}
