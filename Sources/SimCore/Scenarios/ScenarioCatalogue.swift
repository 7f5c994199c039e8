import FleetModel

/// The drives that `fleet-sim drive` can render. Each is a function of the seed: the plot stays, colours and small distances differ.
public enum ScenarioCatalogue: String, CaseIterable, Sendable {
    case cruise
    case leadBrakes = "lead-brakes"
    case stoppedLead = "stopped-lead"
    case slowerLead = "slower-lead"
    case cutIn = "cut-in"
    case parkedRow = "parked-row"
    case oncoming
    case pedestrian
    case overspeed
    case stopAndGo = "stop-and-go"
    case overpass
    case curve
    case cityLoop = "city-loop"

    /// One line for the help.
    public var summary: String {
        switch self {
        case .cruise: "30 s at 47 km/h behind a car that keeps its distance: nothing to report"
        case .leadBrakes: "the car ahead brakes hard, the ego vehicle late: TTC down to about 1.5 s"
        case .stoppedLead: "40 to 80 km/h towards a car that stands in the lane, braking at the last moment"
        case .slowerLead: "40 to 80 km/h towards a car that drives at less than half of that, braking at the last moment"
        case .cutIn: "a car overtakes, cuts in close and slows down"
        case .parkedRow: "past a row of parked cars at 40 km/h: nothing to report"
        case .oncoming: "a stream of oncoming cars and lorries: nothing to report"
        case .pedestrian: "a person steps onto a crossing at the last moment"
        case .overspeed: "67 km/h where 50 are allowed, for more than 10 s"
        case .stopAndGo: "a queue that crawls: nothing to report"
        case .overpass: "under two bridges and through their shadows: nothing to report"
        case .curve: "round a bend with parked and oncoming cars: nothing to report"
        case .cityLoop: "a bit of everything in 28 s: overspeed, a near collision, a person on a crossing"
        }
    }

    /// The drive for `seed`. `speedMps` is the ego vehicle's speed in the scenarios that leave it open (stopped, slower and braking lead);
    /// without it the seed chooses.
    public func scenario(seed: UInt64, speedMps: Double? = nil) -> Scenario {
        switch self {
        case .cruise: cruiseScenario(seed)
        case .leadBrakes: leadBrakesScenario(seed, speedMps)
        case .stoppedLead: stoppedLeadScenario(seed, speedMps)
        case .slowerLead: slowerLeadScenario(seed, speedMps)
        case .cutIn: cutInScenario(seed)
        case .parkedRow: parkedRowScenario(seed)
        case .oncoming: oncomingScenario(seed)
        case .pedestrian: pedestrianScenario(seed)
        case .overspeed: overspeedScenario(seed)
        case .stopAndGo: stopAndGoScenario(seed)
        case .overpass: overpassScenario(seed)
        case .curve: curveScenario(seed)
        case .cityLoop: cityLoopScenario(seed)
        }
    }

    func scenario(
        _ durationS: Double, ego: MotionProfile, _ traffic: Traffic, limit: Double = 50, signsM: [Double] = [45],
        crossingsM: [Double] = []
    ) -> Scenario {
        let limit = Speed(limit, .kilometresPerHour)
        return Scenario(
            name: rawValue, durationS: durationS, ego: ego, actors: traffic.actors,
            signs: signsM.map { Scenario.LimitSign(positionM: $0, limit: limit) }, crossingsM: crossingsM, initialLimit: limit)
    }

    private func cruiseScenario(_ seed: UInt64) -> Scenario {
        var traffic = Traffic(seed: seed)
        traffic.car(MotionProfile(positionM: traffic.about(34, by: 2), speedMps: 13))
        traffic.oncoming(speedMps: 13, everyM: 90, fromM: 60, untilS: 30)
        return scenario(30, ego: MotionProfile(positionM: 0, speedMps: 13), traffic)
    }

    private func cutInScenario(_ seed: UInt64) -> Scenario {
        var traffic = Traffic(seed: seed)
        let ego = MotionProfile(positionM: 0, speedMps: 18).holding(until: 9.6).changing(to: 11, at: 5).holding(until: 14)
            .changing(to: 15, at: 1.5)
        // Passes the camera at 3 s, is 16 m ahead at 5.7 s, cuts in within 2 s, then slows down.
        let along = MotionProfile(positionM: traffic.about(-18, by: 0.5), speedMps: 24).holding(until: 6.2).changing(
            to: 11.5, at: 5
        )
        .holding(until: 11.5).changing(to: 17, at: 2)
        let across = MotionProfile(positionM: Street.oncomingLaneM).holding(until: 5.6).shifting(
            by: -Street.oncomingLaneM, within: 2)
        traffic.car(along, across: across)
        return scenario(18, ego: ego, traffic, limit: 70, signsM: [50])
    }

    private func parkedRowScenario(_ seed: UInt64) -> Scenario {
        var traffic = Traffic(seed: seed)
        traffic.parkedRow(25...245, gapM: 1...6)
        return scenario(20, ego: MotionProfile(positionM: 0, speedMps: 11), traffic)
    }

    private func oncomingScenario(_ seed: UInt64) -> Scenario {
        var traffic = Traffic(seed: seed)
        traffic.oncoming(speedMps: 13, everyM: 40, fromM: 50, untilS: 20)
        return scenario(20, ego: MotionProfile(positionM: 0, speedMps: 13), traffic)
    }

    private func pedestrianScenario(_ seed: UInt64) -> Scenario {
        var traffic = Traffic(seed: seed)
        // The brakes come 26 m before the crossing, 1.9 s at 13.5 m/s; the car stands 12 m further on.
        let crossing = traffic.about(110, by: 2)
        let ego = MotionProfile(positionM: 0, speedMps: 13.5).holding(until: (crossing - 24) / 13.5).changing(to: 0, at: 6)
        traffic.crossing(at: crossing + 2, from: (crossing - 24) / 13.5 - 2.4, speedMps: 1.5)
        traffic.parkedRow(crossing + 12...crossing + 80, gapM: 1...5)
        return scenario(14, ego: ego, traffic, crossingsM: [crossing])
    }

    private func overspeedScenario(_ seed: UInt64) -> Scenario {
        var traffic = Traffic(seed: seed)
        let ego = MotionProfile(positionM: 0, speedMps: 12.5).holding(until: 3).changing(to: traffic.about(18.6, by: 0.2), at: 2)
            .holding(until: 17).changing(to: 12, at: 2)
        traffic.oncoming(speedMps: 13, everyM: 100, fromM: 90, untilS: 25)
        return scenario(25, ego: ego, traffic)
    }

    private func stopAndGoScenario(_ seed: UInt64) -> Scenario {
        var traffic = Traffic(seed: seed)
        var (ego, lead) = (MotionProfile(positionM: 0), MotionProfile(positionM: traffic.about(7.5, by: 0.3)))
        for cycle in 0..<3 {
            let start = 1 + Double(cycle) * 9
            lead = lead.holding(until: start).changing(to: 5, at: 1.2).holding(until: start + 5).changing(to: 0, at: 1.5)
            ego = ego.holding(until: start + 0.8).changing(to: 5, at: 1.2).holding(until: start + 5.2).changing(to: 0, at: 1.3)
        }
        traffic.car(lead)
        traffic.car(MotionProfile(positionM: 60, speedMps: 4.5))
        traffic.oncoming(speedMps: 10, everyM: 60, fromM: 40, untilS: 28)
        return scenario(28, ego: ego, traffic)
    }

    /// The plot of the demonstration: 0 to 12 s speeding up behind a car that goes 54 km/h; at 12.6 s it brakes, the ego vehicle only
    /// at 15 s (TTC falls to about 1.8 s at 16 to 21 m); it drives off, and a person crosses in front of the stopped ego vehicle.
    private func cityLoopScenario(_ seed: UInt64) -> Scenario {
        var traffic = Traffic(seed: seed)
        let ego = MotionProfile(positionM: 0, speedMps: 12.5).holding(until: 1.5).changing(to: 17.8, at: 2).holding(until: 15)
            .changing(to: 7, at: 5.5).holding(until: 18.5).changing(to: 9, at: 1.5).holding(until: 21).changing(to: 0, at: 2.5)
        let lead = MotionProfile(positionM: traffic.about(59, by: 0.3), speedMps: 15).holding(until: 12.6).changing(to: 6.5, at: 4)
            .holding(until: 16.3).changing(to: 12.5, at: 2.2)
        let crossing = ego.state(at: ego.endS).positionM + 10
        traffic.car(lead)
        traffic.parkedRow(120...185, gapM: 16...22)
        traffic.crossing(at: crossing + 2, from: 22.8, speedMps: 1.4)
        traffic.oncoming(speedMps: 13, everyM: 120, fromM: 70, untilS: 24)
        return scenario(28, ego: ego, traffic, signsM: [60, 250], crossingsM: [crossing])
    }
}
