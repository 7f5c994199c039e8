import FleetModel
import SpeedLimits
import WorldModel

@testable import RoadMap

/// Roads from a list.
struct ListedRoads: RoadSource {
    private let ways: [(way: MapWay, west: Int32, east: Int32, south: Int32, north: Int32)]

    init(_ ways: [MapWay]) {
        self.ways = ways.map { way in
            let (xs, ys) = (way.shape.map(\.x), way.shape.map(\.y))
            return (way, xs.min()!, xs.max()!, ys.min()!, ys.max()!)
        }
    }

    func ways(around place: GeoPoint, radiusM: Double) -> [MapWay] {
        let centre = MapPoint(place)
        let north = Int32(radiusM / MapPlane.metresPerDegree * 1e7)
        let east = Int32(Double(north) / cosine(place.latitude * .pi / 180))
        return ways.filter {
            $0.east >= centre.x - east && $0.west <= centre.x + east && $0.north >= centre.y - north && $0.south <= centre.y + north
        }
        .map(\.way)
    }

    /// A road along points given in metres east and north of 48° N, 11° E.
    static func road(
        _ id: Int64, _ tags: [String: String] = [:], _ roadClass: RoadClass = .secondary, name: String? = nil,
        _ points: (Double, Double)...
    ) -> MapWay {
        var way = MapWay(
            id: id, roadClass: roadClass, limits: RoadLimits(tags: tags), shape: points.map { MapPoint(place($0.0, $0.1)) })
        way.name = name
        return way
    }

    static func place(_ east: Double, _ north: Double) -> GeoPoint {
        let perDegree = MapPlane.metresPerDegree
        return GeoPoint(latitude: 48 + north / perDegree, longitude: 11 + east / perDegree / cosine(48 * .pi / 180))!
    }
}

/// A vehicle that is told where it is, fix by fix.
struct Vehicle {
    var timeS = 0.0
    var east = 0.0
    var north = 0.0
    var headingDeg = 90.0
    var speedMps = 20.0
    var fixTime: Timestamp?

    var ego: EgoState {
        var ego = EgoState(mode: 3, degraded: [])
        ego.position = ListedRoads.place(east, north)
        ego.speedMps = speedMps
        ego.headingDeg = headingDeg
        ego.positionErrorM = 8
        ego.fixTimeS = timeS
        ego.fixTime = fixTime?.advanced(bySeconds: timeS)
        return ego
    }

    /// Drives for `metres` in the direction of the heading, a fix a second; what is said of every fix.
    mutating func drive(_ metres: Double, _ fusion: inout LimitFusion) -> [SpeedLimit?] {
        var limits: [SpeedLimit?] = []
        var left = metres
        while left > 0.001 {
            let step = min(speedMps, left)
            east += step * sine(headingDeg)
            north += step * cosine(headingDeg * .pi / 180)
            timeS += 1
            left -= step
            limits.append(fusion.limit(for: ego))
        }
        return limits
    }

    private func sine(_ degrees: Double) -> Double { cosine((degrees - 90) * .pi / 180) }

    func sign(_ kind: AdoptedSign.Kind, _ kmh: Double?, confidence: Double = 0.97) -> AdoptedSign {
        AdoptedSign(
            kind: kind, limit: kmh.map { Speed($0, .kilometresPerHour) }, confidence: confidence, timeS: timeS,
            box: Box(x: 0, y: 0, width: 20, height: 20), readings: 8)
    }
}
