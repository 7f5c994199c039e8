import FleetModel

/// Puts together what is known of one moment: tracks become objects with distance, time to collision and place in the path.
public struct WorldStateBuilder: Hashable, Sendable {
    private let frame: FrameSize
    private let camera: CameraCalibration?
    private let bumperOffsetM: Double
    private var distances: [Int: DistanceEstimator] = [:]
    private var paths: [Int: PathMembership] = [:]

    /// A builder for frames of size `frame`. Without `camera` distances stay unknown. `bumperOffsetM` is the distance from the
    /// camera to the front bumper: what is told is measured from there.
    public init(frame: FrameSize, camera: CameraCalibration? = nil, bumperOffsetM: Double = 0) {
        self.frame = frame
        self.camera = camera
        self.bumperOffsetM = bumperOffsetM
    }

    /// The state of the moment `timeS` with `tracks` (believed ones).
    public mutating func build(tracks: [Track], ego: EgoState, limit: SpeedLimit?, atS timeS: Double) -> WorldState {
        let alive = Set(tracks.map(\.id))
        distances = distances.filter { alive.contains($0.key) }
        paths = paths.filter { alive.contains($0.key) }
        let objects = tracks.compactMap { object($0, atS: timeS) }
        return WorldState(timeS: timeS, ego: ego, limit: limit, frame: frame, objects: objects)
    }

    private mutating func object(_ track: Track, atS timeS: Double) -> WorldObject? {
        guard let box = track.box.clipped(width: frame.width, height: frame.height) else { return nil }
        var object = WorldObject(
            track: track.id, roadUser: track.roadUser, score: track.score, box: box, lastSeenS: track.lastSeenS,
            timeToCollision: track.approach.timeToCollision, isInPath: false)
        var fromCamera: Double?
        if let camera {
            distances[track.id, default: DistanceEstimator()].observe(track, camera: camera, frame: frame, atS: timeS)
            if let estimate = distances[track.id]?.estimate {
                fromCamera = estimate.m
                object.distanceM = max(0, estimate.m - bumperOffsetM)
                object.distanceSdM = estimate.sdM
                object.closingMps = object.timeToCollision.map { estimate.m / $0.seconds }
            }
        }
        // A box that only coasts drifts: what it was stays.
        if track.lastSeenS == timeS || paths[track.id] == nil {
            let isInside = EgoPath.isInPath(track, distanceM: fromCamera, camera: camera, frame: frame)
            paths[track.id, default: PathMembership()].observe(isInside: isInside, atS: timeS)
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
