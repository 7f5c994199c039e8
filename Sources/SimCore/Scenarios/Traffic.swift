import FleetModel
import FleetRuntime

/// Collects the road users of a scenario; colours and small differences come from the seed.
struct Traffic {
    private(set) var actors: [Actor] = []
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed, purpose: "traffic") }

    /// `value` moved by up to `by` in either direction.
    mutating func about(_ value: Double, by: Double) -> Double { random.uniform(value - by...value + by) }

    /// A car in the ego lane (or, by `across`, elsewhere) that goes the same way.
    mutating func car(_ along: MotionProfile, across: MotionProfile = MotionProfile(positionM: 0)) {
        add(.car(paint: Int(random.next() % 64)), .away, along, across)
    }

    /// Cars parked on the right from `range` on, with gaps of a few metres.
    mutating func parkedRow(_ range: ClosedRange<Double>, gapM: ClosedRange<Double>) {
        var position = range.lowerBound
        while position < range.upperBound {
            let across = MotionProfile(positionM: about(Street.parkedM, by: 0.1))
            add(.car(paint: Int(random.next() % 64)), .away, MotionProfile(positionM: position), across)
            position += 4.2 + random.uniform(gapM)
        }
    }

    /// Oncoming vehicles that meet the ego vehicle about every `everyM` metres within the first `untilS` seconds; every fourth is a lorry.
    mutating func oncoming(speedMps: Double, everyM: Double, fromM: Double, untilS: Double) {
        var position = fromM
        var number = 0
        while position < fromM + untilS * (speedMps + 14) {
            let speed = -about(speedMps, by: 0.3)
            let paint = Int(random.next() % 64)
            let across = MotionProfile(positionM: about(Street.oncomingLaneM, by: 0.15))
            let shape: ActorShape = number % 4 == 3 ? .lorry(paint: paint) : .car(paint: paint)
            add(shape, .towards, MotionProfile(positionM: position, speedMps: speed), across)
            position += about(everyM, by: everyM / 4)
            number += 1
        }
    }

    /// A person who crosses from the right kerb to the left one from `startS` on.
    mutating func crossing(at positionM: Double, from startS: Double, speedMps: Double) {
        let walk = MotionProfile(positionM: Street.rightKerbM + 0.4).holding(until: startS).changing(to: -speedMps, at: 4)
        add(.person(clothes: Int(random.next() % 64)), .left, MotionProfile(positionM: positionM), walk)
    }

    private mutating func add(_ shape: ActorShape, _ facing: Actor.Facing, _ along: MotionProfile, _ across: MotionProfile) {
        actors.append(Actor(id: actors.count + 1, shape: shape, facing: facing, along: along, across: across))
    }
}
