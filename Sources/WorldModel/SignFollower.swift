import FleetModel

/// Follows signs through the frames and adopts each that the vehicle passes, once. Pure: sightings and times in, adopted signs out.
public struct SignFollower: Sendable {
    /// When a sign is believed.
    public struct Settings: Hashable, Sendable {
        /// Readings that are needed.
        public var leastReadings = 3
        /// The same for one that was first read when it was near already, and the height of that as a share of the frame's width: a limit would
        /// have been read from farther away, and what was something else until then (a height cut off by the picture's rim) is none.
        public var leastLateReadings = 5
        public var lateHeightShare = 0.035
        /// Readings that are needed of a plate, and the width over height below which a sign is one: letters and yellow advice read as limits in a
        /// frame or two.
        public var leastPlateReadings = 5
        public var mostPlateAspect = 0.9
        /// Sum of the votes of the meaning that wins: score, less for small pictures.
        public var leastVotes = 1.2
        /// Its share of all votes, those against included.
        public var leastShare = 0.5
        /// Its votes over those of the second, and over those against a sign.
        public var leastLead = 1.5
        /// Share of the frames, from its first sighting to its last, in which it was read as something that sets or ends a limit: MINIMUM SPEED
        /// reads as a limit now and then.
        public var leastReadShare = 1.0 / 3
        /// The same for a plate's limit that is below this share of the own speed: an Interstate's shield with a 5 reads as one of 5 mph now and then.
        public var leastUnlikelyReadShare = 0.75
        public var unlikelySpeedShare = 0.25
        /// Height of the last sighting over that of the first.
        public var leastGrowth = 1.2
        /// Height at the last sighting as a share of the frame's width: nearer than that a sign of 0.6 m is within about 20 m.
        public var leastHeightShare = 0.02
        /// The same for a plate, which is taller: a sign of 0.76 m (MUTCD R2-1 on two-lane roads) is within about 22 m. From farther away a plate
        /// below it that says for whom it holds is often not seen.
        public var leastPlateHeightShare = 0.03
        /// Heights of its own that a sign may stand aside: what is farther belongs to another road.
        public var mostLateralHeights = 16.0
        /// Width over height below which it is turned away: it is meant for others.
        public var leastAspect = 0.6
        /// Share of the sightings that may lie on a vehicle: a number on the back of a lorry goes with it.
        public var mostOnVehicle = 0.4
        /// Share of the looks in which a plate may have been seen at a sign that holds for everybody.
        public var mostWithAnnex = 0.34
        /// Heights that speed signs have, in m: what grows otherwise is no standing sign.
        public var heightsM = 0.3...1.9
        /// The same while the focal length is not known: a windscreen's camera sees 40 to 110 degrees.
        public var uncalibratedHeightsM = 0.2...3.6
        /// Time without sighting after which a sign counts as gone, in s.
        public var goneAfterS = 0.35
        /// Signs that are passed within this time stand side by side: the one nearest to the own lane counts, in s.
        public var besideS = 0.5
        /// A sign that is seen again while it is still waited for goes on: as far aside, in its own heights, give or take this share of that and this
        /// many heights, and no smaller than this share of its last height.
        public var refoundLateralShare = 0.25
        public var refoundLateralHeights = 0.6
        public var refoundLeastHeight = 0.6
        /// Time in which the same sign is not adopted again, in s: lost and found, or the second of a pair on both sides of the road.
        public var sameSignS = 3.0

        /// The defaults.
        public init() {}
    }

    /// Why signs that were read and then lost were not adopted, counted since the start.
    public private(set) var rejected: [Rejection: Int] = [:]

    /// Why a sign was not adopted.
    public enum Rejection: String, Hashable, Sendable, CaseIterable {
        /// Read too seldom, or as too many things.
        case unsure
        /// It did not grow, or was lost far away: not passed.
        case notPassed
        /// It went with a vehicle.
        case onVehicle
        /// It grew as no standing sign does at the own speed.
        case moving
        /// It stood too far aside or was turned away.
        case aside
        /// Another sign, nearer to the own lane, was passed at the same time.
        case besideAnother
    }

    private struct Passed: Sendable {
        var sign: AdoptedSign
        var lateralHeights: Double
        var trackID: Int
    }

    /// A sign out of sight that may yet come back, and why it is no passed one.
    private struct Lost: Sendable {
        var track: SignTrack
        var reason: Rejection?
    }

    private let settings: Settings
    private let frame: FrameSize
    private let focalLengthPx: Double?
    private var tracks: [SignTrack] = []
    private var lost: [Lost] = []
    private var passed: [Passed] = []
    private var latest: [AdoptedSign] = []
    private var nextID = 1
    /// How far the vehicle drove while its speed was known, and when that was last added to.
    private var drivenM = 0.0
    private var latestS: Double?

    /// A follower for frames of `frame`; `focalLengthPx` is theirs, nil where it is not known.
    public init(frame: FrameSize, focalLengthPx: Double? = nil, settings: Settings = Settings()) {
        self.frame = frame
        self.focalLengthPx = focalLengthPx
        self.settings = settings
    }

    /// Where signs are being followed, in pixels.
    public var boxes: [Box] { tracks.map(\.box) }

    /// Takes in what was seen at `timeS` and returns the signs that have been passed. `vehicles` are the boxes of road users.
    public mutating func update(
        _ sightings: [SignSighting], vehicles: [Box], speedMps: Double?, atS timeS: Double
    ) -> [AdoptedSign] {
        if let speedMps { drivenM += speedMps * max(0, timeS - (latestS ?? timeS)) }
        latestS = timeS
        for i in tracks.indices { tracks[i].look() }
        for i in lost.indices { lost[i].track.look() }
        associate(sightings, vehicles: vehicles, drivenM: speedMps == nil ? nil : drivenM, atS: timeS)
        let gone = tracks.filter { timeS - $0.lastSeenS > settings.goneAfterS }
        tracks.removeAll { timeS - $0.lastSeenS > settings.goneAfterS }
        for track in gone {
            let read = track.asLastRead()
            if let heir = heir(of: read) {
                tracks[heir] = read.continued(by: tracks[heir])
            } else {
                judge(track, speedMps: speedMps)
            }
        }
        forget(atS: timeS)
        return adopt(atS: timeS)
    }

    /// How long after it was last seen a sign is waited for.
    private var waitS: Double { settings.besideS + settings.goneAfterS }

    /// Gives up the signs that did not come back, and counts those that were not passed.
    private mutating func forget(atS timeS: Double) {
        let longestS = waitS
        for candidate in lost where timeS - candidate.track.lastSeenS > longestS {
            if let reason = candidate.reason { rejected[reason, default: 0] += 1 }
        }
        lost.removeAll { timeS - $0.track.lastSeenS > longestS }
    }

    /// Gives each sighting to the track that expects a sign there, the nearest pairs first; what is left begins a track.
    private mutating func associate(_ sightings: [SignSighting], vehicles: [Box], drivenM: Double?, atS timeS: Double) {
        var pairs: [(distance: Double, track: Int, sighting: Int)] = []
        for (t, track) in tracks.enumerated() {
            let expected = track.predicted(atS: timeS)
            // A track of one sighting knows no direction yet.
            let reach = track.sightings == 1 ? 2.0 : 1.0
            for (s, sighting) in sightings.enumerated() {
                let size = max(expected.height, sighting.box.height)
                let ratio = sighting.box.height / expected.height
                let (dx, dy) = (sighting.box.midX - expected.x, sighting.box.midY - expected.y)
                let distance = (dx * dx + dy * dy).squareRoot() / size
                // Something else speaks against a sign only where it is the sign: walls and windows are anywhere and of any size.
                let isNear =
                    sighting.kind == .other
                    ? distance < 0.5 && (0.7...1.45).contains(ratio) : distance < reach && (0.55...1.8).contains(ratio)
                if isNear { pairs.append((distance, t, s)) }
            }
        }
        pairs.sort { ($0.distance, $0.track, $0.sighting) < ($1.distance, $1.track, $1.sighting) }
        var (usedTracks, usedSightings) = (Set<Int>(), Set<Int>())
        for pair in pairs where !usedTracks.contains(pair.track) && !usedSightings.contains(pair.sighting) {
            usedTracks.insert(pair.track)
            usedSightings.insert(pair.sighting)
            let sighting = sightings[pair.sighting]
            tracks[pair.track].observe(
                sighting, isOnVehicle: Self.lies(sighting.box, on: vehicles), frame: frame, drivenM: drivenM, atS: timeS)
        }
        for (s, sighting) in sightings.enumerated() where sighting.kind != .other && !usedSightings.contains(s) {
            let isOnVehicle = Self.lies(sighting.box, on: vehicles)
            if let track = misled(sighting, atS: timeS) {
                tracks[track] = tracks[track].asLastRead()
                tracks[track].observe(sighting, isOnVehicle: isOnVehicle, frame: frame, drivenM: drivenM, atS: timeS)
            } else if var track = refound(sighting) {
                track.observe(sighting, isOnVehicle: isOnVehicle, frame: frame, drivenM: drivenM, atS: timeS)
                tracks.append(track)
            } else {
                tracks.append(
                    SignTrack(id: nextID, sighting: sighting, isOnVehicle: isOnVehicle, frame: frame, drivenM: drivenM, atS: timeS))
                nextID += 1
            }
        }
    }

    /// The lost sign that `sighting` shows again. It is lost no longer.
    private mutating func refound(_ sighting: SignSighting) -> SignTrack? {
        let index = lost.firstIndex { candidate in
            candidate.track.verdict?.meaning == SignTrack.Meaning(kind: sighting.kind, limit: sighting.limit)
                && continues(candidate.track, with: sighting.box, aside: frame.heightsAside(sighting.box))
        }
        guard let index else { return nil }
        let track = lost.remove(at: index).track
        passed.removeAll { $0.trackID == track.id }
        return track
    }

    /// The track whose sign `sighting` shows, away from where other things have led it since it was last read.
    private func misled(_ sighting: SignSighting, atS timeS: Double) -> Int? {
        tracks.firstIndex { track in
            let before = track.asLastRead()
            return track.isDoubtful && timeS - before.lastSeenS <= waitS
                && track.verdict?.meaning == SignTrack.Meaning(kind: sighting.kind, limit: sighting.limit)
                && continues(before, with: sighting.box, aside: frame.heightsAside(sighting.box))
        }
    }

    /// The younger track that shows the sign of `track`: a wrong box led `track` astray. Nil for none. Where each was last read counts, for
    /// other things beside the sign may have led either away since.
    private func heir(of track: SignTrack) -> Int? {
        tracks.firstIndex { candidate in
            let younger = candidate.asLastRead()
            return younger.firstSeenS > track.firstSeenS && younger.verdict?.meaning == track.verdict?.meaning
                && continues(track, with: younger.box, aside: younger.lateralHeights(in: frame))
        }
    }

    /// Whether a sign that says the same, in `box` and `aside` as many of its heights, can be the one of `track`.
    private func continues(_ track: SignTrack, with box: Box, aside: Double) -> Bool {
        let before = track.lateralHeights(in: frame)
        return abs(aside - before) <= settings.refoundLateralShare * abs(before) + settings.refoundLateralHeights
            && box.height >= settings.refoundLeastHeight * track.box.height
    }

    /// Whether the sign lies within a vehicle that is clearly larger.
    private static func lies(_ box: Box, on vehicles: [Box]) -> Bool {
        vehicles.contains {
            $0.height > 1.8 * box.height && ($0.x...$0.maxX).contains(box.midX) && ($0.y...$0.maxY).contains(box.midY)
        }
    }

    /// Decides on a track whose sign is gone.
    private mutating func judge(_ track: SignTrack, speedMps: Double?) {
        let reason = rejection(of: track, speedMps: speedMps)
        lost.append(Lost(track: track, reason: reason))
        if reason == nil, let verdict = track.verdict, let kind = AdoptedSign.Kind(verdict.meaning.kind) {
            let isRestricted = kind == .limit && track.shareWithAnnex > settings.mostWithAnnex
            let sign = AdoptedSign(
                kind: isRestricted ? .restricted : kind, limit: verdict.meaning.limit, confidence: verdict.share,
                timeS: track.lastSeenS, box: track.box,
                readings: track.readings)
            passed.append(Passed(sign: sign, lateralHeights: abs(track.lateralHeights(in: frame)), trackID: track.id))
        }
    }

    private func rejection(of track: SignTrack, speedMps: Double?) -> Rejection? {
        let isLate = track.firstHeightPx >= settings.lateHeightShare * frame.width
        let isPlate = track.aspect < settings.mostPlateAspect
        let leastReadings =
            isLate ? settings.leastLateReadings : isPlate ? settings.leastPlateReadings : settings.leastReadings
        guard let verdict = track.verdict, track.readings >= leastReadings,
            verdict.votes >= settings.leastVotes,
            verdict.share >= settings.leastShare, verdict.lead >= settings.leastLead,
            track.readShare >= leastReadShare(of: verdict.meaning, isPlate: isPlate, speedMps: speedMps)
        else { return .unsure }
        if track.shareOnVehicle > settings.mostOnVehicle { return .onVehicle }
        let leastHeightShare = isPlate ? settings.leastPlateHeightShare : settings.leastHeightShare
        guard track.growth >= settings.leastGrowth, track.box.height >= leastHeightShare * frame.width,
            track.outwardPx(in: frame) > 0
        else { return .notPassed }
        if let speedMps, speedMps > 2, track.knowsWay {
            let heights = focalLengthPx == nil ? settings.uncalibratedHeightsM : settings.heightsM
            // 65 degrees of view where nobody said otherwise.
            let heightM = track.heightM(focalLengthPx: focalLengthPx ?? 0.785 * frame.width)
            guard let heightM, heights.contains(heightM) else { return .moving }
        }
        if abs(track.lateralHeights(in: frame)) > settings.mostLateralHeights || track.aspect < settings.leastAspect {
            return .aside
        }
        return nil
    }

    private func leastReadShare(of meaning: SignTrack.Meaning, isPlate: Bool, speedMps: Double?) -> Double {
        guard isPlate, let limit = meaning.limit, meaning.kind == .limit, let speedMps else { return settings.leastReadShare }
        let isUnlikely = limit.metresPerSecond < settings.unlikelySpeedShare * speedMps
        return isUnlikely ? settings.leastUnlikelyReadShare : settings.leastReadShare
    }

    /// The passed signs whose neighbours have been passed too by now: of each group the nearest that holds for everybody, and the nearest
    /// that does not, for the two may hang on one post.
    private mutating func adopt(atS timeS: Double) -> [AdoptedSign] {
        guard let first = passed.first, timeS - first.sign.timeS > waitS else { return [] }
        let group = passed.filter { $0.sign.timeS - first.sign.timeS <= settings.besideS }
        passed.removeAll { $0.sign.timeS - first.sign.timeS <= settings.besideS }
        lost.removeAll { candidate in group.contains { $0.trackID == candidate.track.id } }
        let restricted = group.filter { $0.sign.kind == .restricted }
        // Of a pair of equal signs the plate was overlooked at one.
        let general = group.filter { sign in
            sign.sign.kind != .restricted && !restricted.contains { sign.sign.kind == .limit && $0.sign.limit == sign.sign.limit }
        }
        let nearest = [general, restricted].compactMap { signs in signs.min { $0.lateralHeights < $1.lateralHeights }?.sign }
        let others = group.filter { other in !nearest.contains { $0.limit == other.sign.limit } }.count
        if others > 0 { rejected[.besideAnother, default: 0] += others }
        return nearest.filter { isNew($0) }
    }

    /// Whether `sign` is not the one adopted a moment ago, lost and found, or the second of a pair.
    private mutating func isNew(_ sign: AdoptedSign) -> Bool {
        func isLimit(_ kind: AdoptedSign.Kind) -> Bool { kind == .limit || kind == .restricted }
        let isSame = latest.contains {
            $0.limit == sign.limit && ($0.kind == sign.kind || isLimit($0.kind) && isLimit(sign.kind))
                && sign.timeS - $0.timeS < settings.sameSignS
        }
        latest.removeAll { sign.timeS - $0.timeS >= settings.sameSignS || $0.limit == sign.limit }
        latest.append(sign)
        return !isSame
    }
}

extension FrameSize {
    /// How far aside of the middle `box` is, in its own heights.
    fileprivate func heightsAside(_ box: Box) -> Double { (box.midX - width / 2) / box.height }
}

extension AdoptedSign.Kind {
    /// What a sighted sign orders once it is passed; nil for other signs.
    init?(_ kind: SignSighting.Kind) {
        switch kind {
        case .limit: self = .limit
        case .endOfLimit: self = .endOfLimit
        case .endOfAll: self = .endOfAll
        case .other: return nil
        }
    }
}
