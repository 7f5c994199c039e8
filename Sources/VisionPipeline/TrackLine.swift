import FleetModel
import WorldModel

/// One line of `replay --tracks`: one road user in one frame. Keys and units are the contract's.
public struct TrackLine: Encodable, Hashable, Sendable {
    private let frame: Int
    private let timeS: Double
    private let object: WorldObject

    private enum Key: String, CodingKey { case frame, t, track, `class`, score, box, ttcS, distanceM, inPath }

    /// `object` as it was in frame `frame` at `timeS`.
    public init(frame: Int, timeS: Double, object: WorldObject) {
        self.frame = frame
        self.timeS = timeS
        self.object = object
    }

    public func encode(to encoder: any Encoder) throws {
        var c = encoder.container(keyedBy: Key.self)
        try c.encode(frame, forKey: .frame)
        try c.encode(timeS.rounded(toPlaces: 4), forKey: .t)
        try c.encode(object.track, forKey: .track)
        try c.encode(object.roadUser, forKey: .class)
        try c.encode(object.score.rounded(toPlaces: 3), forKey: .score)
        try c.encode(object.box.rounded(toPlaces: 1), forKey: .box)
        try c.encode(object.timeToCollision?.seconds.rounded(toPlaces: 3), forKey: .ttcS)
        try c.encode(object.distanceM?.rounded(toPlaces: 2), forKey: .distanceM)
        try c.encode(object.isInPath, forKey: .inPath)
    }
}
