import FleetModel

/// Puts together what is known of one moment: tracks become objects with distance, time to collision and place in the path.
public struct WorldStateBuilder: Hashable, Sendable {
    /// Focal length of a 60 degree lens, in widths of the frame: what is assumed of a camera that nobody has calibrated.
    private static let usualFocalLength = 0.866
    /// As long as straight ahead is not known better, it counts as known to this share of the width: else all would be in the path.
    private static let mostAimSd = 0.03

    private let frame: FrameSize
    private let camera: CameraCalibration?
    private let bumperOffsetM: Double
    private var distances: [Int: DistanceEstimator] = [:]
    private var paths: [Int: PathMembership] = [:]
    private var steadySinceS: [Int: Double] = [:]
    private var egoMotion: EgoMotionEstimator
    private var heading = HeadingRate()

    /// A builder for frames of size `frame`. Without `camera` distances stay unknown. `bumperOffsetM` is the distance from the
    /// camera to the front bumper: what is told is measured from there. `aim` is what earlier drives have found out about straight ahead.
    public init(frame: FrameSize, camera: CameraCalibration? = nil, bumperOffsetM: Double = 0, aim: CameraAim? = nil) {
        self.frame = frame
        self.camera = camera
        self.bumperOffsetM = bumperOffsetM
        let assumed = camera.map { CameraAim($0) } ?? .unaligned
        egoMotion = EgoMotionEstimator(frame: frame, aim: aim ?? assumed, focalLengthPx: camera?.focalLengthPx)
    }

    /// Straight ahead, as believed now.
    public var aim: CameraAim { egoMotion.aim }

    /// Takes in how the scene moved up to the frame that is built next.
    public mutating func observe(_ flow: SceneFlow) { egoMotion.observe(flow) }

    /// The state of the moment `timeS` with `tracks` (believed ones).
    public mutating func build(tracks: [Track], ego: EgoState, limit: SpeedLimit?, atS timeS: Double) -> WorldState {
        let alive = Set(tracks.map(\.id))
        distances = distances.filter { alive.contains($0.key) }
        paths = paths.filter { alive.contains($0.key) }
        steadySinceS = steadySinceS.filter { alive.contains($0.key) }
        heading.observe(ego)
        let path = path(of: ego)
        let objects = tracks.compactMap { object($0, path: path, atS: timeS) }
        return WorldState(timeS: timeS, ego: ego, limit: limit, frame: frame, objects: objects)
    }

    private func path(of ego: EgoState) -> EgoPath {
        let focalLengthPx = camera?.focalLengthPx ?? frame.width * Self.usualFocalLength
        // Without flow the receiver's heading has to tell how the vehicle turns.
        let motion =
            egoMotion.expansionPerS == nil
            ? EgoMotion(shiftXPxPerS: -(heading.radPerS ?? 0) * focalLengthPx, shiftYPxPerS: 0) : egoMotion.motion
        return EgoPath(
            aheadX: egoMotion.aheadX, aimSdPx: min(egoMotion.aim.sdX, Self.mostAimSd) * frame.width, motion: motion,
            speedMps: ego.speedMps, horizonY: egoMotion.horizonY, roadExpansionPerPx: egoMotion.roadExpansionPerPx,
            focalLengthPx: focalLengthPx, frame: frame)
    }

    private mutating func object(_ track: Track, path: EgoPath, atS timeS: Double) -> WorldObject? {
        guard let box = track.box.clipped(width: frame.width, height: frame.height) else { return nil }
        var object = WorldObject(
            track: track.id, roadUser: track.roadUser, score: track.score, box: box, firstSeenS: track.steadySinceS,
            lastSeenS: track.lastSeenS,
            timeToCollision: track.approach.timeToCollision, isInPath: false)
        if steadySinceS[track.id] != track.steadySinceS {
            // Another thing under the same number.
            (distances[track.id], paths[track.id]) = (nil, nil)
            steadySinceS[track.id] = track.steadySinceS
        }
        var fromCamera: Double?
        if let camera {
            distances[track.id, default: DistanceEstimator()].observe(track, camera: camera, frame: frame, atS: timeS)
            if let estimate = distances[track.id]?.estimate {
                fromCamera = estimate.m
                if let speedMps = path.speedMps, track.roadUser == .person, paths[track.id]?.isWalkingAcross == true {
                    object.timeToCollision = CrossingWalker.timeToCollision(
                        track.approach, distanceM: estimate.m, distanceSdM: estimate.sdM, speedMps: speedMps)
                }
                object.distanceM = max(0, estimate.m - bumperOffsetM)
                object.distanceSdM = estimate.sdM
                object.closingMps = object.timeToCollision.map { estimate.m / $0.seconds }
                if let growth = track.approach.growthRate, growth < -track.approach.growthRateSd {
                    object.openingMps = -growth * estimate.m
                }
            }
        }
        // A box that only coasts drifts: what it was stays.
        if track.lastSeenS == timeS || paths[track.id] == nil {
            var membership = paths[track.id] ?? PathMembership()
            if frame.cuts(track.box).contains(.side) {
                membership.observeCut(reachesAhead: box.x < path.aheadX && box.maxX > path.aheadX, atS: timeS)
            } else {
                membership.observe(
                    path.lateral(of: track, distanceM: fromCamera), isVehicle: track.roadUser.isVehicle,
                    ttcS: object.timeToCollision?.seconds, atS: timeS)
            }
            paths[track.id] = membership
        }
        object.isInPath = paths[track.id]?.isMember ?? false
        if bumperOffsetM > 0, let fromCamera, let ttc = object.timeToCollision {
            // The bumper is reached earlier by the time in which the gap closes by the offset.
            let share = max(0.02, 1 - bumperOffsetM / fromCamera)
            object.timeToCollision = TimeToCollision(seconds: ttc.seconds * share, sdS: ttc.sdS * share)
        }
        return object
    }
}
