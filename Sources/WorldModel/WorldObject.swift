import FleetModel

/// A road user as the rules see it: a believed track with what was concluded about it.
public struct WorldObject: Hashable, Sendable {
    /// The track's number within the session.
    public var track: Int
    /// What it is.
    public var roadUser: RoadUserClass
    /// Smoothed confidence of the detector, 0...1.
    public var score: Double
    /// Where it is: pixels, clipped to the frame.
    public var box: Box
    /// When it was first detected, in s.
    public var firstSeenS: Double
    /// When it was last detected, in s.
    public var lastSeenS: Double
    /// When it will be reached; nil when it does not come closer for sure. From the bumper where distance and offset are known.
    public var timeToCollision: TimeToCollision?
    /// Distance ahead of the bumper, in m; nil without calibration.
    public var distanceM: Double?
    /// Standard deviation of the distance, in m.
    public var distanceSdM: Double?
    /// Speed at which the gap closes, in m/s; nil without calibration or while it does not close.
    public var closingMps: Double?
    /// Speed at which the gap opens, in m/s; nil without calibration or while it does not open for sure.
    public var openingMps: Double?
    /// Whether it is where the own vehicle is going to be.
    public var isInPath: Bool

    /// All members; without `firstSeenS` it has just been seen for the first time.
    public init(
        track: Int, roadUser: RoadUserClass, score: Double, box: Box, firstSeenS: Double? = nil, lastSeenS: Double,
        timeToCollision: TimeToCollision? = nil,
        distanceM: Double? = nil, distanceSdM: Double? = nil, closingMps: Double? = nil, isInPath: Bool
    ) {
        self.track = track
        self.roadUser = roadUser
        self.score = score
        self.box = box
        self.firstSeenS = firstSeenS ?? lastSeenS
        self.lastSeenS = lastSeenS
        self.timeToCollision = timeToCollision
        self.distanceM = distanceM
        self.distanceSdM = distanceSdM
        self.closingMps = closingMps
        self.isInPath = isInPath
    }
}
