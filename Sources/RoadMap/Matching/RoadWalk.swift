import Glibc

/// From one fix to the next: how far the vehicle has gone, and how sure that is.
struct Step {
    /// Metres.
    let distanceM: Double
    /// Variance that the step adds, m².
    let variance: Double

    init(from last: MapMatcher.Fix, to fix: MapMatcher.Fix) {
        let seconds = fix.timeS - last.timeS
        if let speed = fix.speedMps ?? last.speedMps {
            distanceM = max(0, ((last.speedMps ?? speed) + speed) / 2 * seconds)
            // Speeds of receivers are right to some 0.3 m/s; between them the vehicle may have braked and gone on.
            variance = (0.4 * seconds) * (0.4 * seconds) + (0.02 * distanceM) * (0.02 * distanceM)
        } else {
            distanceM = last.place.distanceM(to: fix.place)
            variance = 100
        }
    }
}

/// Moves a hypothesis along the network, over junctions into every road that goes on from there.
struct RoadWalk {
    let network: RoadNetwork
    let step: Step
    /// Roads that may still be entered: bounds the work where many short roads meet.
    private var budget = 400

    init(network: RoadNetwork, step: Step) {
        self.network = network
        self.step = step
    }

    /// Junctions in a row within one step.
    private static let mostTurns = 6
    /// Turning by this angle costs as much as one standard deviation, degrees: most traffic goes straight on.
    private static let turnSdDeg = 60.0
    private static let turnFloor = -5.0
    /// Driving against a one-way road: rare, but maps err, and works reroute traffic.
    private static let wrongWay = -6.0
    /// Turning into drives and car parks.
    private static let intoMinor = -1.5

    /// Calls `found` with every place where `start` may have got to.
    mutating func advance(_ start: Hypothesis, on road: Int, _ found: (Hypothesis) -> Void) {
        var moved = start
        moved.road = road
        moved.along = min(start.along, network.roads[road].length)
        moved.variance = start.variance + step.variance
        let slack = 2 * moved.variance.squareRoot()
        walk(moved, remaining: step.distanceM, slack: slack, behind: slack, turns: 0, found)
    }

    /// The weight of a road by itself, in logarithm.
    static func prior(of road: RoadNetwork.Road, _ direction: RoadLimits.Direction) -> Double {
        (road.allows(direction) ? 0 : wrongWay) + (road.way.roadClass.isMinor ? intoMinor : 0)
    }

    /// `remaining` metres from `at`; junctions up to `behind` metres back count too, because the place is not sure.
    private mutating func walk(
        _ at: Hypothesis, remaining: Double, slack: Double, behind: Double, turns: Int, _ found: (Hypothesis) -> Void
    ) {
        budget -= 1
        let road = network.roads[at.road]
        let sign: Double = at.direction == .forward ? 1 : -1
        let left = at.direction == .forward ? road.length - at.along : at.along
        let excess = max(0, remaining - left)
        if excess <= slack {
            var stayed = at
            stayed.along = min(max(at.along + sign * remaining, 0), road.length)
            stayed.logWeight -= excess * excess / (2 * at.variance)
            found(stayed)
        }
        guard turns < Self.mostTurns, budget > 0 else { return }
        for vertex in road.junctions {
            let ahead = sign * (road.alongs[vertex] - at.along)
            guard ahead >= -behind, ahead <= remaining + slack, let arrival = road.arrival(vertex, at.direction) else { continue }
            let rest = remaining - ahead
            var weight = at.logWeight
            if ahead < 0 { weight -= ahead * ahead / (2 * at.variance) }
            if rest < 0 { weight -= rest * rest / (2 * at.variance) }
            leave(at, by: RoadNetwork.Vertex(road: at.road, index: vertex), arrival, weight, max(rest, 0), slack, turns, found)
        }
    }

    /// Goes on from the junction `vertex` into every other road.
    private mutating func leave(
        _ at: Hypothesis, by vertex: RoadNetwork.Vertex, _ arrival: MapPlane.Point, _ weight: Double, _ rest: Double,
        _ slack: Double, _ turns: Int, _ found: (Hypothesis) -> Void
    ) {
        let isMinor = network.roads[at.road].way.roadClass.isMinor
        for other in network.meeting(vertex) where other != vertex && budget > 0 {
            let road = network.roads[other.road]
            for direction in [RoadLimits.Direction.forward, .backward] {
                guard let departure = road.departure(other.index, direction) else { continue }
                let angle = atan2(abs(arrival.cross(departure)), arrival.dot(departure)) * 180 / .pi
                var next = at
                next.wayID = road.way.id
                next.road = other.road
                next.direction = direction
                next.along = road.alongs[other.index]
                next.logWeight = weight + max(-angle * angle / (2 * Self.turnSdDeg * Self.turnSdDeg), Self.turnFloor)
                if !road.allows(direction) { next.logWeight += Self.wrongWay }
                if road.way.roadClass.isMinor, !isMinor { next.logWeight += Self.intoMinor }
                walk(next, remaining: rest, slack: slack, behind: 0, turns: turns + 1, found)
            }
        }
    }
}
