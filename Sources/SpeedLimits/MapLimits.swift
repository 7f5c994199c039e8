import FleetModel
import FleetRuntime
import RoadMap
import WorldModel

/// The limits of the map at the road on which the vehicle is believed to drive.
struct MapLimits: Sendable {
    /// How sure a tagged number is, and one that only the law's table gives: maps age, and mappers err. Below 0.9, so that an alert on the map
    /// alone is told as unconfirmed.
    static let taggedConfidence = 0.85
    static let impliedConfidence = 0.75
    /// Share of the roads that must agree on a limit for it to take over at once.
    static let clearShare = 0.7
    /// Share from which another limit makes a range.
    static let openShare = 0.2
    /// How long an unclear reading is bridged by the last clear one, s: what the matcher needs after a junction.
    static let bridgeS = 3.0

    private var matcher: MapMatcher
    private let clock: LocalClock
    private var fixTimeS: Double?
    private var reading: MapReading?
    private var clear: (reading: MapReading, timeS: Double)?
    private var hasFailed = false

    init(roads: any RoadSource, clock: LocalClock) {
        matcher = MapMatcher(roads: roads)
        self.clock = clock
    }

    /// What the map says for a vehicle in the state `ego`; nil when it knows no road there.
    mutating func reading(for ego: EgoState) -> MapReading? {
        guard let place = ego.position, let timeS = ego.fixTimeS else { return nil }
        guard timeS != fixTimeS else { return reading }
        fixTimeS = timeS
        let fix = MapMatcher.Fix(
            place: place, timeS: timeS, speedMps: ego.speedMps, headingDeg: ego.headingDeg, errorM: ego.positionErrorM)
        do {
            reading = try matcher.update(fix).map { settle(judge($0, at: clock.time(at: ego.fixTime)), atS: timeS) }
        } catch {
            if !hasFailed { Log("map").error("\(error); limits of the map are unknown until it can be read again") }
            hasFailed = true
            reading = nil
        }
        return reading
    }

    /// Which limit most of the probable roads have, and which others are possible.
    private func judge(_ road: MatchedRoad, at time: LocalTime?) -> MapReading {
        var votes: [(applied: RoadLimits.Applied, share: Double)] = []
        for candidate in road.candidates {
            let applied = candidate.way.limits.applied(candidate.direction, at: time)
            if let i = votes.firstIndex(where: { $0.applied.limit == applied.limit }) {
                votes[i].share += candidate.probability
            } else {
                votes.append((applied, candidate.probability))
            }
        }
        guard let best = votes.max(by: { $0.share < $1.share }) else {
            return MapReading(limit: .unknown(.untagged), confidence: 0, road: road)
        }
        var reading = MapReading(
            limit: best.applied.limit, lowest: best.applied.lowest, highest: best.applied.highest,
            confidence: best.share * (best.applied.isImplicit ? Self.impliedConfidence : Self.taggedConfidence), road: road)
        let rivals = votes.filter { $0.applied.limit != best.applied.limit && $0.share >= Self.openShare }.compactMap(
            \.applied.limit.speed)
        if best.share < Self.clearShare, let own = best.applied.limit.speed, !rivals.isEmpty {
            let all = (rivals + [own, best.applied.lowest, best.applied.highest].compactMap(\.self)).sorted {
                $0.metresPerSecond < $1.metresPerSecond
            }
            (reading.lowest, reading.highest) = (all.first, all.last)
        }
        return reading
    }

    /// Bridges the moments in which the road is not clear, so that a junction does not split an episode.
    private mutating func settle(_ new: MapReading, atS timeS: Double) -> MapReading {
        if new.confidence >= Self.clearShare * Self.impliedConfidence {
            clear = (new, timeS)
            return new
        }
        guard let clear, (0...Self.bridgeS).contains(timeS - clear.timeS) else { return new }
        var bridged = clear.reading
        bridged.confidence = new.limit == bridged.limit ? new.confidence : min(new.confidence, bridged.confidence)
        bridged.road = new.road
        return bridged
    }
}
