import FleetModel

/// All that the rules may know about one moment.
public struct WorldState: Hashable, Sendable {
    /// The moment: seconds since the session began; in live operation, of the monotonic clock.
    public var timeS: Double
    /// The own vehicle.
    public var ego: EgoState
    /// The limit that applies; nil when unknown.
    public var limit: SpeedLimit?
    /// The size of the frame that `objects` refer to; nil when this moment has no frame, only a fix.
    public var frame: FrameSize?
    /// Road users around, in the order of their tracks' numbers; empty without a frame.
    public var objects: [WorldObject]
    /// Landmarks found in this frame; empty too when they were not looked for.
    public var landmarks: [LandmarkSighting] = []

    /// All members.
    public init(
        timeS: Double, ego: EgoState = .unknown, limit: SpeedLimit? = nil, frame: FrameSize? = nil, objects: [WorldObject] = []
    ) {
        self.timeS = timeS
        self.ego = ego
        self.limit = limit
        self.frame = frame
        self.objects = objects
    }
}
