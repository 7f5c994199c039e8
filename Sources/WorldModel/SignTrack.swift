import FleetModel
import Foundation

/// One sign followed through the frames, with the votes of its readings.
struct SignTrack: Hashable, Sendable {
    /// What readings vote for.
    struct Meaning: Hashable, Sendable {
        var kind: SignSighting.Kind
        var limit: Speed?
    }

    /// A moment of the track.
    private struct Place: Hashable, Sendable {
        var timeS: Double
        var box: Box
        /// How far the vehicle had driven, from any beginning; nil where that is not known.
        var drivenM: Double?
    }

    /// What there was at a reading.
    private struct Reading: Hashable, Sendable {
        var places = 1
        var against = 0.0
        var onVehicle = 0
        var sightings = 1
    }

    let id: Int
    private(set) var readings = 0
    /// Frames that were looked at between the first and the last sighting, and since the last.
    private var looks = 1
    private var looksSince = 0
    private var places: [Place]
    private var votes: [Meaning: Double] = [:]
    private var order: [Meaning] = []
    private var against = 0.0
    private var onVehicle = 0
    private(set) var sightings = 0
    /// Heights of the sightings at which a plate was seen, and of all at which one was looked for: near ones show more.
    private var withAnnexPx = 0.0
    private var lookedForAnnexPx = 0.0
    /// What there was when it was last read as something that sets or ends a limit.
    private var read = Reading()

    /// Height at which a reading counts once, as a share of the frame's width. Fewer pixels say less and more say more: MINIMUM SPEED reads as
    /// SPEED LIMIT until the sign is near.
    private static let fullHeightShare = 0.025
    /// What one reading counts at most.
    private static let mostWeight = 4.0
    /// Time between the two sightings that tell where it goes, in s: boxes waver, and the longer the time, the less.
    private static let baselineS = 0.25
    /// Sightings, and time before the last one in s, that tell how it grows, and the least time between two of them.
    private static let placesForHeight = 7
    private static let heightStepS = 0.15
    private static let heightBaselineS = 0.8
    /// Places that are kept; older ones say little about where the sign goes.
    private static let mostPlaces = 60

    init(id: Int, sighting: SignSighting, isOnVehicle: Bool, frame: FrameSize, drivenM: Double?, atS timeS: Double) {
        self.id = id
        places = [Place(timeS: timeS, box: sighting.box, drivenM: drivenM)]
        count(sighting, isOnVehicle: isOnVehicle, frame: frame)
    }

    var box: Box { last.box }
    var firstSeenS: Double { first.timeS }
    var lastSeenS: Double { last.timeS }
    private var first: Place { places[0] }
    private var last: Place { places[places.count - 1] }

    /// Whether other things alone have been seen there since it was last read.
    var isDoubtful: Bool { places.count > read.places }

    /// This track as it was when it was last read.
    func asLastRead() -> SignTrack {
        var earlier = self
        earlier.places.removeLast(places.count - read.places)
        (earlier.against, earlier.onVehicle, earlier.sightings) = (read.against, read.onVehicle, read.sightings)
        return earlier
    }

    /// This track with a `later` one of the same sign added to it.
    func continued(by later: SignTrack) -> SignTrack {
        var whole = self
        whole.places += later.places
        whole.readings += later.readings
        // The frames since this one's last sighting are those before the later one, and its own.
        whole.looks = looks + looksSince - later.looksSince
        whole.looksSince = later.looksSince
        for meaning in later.order {
            if votes[meaning] == nil { whole.order.append(meaning) }
            whole.votes[meaning, default: 0] += later.votes[meaning] ?? 0
        }
        whole.against += later.against
        whole.read = Reading(
            places: whole.places.count - later.places.count + later.read.places, against: against + later.read.against,
            onVehicle: onVehicle + later.read.onVehicle, sightings: sightings + later.read.sightings)
        whole.onVehicle += later.onVehicle
        whole.sightings += later.sightings
        whole.withAnnexPx += later.withAnnexPx
        whole.lookedForAnnexPx += later.lookedForAnnexPx
        whole.trim()
        return whole
    }

    /// Another frame was looked at, whether or not the sign was seen.
    mutating func look() { looksSince += 1 }

    mutating func observe(_ sighting: SignSighting, isOnVehicle: Bool, frame: FrameSize, drivenM: Double?, atS timeS: Double) {
        looks += looksSince
        looksSince = 0
        places.append(Place(timeS: timeS, box: sighting.box, drivenM: drivenM))
        trim()
        count(sighting, isOnVehicle: isOnVehicle, frame: frame)
    }

    /// Leaves out what is older than the latest places, but for the first.
    private mutating func trim() {
        let surplus = places.count - Self.mostPlaces
        guard surplus > 0 else { return }
        places.removeSubrange(1...surplus)
        read.places = max(1, read.places - surplus)
    }

    private mutating func count(_ sighting: SignSighting, isOnVehicle: Bool, frame: FrameSize) {
        let weight = sighting.score * min(Self.mostWeight, sighting.box.height / (Self.fullHeightShare * frame.width))
        sightings += 1
        if isOnVehicle { onVehicle += 1 }
        if let hasAnnex = sighting.hasAnnex {
            lookedForAnnexPx += sighting.box.height
            if hasAnnex { withAnnexPx += sighting.box.height }
        }
        guard sighting.kind != .other else {
            against += weight
            return
        }
        readings += 1
        read = Reading(places: places.count, against: against, onVehicle: onVehicle, sightings: sightings)
        let meaning = Meaning(kind: sighting.kind, limit: sighting.limit)
        if votes[meaning] == nil { order.append(meaning) }
        votes[meaning, default: 0] += weight
    }

    /// The meaning with most votes (the earlier on a tie), its votes, its share of all votes, those against included, and its lead over the
    /// second, which may be those against.
    var verdict: (meaning: Meaning, votes: Double, share: Double, lead: Double)? {
        guard let best = order.max(by: { (votes[$0] ?? 0, 0) < (votes[$1] ?? 0, 0) }), let most = votes[best] else { return nil }
        let all = order.reduce(0) { $0 + (votes[$1] ?? 0) } + against
        let second = max(against, order.filter { $0 != best }.map { votes[$0] ?? 0 }.max() ?? 0)
        return (best, most, all > 0 ? most / all : 0, second > 0 ? most / second : .infinity)
    }

    /// Share of the frames between the first and the last sighting in which it was read as something that sets or ends a limit.
    var readShare: Double { Double(readings) / Double(looks) }

    /// Share of the sightings that lay on a vehicle.
    var shareOnVehicle: Double { Double(onVehicle) / Double(sightings) }

    /// Share of the looks, by height, that saw a plate at the sign which says for whom or when it holds.
    var shareWithAnnex: Double { lookedForAnnexPx > 0 ? withAnnexPx / lookedForAnnexPx : 0 }

    /// Where its middle is expected at `timeS`, and how large it is then: going on as between the last sighting and the one a moment before it.
    /// Of what comes nearer at a steady speed the inverse of the height falls evenly, and its place moves as its height does.
    func predicted(atS timeS: Double) -> (x: Double, y: Double, height: Double) {
        guard places.count >= 2 else { return (box.midX, box.midY, box.height) }
        let before = places.dropLast().last { last.timeS - $0.timeS >= Self.baselineS } ?? first
        let share = (timeS - last.timeS) / max(1e-3, last.timeS - before.timeS)
        let height = predictedHeight(atS: timeS)
        let growth = height / box.height
        return (
            box.midX + (box.midX - before.box.midX) * share * growth, box.midY + (box.midY - before.box.midY) * share * growth,
            height
        )
    }

    /// The height at `timeS` by the median slope of the inverse heights of the last sightings (Theil and Sen): a box half as large again as the
    /// sign must not make the next one expected at twice its size.
    private func predictedHeight(atS timeS: Double) -> Double {
        let recent = places.suffix(Self.placesForHeight).filter { last.timeS - $0.timeS <= Self.heightBaselineS }
        var slopes: [Double] = []
        for (i, later) in recent.enumerated() {
            for earlier in recent[..<i] where later.timeS - earlier.timeS >= Self.heightStepS {
                slopes.append((1 / later.box.height - 1 / earlier.box.height) / (later.timeS - earlier.timeS))
            }
        }
        let slope = slopes.isEmpty ? 0 : Self.median(slopes)
        func inverse(_ timeS: Double) -> Double { Self.median(recent.map { 1 / $0.box.height + slope * (timeS - $0.timeS) }) }
        let (now, then) = (inverse(last.timeS), inverse(timeS))
        let height = now > 0 ? 1 / now : box.height
        return min(1.6 * height, max(0.7 * height, then > 0 ? 1 / then : .infinity))
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        let half = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[half]
    }

    /// Height when it was first seen, in pixels.
    var firstHeightPx: Double { first.box.height }
    /// Height at the last sighting over that at the first.
    var growth: Double { box.height / first.box.height }
    /// Width over height, the median of the last sightings.
    var aspect: Double {
        let ratios = places.suffix(7).map { $0.box.width / $0.box.height }.sorted()
        return ratios[ratios.count / 2]
    }

    /// How far its middle went away from the picture's middle between first and last sighting, sideways or upwards, in pixels.
    func outwardPx(in frame: FrameSize) -> Double {
        func distance(_ box: Box) -> Double { max(abs(box.midX - frame.width / 2), frame.height / 2 - box.midY) }
        return distance(last.box) - distance(first.box)
    }

    /// Sideways distance from the picture's middle in heights of the sign, the median: the same at every distance while driving
    /// straight on, because both shrink alike.
    func lateralHeights(in frame: FrameSize) -> Double {
        let ratios = places.map { ($0.box.midX - frame.width / 2) / $0.box.height }.sorted()
        return ratios[ratios.count / 2]
    }

    /// The sign's height in m, if it stands still: distance is focal length × height ÷ height in pixels, so the inverse of the height in pixels
    /// falls by 1 ÷ (focal length × height) with each metre driven. Nil while it does not come nearer.
    func heightM(focalLengthPx: Double) -> Double? {
        let known = places.compactMap { place in place.drivenM.map { (drivenM: $0, inverse: 1 / place.box.height) } }
        guard known.count >= 3 else { return nil }
        let n = Double(known.count)
        let meanDriven = known.reduce(0) { $0 + $1.drivenM } / n
        let meanInverse = known.reduce(0) { $0 + $1.inverse } / n
        var both = 0.0
        var square = 0.0
        for place in known {
            both += (place.drivenM - meanDriven) * (place.inverse - meanInverse)
            square += (place.drivenM - meanDriven) * (place.drivenM - meanDriven)
        }
        let fall = -both / square
        return square > 0 && fall > 0 ? 1 / (focalLengthPx * fall) : nil
    }

    /// Whether the speed was known at all sightings: a way with a gap in it is too short.
    var knowsWay: Bool { places.allSatisfy { $0.drivenM != nil } }
}
