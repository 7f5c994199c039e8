import FleetModel
import FleetRuntime
import Foundation
import WorldModel

@testable import RoadMap

/// A vehicle that drives along the real roads of a map by a seed, and what its receiver says of it.
struct SimulatedDrive {
    /// One second of the drive.
    struct Moment {
        var timeS: Double
        var wayID: Int64
        var direction: RoadLimits.Direction
        var place: GeoPoint
        var speedMps: Double
        var headingDeg: Double
    }

    let network: RoadNetwork
    private var generator: SeededGenerator
    private let toPlace: (MapPlane.Point) -> GeoPoint

    init(_ ways: [MapWay], seed: UInt64) {
        let first = ways[0].shape[0]
        let centre = GeoPoint(latitude: first.latitude, longitude: first.longitude)!
        network = RoadNetwork(ways, about: centre)
        generator = SeededGenerator(seed: seed, purpose: "drive")
        let east = MapPlane.metresPerDegree * cos(centre.latitude * .pi / 180)
        toPlace = { point in
            GeoPoint(latitude: centre.latitude + point.y / MapPlane.metresPerDegree, longitude: centre.longitude + point.x / east)!
        }
    }

    /// A drive of about `metres` without a stop, at 1 Hz; shorter where the roads end.
    mutating func drive(metres: Double) -> [Moment] {
        let open = network.roads.indices.filter { !network.roads[$0].way.roadClass.isMinor && network.roads[$0].length > 60 }
        var road = generator.pick(open)
        var direction: RoadLimits.Direction = network.roads[road].allows(.forward) ? .forward : .backward
        var along = direction == .forward ? 0 : network.roads[road].length
        var speed = 8.0
        var (travelled, timeS) = (0.0, 0.0)
        var moments: [Moment] = []
        while travelled < metres {
            guard let leg = leg(from: along, on: road, direction) else { break }
            // Along the road to the vertex where it is left, in tenths of a second.
            let sign: Double = direction == .forward ? 1 : -1
            let turnSpeed = leg.turnDeg > 30 ? 6.0 : 40
            while sign * (leg.along - along) > 0 {
                let left = sign * (leg.along - along)
                let target = min(Self.usualSpeed(network.roads[road].way), (turnSpeed * turnSpeed + 2 * 2 * left).squareRoot())
                speed = min(max(target, speed - 0.3), speed + 0.15)
                let step = min(left, speed * 0.1)
                along += sign * step
                travelled += step
                timeS += step / speed
                if timeS >= Double(moments.count) { moments.append(moment(timeS, road, direction, along, speed)) }
            }
            (road, direction, along) = (leg.next, leg.direction, leg.nextAlong)
        }
        return moments
    }

    private struct Leg {
        var along: Double
        var turnDeg: Double
        var next: Int
        var direction: RoadLimits.Direction
        var nextAlong: Double
    }

    /// Where the road is left next, and for which; nil at a dead end.
    private mutating func leg(from along: Double, on road: Int, _ direction: RoadLimits.Direction) -> Leg? {
        let entry = network.roads[road]
        let sign: Double = direction == .forward ? 1 : -1
        let ahead = entry.junctions.filter { sign * (entry.alongs[$0] - along) > 0.01 }
            .sorted { sign * entry.alongs[$0] < sign * entry.alongs[$1] }
        let end = direction == .forward ? entry.points.count - 1 : 0
        for vertex in ahead {
            guard vertex == end || generator.uniform(0...1) < 0.2 else { continue }
            let legs = legs(at: RoadNetwork.Vertex(road: road, index: vertex), direction)
            if !legs.isEmpty { return generator.pick(legs) }
        }
        return nil
    }

    private mutating func legs(at vertex: RoadNetwork.Vertex, _ direction: RoadLimits.Direction) -> [Leg] {
        guard let arrival = network.roads[vertex.road].arrival(vertex.index, direction) else { return [] }
        let allowsMinor = generator.uniform(0...1) < 0.05
        var legs: [Leg] = []
        for other in network.meeting(vertex) {
            let road = network.roads[other.road]
            guard allowsMinor || !road.way.roadClass.isMinor else { continue }
            for way in [RoadLimits.Direction.forward, .backward] {
                guard road.allows(way), let departure = road.departure(other.index, way) else { continue }
                let turn = atan2(abs(arrival.cross(departure)), arrival.dot(departure)) * 180 / .pi
                guard turn < 140 else { continue }
                legs.append(
                    Leg(
                        along: network.roads[vertex.road].alongs[vertex.index], turnDeg: turn, next: other.road, direction: way,
                        nextAlong: road.alongs[other.index]))
            }
        }
        return legs
    }

    private func moment(_ timeS: Double, _ road: Int, _ direction: RoadLimits.Direction, _ along: Double, _ speed: Double) -> Moment
    {
        let (point, tangent) = network.roads[road].place(at: along)
        let sign: Double = direction == .forward ? 1 : -1
        let heading = atan2(sign * tangent.x, sign * tangent.y) * 180 / .pi
        return Moment(
            timeS: timeS, wayID: network.roads[road].way.id, direction: direction, place: toPlace(point), speedMps: speed,
            headingDeg: heading < 0 ? heading + 360 : heading)
    }

    private static func usualSpeed(_ way: MapWay) -> Double {
        if let limit = way.limits.applied(.forward, at: nil).limit.speed { return limit.metresPerSecond }
        return switch way.roadClass {
        case .motorway, .trunk: 30
        case .primary, .secondary, .motorwayLink, .trunkLink: 20
        case .service, .livingStreet: 5
        default: 12
        }
    }
}

/// A receiver with noise of `sdM` on each axis: white, or slowly wandering as real receivers' is.
struct NoisyReceiver {
    var sdM: Double
    /// Seconds over which the noise stays much the same; 0 is white.
    var wanderS = 0.0
    var generator: SeededGenerator
    private var offset = (x: 0.0, y: 0.0)

    init(sdM: Double, wanderS: Double = 0, seed: UInt64) {
        self.sdM = sdM
        self.wanderS = wanderS
        generator = SeededGenerator(seed: seed, purpose: "receiver")
        offset = (generator.normal(sd: sdM), generator.normal(sd: sdM))
    }

    mutating func fix(_ moment: SimulatedDrive.Moment) -> PositionFix {
        let keep = wanderS == 0 ? 0 : exp(-1 / wanderS)
        let fresh = (1 - keep * keep).squareRoot() * sdM
        offset = (keep * offset.x + generator.normal(sd: fresh), keep * offset.y + generator.normal(sd: fresh))
        let east = MapPlane.metresPerDegree * cos(moment.place.latitude * .pi / 180)
        var fix = PositionFix(mode: 3, timeS: moment.timeS)
        fix.latitude = moment.place.latitude + offset.y / MapPlane.metresPerDegree
        fix.longitude = moment.place.longitude + offset.x / east
        fix.speedMps = max(0, moment.speedMps + generator.normal(sd: 0.2))
        fix.headingDeg = moment.headingDeg + generator.normal(sd: 2 + 8 / max(1, moment.speedMps))
        fix.positionErrorM = 2 * sdM
        return fix
    }
}
