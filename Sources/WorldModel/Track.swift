import FleetModel
import Foundation

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

    /// What the image said about the time up to the latest frame; nil where it said nothing.
    public private(set) var motion: ImageMotion?
    /// Since when its boxes have followed each other without a jump, in s: what was concluded from earlier ones is about another thing.
    public private(set) var steadySinceS: Double

    /// A detection fits the track when it overlaps the predicted box by this much (IoU) ...
    private static let leastFit = 0.35
    /// ... and its size (logarithm) differs by less than this: half as large again.
    private static let mostSizeChange = 0.4
    /// After this long without a fitting detection any that is at the place is taken for another thing at once, in s.
    private static let forgetsAfterS = 0.25

    private var filter: BoxFilter
    /// A detection that did not fit: the next one decides whether it was a slip or the track has gone over to something else.
    private var stranger: (box: Box, timeS: Double)?
    private var votes: [RoadUserClass: Double]

    /// A track that begins with `detection`.
    init(id: Int, detection: Detection, frame: FrameSize, atS timeS: Double, approach: TimeToCollisionEstimator.Settings) {
        self.id = id
        firstSeenS = timeS
        lastSeenS = timeS
        steadySinceS = timeS
        score = detection.score
        filter = BoxFilter(detection.box)
        votes = [detection.roadUser: detection.score]
        self.approach = TimeToCollisionEstimator(settings: approach)
        self.approach.observe(
            box: detection.box, of: detection.roadUser, cut: frame.cuts(detection.box), errorPx: frame.boxErrorPx)
    }

    /// Where it is, in pixels, smoothed; may reach over the frame's edge while it is not detected.
    public var box: Box { filter.box }
    /// What it is: the class with most votes, older votes fading; ties go to the class that comes first in `RoadUserClass`.
    public var roadUser: RoadUserClass {
        RoadUserClass.allCases.reversed().max { (votes[$0] ?? 0) < (votes[$1] ?? 0) } ?? .car
    }

    /// Moves on by `seconds`; `motion` is what the image says about that time, where it says something.
    mutating func predict(seconds: Double, motion: ImageMotion?) {
        filter.predict(seconds: seconds)
        approach.predict(seconds: seconds)
        self.motion = motion
        guard let motion else { return }
        filter.observe(motion)
        approach.observe(motion)
    }

    /// Takes in the detection that was found to be this road user. One that fits neither in place nor in size is left out; when the
    /// next one is like it the track has gone over to another thing, as in a parked row when the nearest car leaves the picture, and
    /// begins anew under its number.
    mutating func observe(_ detection: Detection, frame: FrameSize, atS timeS: Double) {
        if isConfirmed, !fits(detection.box, box.clipped(width: frame.width, height: frame.height) ?? box) {
            let isRepeated = stranger.map { timeS - $0.timeS < 2 * Self.forgetsAfterS && fits(detection.box, $0.box) } ?? false
            guard isRepeated || timeS - lastSeenS > Self.forgetsAfterS else {
                stranger = (detection.box, timeS)
                return
            }
            filter = BoxFilter(detection.box)
            approach = TimeToCollisionEstimator(settings: approach.settings)
            steadySinceS = timeS
            motion = nil
        } else {
            filter.observe(detection.box)
        }
        stranger = nil
        approach.observe(box: detection.box, of: roadUser, cut: frame.cuts(detection.box), errorPx: frame.boxErrorPx)
        lastSeenS = timeS
        hits += 1
        score += 0.3 * (detection.score - score)
        for key in RoadUserClass.allCases { votes[key]? *= 0.95 }
        votes[detection.roadUser, default: 0] += detection.score
    }

    private func fits(_ seen: Box, _ expected: Box) -> Bool {
        seen.iou(expected) >= Self.leastFit && abs(log(seen.area / expected.area)) / 2 < Self.mostSizeChange
    }

    public static func == (a: Track, b: Track) -> Bool {
        a.id == b.id && a.lastSeenS == b.lastSeenS && a.hits == b.hits && a.filter == b.filter && a.approach == b.approach
            && a.votes == b.votes && a.isConfirmed == b.isConfirmed && a.stranger?.box == b.stranger?.box
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(lastSeenS)
        hasher.combine(hits)
    }
}
