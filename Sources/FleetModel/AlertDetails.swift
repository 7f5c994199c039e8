/// Where the vehicle was: on the wire of alert and heartbeat.
public struct AlertPosition: Codable, Hashable, Sendable {
    /// Degrees, WGS 84, north positive.
    public var lat: Double
    /// Degrees, WGS 84, east positive.
    public var lon: Double
    /// Direction of travel, degrees clockwise from true north; nil when unknown or standing.
    public var headingDeg: Double?
    /// Estimated horizontal error in metres; nil when the receiver does not tell.
    public var accuracyM: Double?

    /// A position in degrees.
    public init(lat: Double, lon: Double, headingDeg: Double? = nil, accuracyM: Double? = nil) {
        self.lat = lat
        self.lon = lon
        self.headingDeg = headingDeg
        self.accuracyM = accuracyM
    }

    /// Writes unknown as null, degrees to 7 places (1 cm).
    public func encode(to encoder: any Encoder) throws {
        var c = encoder.container(keyedBy: CodingKeys.self)
        try c.encode(lat.rounded(toPlaces: 7), forKey: .lat)
        try c.encode(lon.rounded(toPlaces: 7), forKey: .lon)
        try c.encode(headingDeg?.rounded(toPlaces: 1), forKey: .headingDeg)
        try c.encode(accuracyM?.rounded(toPlaces: 1), forKey: .accuracyM)
    }
}

/// What an overspeed alert states.
public struct OverspeedDetails: Codable, Hashable, Sendable {
    /// The limit in the sign's own unit.
    public var limit: Speed
    /// The limit in m/s.
    public var limitMps: Double
    /// The lower end when sources disagree, in m/s; nil when they do not.
    public var limitMinMps: Double?
    /// What is tolerated above the limit, in m/s.
    public var toleranceMps: Double
    /// Where the limit comes from.
    public var source: LimitSource
    /// How sure the limit is, 0...1.
    public var confidence: Double
    /// Highest accepted speed of the episode so far, in m/s.
    public var maxSpeedMps: Double
    /// Mean speed of the episode so far, weighted by time, in m/s.
    public var meanSpeedMps: Double
    /// Distance covered in the episode so far, in m.
    public var distanceM: Double
    /// Length of the episode so far, in s.
    public var durationS: Double

    /// All members, in the order of the contract.
    public init(
        limit: Speed, limitMps: Double, limitMinMps: Double?, toleranceMps: Double, source: LimitSource, confidence: Double,
        maxSpeedMps: Double, meanSpeedMps: Double, distanceM: Double, durationS: Double
    ) {
        self.limit = limit
        self.limitMps = limitMps
        self.limitMinMps = limitMinMps
        self.toleranceMps = toleranceMps
        self.source = source
        self.confidence = confidence
        self.maxSpeedMps = maxSpeedMps
        self.meanSpeedMps = meanSpeedMps
        self.distanceM = distanceM
        self.durationS = durationS
    }

    /// Writes unknown as null.
    public func encode(to encoder: any Encoder) throws {
        var c = encoder.container(keyedBy: CodingKeys.self)
        try c.encode(limit, forKey: .limit)
        try c.encode(limitMps.rounded(toPlaces: 3), forKey: .limitMps)
        try c.encode(limitMinMps?.rounded(toPlaces: 3), forKey: .limitMinMps)
        try c.encode(toleranceMps.rounded(toPlaces: 3), forKey: .toleranceMps)
        try c.encode(source, forKey: .source)
        try c.encode(confidence.rounded(toPlaces: 3), forKey: .confidence)
        try c.encode(maxSpeedMps.rounded(toPlaces: 3), forKey: .maxSpeedMps)
        try c.encode(meanSpeedMps.rounded(toPlaces: 3), forKey: .meanSpeedMps)
        try c.encode(distanceM.rounded(toPlaces: 1), forKey: .distanceM)
        try c.encode(durationS.rounded(toPlaces: 3), forKey: .durationS)
    }
}

/// What a collision alert states.
public struct CollisionDetails: Codable, Hashable, Sendable {
    /// What is ahead.
    public var roadUser: RoadUserClass
    /// The track's number within the session.
    public var track: Int
    /// Time to collision now, in s; nil when not closing or not measured.
    public var ttcS: Double?
    /// Smallest time to collision of the episode so far, in s.
    public var minTtcS: Double?
    /// Distance from the camera (shifted by the bumper offset), in m; nil without calibration.
    public var distanceM: Double?
    /// Standard deviation of the distance, in m.
    public var distanceSdM: Double?
    /// Speed at which the gap closes, in m/s; nil without calibration.
    public var closingMps: Double?
    /// Where it is, relative to the frame.
    public var box: Box
    /// The gates that were passed, by name.
    public var gates: [String]
    /// Time (s, relative to this revision) and time to collision (s), oldest first.
    public var ttcSeries: [[Double]]

    private enum CodingKeys: String, CodingKey {
        case roadUser = "class"
        case track, ttcS, minTtcS, distanceM, distanceSdM, closingMps, box, gates, ttcSeries
    }

    /// All members, in the order of the contract.
    public init(
        roadUser: RoadUserClass, track: Int, ttcS: Double?, minTtcS: Double?, distanceM: Double? = nil, distanceSdM: Double? = nil,
        closingMps: Double? = nil, box: Box, gates: [String], ttcSeries: [[Double]]
    ) {
        self.roadUser = roadUser
        self.track = track
        self.ttcS = ttcS
        self.minTtcS = minTtcS
        self.distanceM = distanceM
        self.distanceSdM = distanceSdM
        self.closingMps = closingMps
        self.box = box
        self.gates = gates
        self.ttcSeries = ttcSeries
    }

    /// Writes unknown as null.
    public func encode(to encoder: any Encoder) throws {
        var c = encoder.container(keyedBy: CodingKeys.self)
        try c.encode(roadUser, forKey: .roadUser)
        try c.encode(track, forKey: .track)
        try c.encode(ttcS?.rounded(toPlaces: 2), forKey: .ttcS)
        try c.encode(minTtcS?.rounded(toPlaces: 2), forKey: .minTtcS)
        try c.encode(distanceM?.rounded(toPlaces: 1), forKey: .distanceM)
        try c.encode(distanceSdM?.rounded(toPlaces: 1), forKey: .distanceSdM)
        try c.encode(closingMps?.rounded(toPlaces: 2), forKey: .closingMps)
        try c.encode(box, forKey: .box)
        try c.encode(gates, forKey: .gates)
        try c.encode(ttcSeries.map { $0.map { $0.rounded(toPlaces: 2) } }, forKey: .ttcSeries)
    }
}

/// What a headway alert states.
public struct HeadwayDetails: Codable, Hashable, Sendable {
    /// Distance to the vehicle ahead divided by own speed, in s.
    public var timeHeadwayS: Double
    /// Speed of the vehicle ahead, in m/s; nil when unknown.
    public var leadSpeedMps: Double?

    /// All members.
    public init(timeHeadwayS: Double, leadSpeedMps: Double?) {
        self.timeHeadwayS = timeHeadwayS
        self.leadSpeedMps = leadSpeedMps
    }

    /// Writes unknown as null.
    public func encode(to encoder: any Encoder) throws {
        var c = encoder.container(keyedBy: CodingKeys.self)
        try c.encode(timeHeadwayS.rounded(toPlaces: 2), forKey: .timeHeadwayS)
        try c.encode(leadSpeedMps?.rounded(toPlaces: 2), forKey: .leadSpeedMps)
    }
}

/// What a landmark alert states: a picture template was found.
public struct LandmarkDetails: Codable, Hashable, Sendable {
    /// The template's name.
    public var name: String
    /// Normalised correlation, 0...1.
    public var score: Double
    /// Where it is, relative to the frame.
    public var box: Box

    /// All members.
    public init(name: String, score: Double, box: Box) {
        self.name = name
        self.score = score
        self.box = box
    }

    /// Writes the score to 3 places.
    public func encode(to encoder: any Encoder) throws {
        var c = encoder.container(keyedBy: CodingKeys.self)
        try c.encode(name, forKey: .name)
        try c.encode(score.rounded(toPlaces: 3), forKey: .score)
        try c.encode(box, forKey: .box)
    }
}

/// The picture that belongs to an alert; its bytes travel on the snapshot topic.
public struct SnapshotReference: Codable, Hashable, Sendable {
    /// SHA-256 of the JPEG, 64 lower-case hexadecimal digits.
    public var sha256: String
    /// Width of the JPEG in pixels.
    public var width: Int
    /// Height of the JPEG in pixels.
    public var height: Int
    /// When in the session it was taken, in s; nil in live operation.
    public var sessionTimeS: Double?
    /// What the alert is about, relative to the picture; nil when it is not about a thing in it.
    public var box: Box?

    /// All members.
    public init(sha256: String, width: Int, height: Int, sessionTimeS: Double?, box: Box?) {
        self.sha256 = sha256
        self.width = width
        self.height = height
        self.sessionTimeS = sessionTimeS
        self.box = box
    }
}
