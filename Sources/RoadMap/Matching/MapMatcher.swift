import Glibc
import WorldModel

/// Finds the road on which a vehicle drives, fix by fix.
///
/// A hidden Markov model whose states are (road, direction, metres along it): a handful of hypotheses, each with a small Kalman filter for the
/// metres. A step moves every hypothesis along the network by the distance that the speed gives, over junctions into all roads that meet there;
/// the fix then weighs them by distance across and along the road and by heading. What has no connection to where the vehicle was starts with a low
/// weight, so parallel roads and bridges do not take over. After Newson and Krumm (2009), with moving states instead of projected fixes.
///
/// A value without a clock; the same fixes and roads give the same result.
public struct MapMatcher: Sendable {
    /// What is known at one fix.
    public struct Fix: Hashable, Sendable {
        /// Where.
        public var place: GeoPoint
        /// When, s.
        public var timeS: Double
        /// Speed over ground, m/s; nil when unknown.
        public var speedMps: Double?
        /// Direction of travel, degrees clockwise from north; nil when unknown.
        public var headingDeg: Double?
        /// Error of the position (95 %), m; nil when unknown.
        public var errorM: Double?

        /// A fix with nothing known but place and time.
        public init(place: GeoPoint, timeS: Double, speedMps: Double? = nil, headingDeg: Double? = nil, errorM: Double? = nil) {
            self.place = place
            self.timeS = timeS
            self.speedMps = speedMps
            self.headingDeg = headingDeg
            self.errorM = errorM
        }
    }

    /// After a longer gap between fixes the search begins anew, s.
    static let longestGapS = 10.0
    /// Half side of the square of roads that is kept, m, and how far from its middle the vehicle may go before it is read anew.
    static let networkRadiusM = 400.0
    static let networkSlackM = 200.0
    /// Hypotheses that are kept.
    static let mostHypotheses = 32
    /// Logarithm of the weight below the best one's at which a hypothesis is given up.
    static let leastWeight = -12.0
    /// Logarithm of the weight of a road that is not connected to where the vehicle was.
    static let seedWeight = -8.0

    private let roads: any RoadSource
    private var network: RoadNetwork?
    private var centre: GeoPoint?
    private var hypotheses: [Hypothesis] = []
    private var last: Fix?

    /// A matcher on `roads`, without a fix yet.
    public init(roads: any RoadSource) { self.roads = roads }

    /// Takes the next fix; nil when no road is near enough. Throws what the source of roads throws.
    public mutating func update(_ fix: Fix) throws -> MatchedRoad? {
        let network = try network(about: fix.place)
        let point = network.plane.point(fix.place)
        let model = FixModel(fix, at: point)
        var weighed: [Hypothesis] = []
        if let last, fix.timeS > last.timeS, fix.timeS - last.timeS <= Self.longestGapS {
            let step = Step(from: last, to: fix)
            for hypothesis in hypotheses {
                guard let road = network.road(id: hypothesis.wayID) else { continue }
                var walk = RoadWalk(network: network, step: step)
                walk.advance(hypothesis, on: road) { moved in
                    if let seen = model.weigh(moved, in: network) { weighed.append(seen) }
                }
            }
        }
        let isLost = weighed.isEmpty
        for (road, entry) in network.roads.enumerated() where entry.isNear(point, model.reachM) {
            let nearest = entry.nearest(to: point)
            guard nearest.distanceM <= model.reachM else { continue }
            for direction in [RoadLimits.Direction.forward, .backward] {
                var seed = Hypothesis(wayID: entry.way.id, road: road, direction: direction, along: nearest.along)
                seed.variance = model.variance
                seed.logWeight = (isLost ? 0 : Self.seedWeight) + RoadWalk.prior(of: entry, direction)
                if let seen = model.weigh(seed, in: network) { weighed.append(seen) }
            }
        }
        last = fix
        hypotheses = Self.pruned(Self.merged(weighed))
        return result(network, point, model)
    }

    private mutating func network(about place: GeoPoint) throws -> RoadNetwork {
        if let network, let centre, centre.distanceM(to: place) <= Self.networkSlackM { return network }
        let new = RoadNetwork(try roads.ways(around: place, radiusM: Self.networkRadiusM), about: place)
        network = new
        centre = place
        return new
    }

    /// Hypotheses of one road and direction that are nearly at the same place become one.
    private static func merged(_ all: [Hypothesis]) -> [Hypothesis] {
        var kept: [Hypothesis] = []
        let ordered = all.sorted { ($1.logWeight, $0.wayID, $0.along) < ($0.logWeight, $1.wayID, $1.along) }
        for one in ordered {
            let twin = kept.firstIndex { $0.road == one.road && $0.direction == one.direction && abs($0.along - one.along) < 12 }
            if let twin {
                kept[twin].logWeight = kept[twin].logWeight + log1p(exp(one.logWeight - kept[twin].logWeight))
            } else {
                kept.append(one)
            }
        }
        return kept
    }

    /// The likely ones with weights that add up to 1.
    private static func pruned(_ all: [Hypothesis]) -> [Hypothesis] {
        let ordered = all.sorted { ($1.logWeight, $0.wayID, $0.along) < ($0.logWeight, $1.wayID, $1.along) }
        guard let best = ordered.first?.logWeight else { return [] }
        var kept = Array(ordered.prefix(mostHypotheses).prefix { $0.logWeight >= best + leastWeight })
        let sum = best + log(kept.reduce(0) { $0 + exp($1.logWeight - best) })
        for i in kept.indices { kept[i].logWeight -= sum }
        return kept
    }

    private func result(_ network: RoadNetwork, _ point: MapPlane.Point, _ model: FixModel) -> MatchedRoad? {
        // Directions of one road count together for the choice of the road.
        var shares: [(road: Int, total: Double, best: Hypothesis, bestShare: Double)] = []
        for one in hypotheses {
            let share = exp(one.logWeight)
            if let i = shares.firstIndex(where: { $0.road == one.road }) {
                shares[i].total += share
                if share > shares[i].bestShare { (shares[i].best, shares[i].bestShare) = (one, share) }
            } else {
                shares.append((one.road, share, one, share))
            }
        }
        shares.sort { ($1.total, $0.best.wayID) < ($0.total, $1.best.wayID) }
        guard let first = shares.first else { return nil }
        let distance = (network.roads[first.road].place(at: first.best.along).point - point).length
        guard distance <= model.reachM else { return nil }
        let candidates = hypotheses.map {
            MatchedRoad.Candidate(way: network.roads[$0.road].way, direction: $0.direction, probability: exp($0.logWeight))
        }
        return MatchedRoad(
            way: network.roads[first.road].way, direction: first.best.direction, probability: min(1, first.total),
            distanceM: distance,
            sinceJunctionM: network.sinceJunctionM(on: first.best.road, at: first.best.along, first.best.direction),
            candidates: candidates)
    }
}
