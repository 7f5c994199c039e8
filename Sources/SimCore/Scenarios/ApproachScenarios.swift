import FleetModel

/// Towards a car ahead that stands, drives slower or brakes: where a warning is due. The ego vehicle's speed is open.
extension ScenarioCatalogue {
    /// Speeds that the seed draws from, m/s: 40 to 80 km/h.
    private static let speedsMps = (slowest: 40 / 3.6, fastest: 80 / 3.6)

    private static func speed(_ wanted: Double?, _ traffic: inout Traffic) -> Double {
        let middle = (speedsMps.slowest + speedsMps.fastest) / 2
        let drawn = traffic.about(middle, by: middle - speedsMps.slowest)
        return wanted ?? drawn
    }

    /// How far ahead of a thing that is approached with `closingMps` the brakes come: at 1.6 s, or where 8.5 m/s² (a dry road's best) still
    /// leave 5 m.
    private static func lastMomentM(_ closingMps: Double) -> Double {
        max(1.6 * closingMps, closingMps * closingMps / (2 * 8.5) + 5)
    }

    private static func limit(_ speedMps: Double) -> Double { (speedMps * 3.6 / 10).rounded(.up) * 10 }

    /// The lead brakes at 6 s; the ego vehicle only once the gap has closed to 1.6 s of the closing speed.
    func leadBrakesScenario(_ seed: UInt64, _ speedMps: Double?) -> Scenario {
        var traffic = Traffic(seed: seed)
        let speed = Self.speed(speedMps, &traffic)
        // Half the speedometer in metres, as drivers are told, and a second and a half when they do not listen.
        let gap = traffic.about(1.75 * speed, by: 0.1 * speed)
        let slow = max(3.5, 0.3 * speed)
        let lead = MotionProfile(positionM: gap, speedMps: speed).holding(until: 6).changing(to: slow, at: 5)
        let ego = MotionProfile(positionM: 0, speedMps: speed)
        var brakes = 6.5
        while brakes < 12 {
            let (a, b) = (ego.state(at: brakes), lead.state(at: brakes))
            let closing = a.speedMps - b.speedMps
            if closing > 1, b.positionM - a.positionM < 1.7 * closing { break }
            brakes += 0.05
        }
        let braking = ego.holding(until: brakes).changing(to: slow - 1.5, at: 8)
        let end = braking.endS + 2
        traffic.car(lead.holding(until: end).changing(to: speed, at: 2))
        traffic.oncoming(speedMps: 12, everyM: 110, fromM: 80, untilS: 20)
        return scenario(
            end + 5, ego: braking.holding(until: end + 1.5).changing(to: speed - 2, at: 1.5), traffic, limit: Self.limit(speed))
    }

    func stoppedLeadScenario(_ seed: UInt64, _ speedMps: Double?) -> Scenario {
        var traffic = Traffic(seed: seed)
        let speed = Self.speed(speedMps, &traffic)
        let start = traffic.about(6.5 * speed, by: 3)
        let brakes = Self.lastMomentM(speed)
        let ego = MotionProfile(positionM: 0, speedMps: speed).holding(until: (start - brakes) / speed)
            .changing(to: 0, at: speed * speed / (2 * (brakes - 5)))
        traffic.car(MotionProfile(positionM: start))
        return scenario(ego.endS + 1.5, ego: ego, traffic, limit: Self.limit(speed), signsM: [40])
    }

    func slowerLeadScenario(_ seed: UInt64, _ speedMps: Double?) -> Scenario {
        var traffic = Traffic(seed: seed)
        let speed = Self.speed(speedMps, &traffic)
        let leadSpeed = traffic.about(0.4 * speed, by: 0.05 * speed)
        let closing = speed - leadSpeed
        let gap = traffic.about(6.5 * closing, by: 2)
        let brakes = Self.lastMomentM(closing)
        let ego = MotionProfile(positionM: 0, speedMps: speed).holding(until: (gap - brakes) / closing)
            .changing(to: leadSpeed - 0.5, at: closing * closing / (2 * (brakes - 5)))
        traffic.car(MotionProfile(positionM: gap, speedMps: leadSpeed))
        traffic.oncoming(speedMps: 12, everyM: 130, fromM: 90, untilS: 20)
        return scenario(ego.endS + 3, ego: ego, traffic, limit: Self.limit(speed), signsM: [40])
    }

    func overpassScenario(_ seed: UInt64) -> Scenario {
        var traffic = Traffic(seed: seed)
        let speed = traffic.about(15, by: 2)
        let first = traffic.about(90, by: 15)
        traffic.car(MotionProfile(positionM: traffic.about(45, by: 5), speedMps: speed))
        traffic.oncoming(speedMps: 14, everyM: 120, fromM: 70, untilS: 18)
        var drive = scenario(18, ego: MotionProfile(positionM: 0, speedMps: speed), traffic, limit: 70)
        drive.bridgesM = [first, first + traffic.about(85, by: 10)]
        return drive
    }

    func curveScenario(_ seed: UInt64) -> Scenario {
        var traffic = Traffic(seed: seed)
        let speed = traffic.about(11, by: 1.5)
        let radius = traffic.about(130, by: 40)
        traffic.car(MotionProfile(positionM: traffic.about(32, by: 4), speedMps: speed))
        traffic.parkedRow(30...230, gapM: 1...6)
        traffic.oncoming(speedMps: 11, everyM: 60, fromM: 55, untilS: 18)
        var drive = scenario(18, ego: MotionProfile(positionM: 0, speedMps: speed), traffic, signsM: [])
        drive.curvaturePerM = (seed.isMultiple(of: 2) ? 1 : -1) / radius
        return drive
    }
}
