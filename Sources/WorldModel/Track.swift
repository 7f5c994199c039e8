import FleetModel

/// One road user followed through time: the same thing under the same number, also through frames in which it was not detected.
public struct Track: Hashable, Sendable {
    /// Number within the session, from 1 in the order of first sight; never used again.
    public let id: Int
    /// When it was first detected, in s.
    public let firstSeenS: Double
    /// When it was last detected, in s.
    public private(set) var lastSeenS: Double
    /// How often it was detected.
    public private(set) var hits = 1
    /// Smoothed confidence of the detector, 0...1.
    public private(set) var score: Double
    /// Whether it was seen often and long enough to be believed.
    public internal(set) var isConfirmed = false
    /// From its growth: when it would be reached.
    public private(set) var approach: TimeToCollisionEstimator

    private var filter: BoxFilter
    private var votes: [RoadUserClass: Double]

    /// A track that begins with `detection`.
    init(id: Int, detection: Detection, frame: FrameSize, atS timeS: Double, approach: TimeToCollisionEstimator.Settings) {
        self.id = id
        firstSeenS = timeS
        lastSeenS = timeS
        score = detection.score
        filter = BoxFilter(detection.box)
        votes = [detection.roadUser: detection.score]
        self.approach = TimeToCollisionEstimator(settings: approach)
        self.approach.observe(box: detection.box, of: detection.roadUser, cut: frame.cuts(detection.box))
    }

    /// Where it is, in pixels, smoothed; may reach over the frame's edge while it is not detected.
    public var box: Box { filter.box }
    /// Movement of its centre to the right in the picture, in pixels per second.
    public var lateralRatePxPerS: Double { filter.lateralRatePxPerS }
    /// What it is: the class with most votes, older votes fading; ties go to the class that comes first in `RoadUserClass`.
    public var roadUser: RoadUserClass {
        RoadUserClass.allCases.reversed().max { (votes[$0] ?? 0) < (votes[$1] ?? 0) } ?? .car
    }

    /// Moves on by `seconds`; `motion` is what the image says about that time, where it says something.
    mutating func predict(seconds: Double, motion: ImageMotion?) {
        filter.predict(seconds: seconds)
        approach.predict(seconds: seconds)
        guard let motion else { return }
        filter.observe(motion)
        approach.observe(motion)
    }

    /// Takes in the detection that was found to be this road user.
    mutating func observe(_ detection: Detection, frame: FrameSize, atS timeS: Double) {
        filter.observe(detection.box)
        approach.observe(box: detection.box, of: roadUser, cut: frame.cuts(detection.box))
        lastSeenS = timeS
        hits += 1
        score += 0.3 * (detection.score - score)
        for key in RoadUserClass.allCases { votes[key]? *= 0.95 }
        votes[detection.roadUser, default: 0] += detection.score
    }
}
