import FleetModel
import FleetTestSupport
import Foundation
import Testing
import WorldModel

@testable import RoadMap
@testable import SpeedLimits

/// The given tracks that lie in an extract. None of them has times: they are driven along at 10 m/s, a fix a second.
@Suite(.enabled(if: SharedData.isPresent, "needs ../shared"))
struct RealTrackTests {
    /// Places along the line, 10 m apart, with the line's direction.
    private static func fixes(along line: [GeoPoint]) -> [EgoState] {
        var states: [EgoState] = []
        for (a, b) in zip(line, line.dropFirst()) {
            let metres = a.distanceM(to: b)
            let plane = MapPlane(about: a)
            let step = plane.point(b)
            for k in 0..<max(1, Int(metres / 10)) {
                let share = Double(k) * 10 / max(metres, 10)
                var ego = EgoState(mode: 3, degraded: [])
                ego.position = GeoPoint(
                    latitude: a.latitude + share * (b.latitude - a.latitude),
                    longitude: a.longitude + share * (b.longitude - a.longitude))
                let heading = atan2(step.x, step.y) * 180 / .pi
                ego.headingDeg = heading < 0 ? heading + 360 : heading
                ego.speedMps = 10
                ego.fixTimeS = Double(states.count)
                states.append(ego)
            }
        }
        return states
    }

    private struct Collection: Decodable {
        struct Feature: Decodable { var geometry: Line }
        var features: [Feature]
    }

    private struct Line: Decodable {
        var coordinates: [[Double]]
        var points: [GeoPoint] { coordinates.compactMap { GeoPoint(latitude: $0[1], longitude: $0[0]) } }
    }

    private struct Expectation: Decodable { var expected: Line }

    private static func read<T: Decodable>(_ type: T.Type, _ name: String) throws -> T {
        try JSONDecoder().decode(type, from: Data(contentsOf: URL(filePath: SharedData.path("gps/tracks/" + name))))
    }

    @Test(
        "The tracks of the itinero project are matched to the roads that it expects",
        arguments: [(1, 0.9), (2, 0.9), (3, 0.7), (4, 0.7), (5, 0.6)])
    func itinero(number: Int, atLeast: Double) throws {
        let track = try #require(try Self.read(Collection.self, "itinero_car\(number)-track.geojson").features.first).geometry
            .points
        let expected = try Self.read(Expectation.self, "itinero_car\(number)-expected.json").expected.points
        let file = try Extract("itinero-wechelderzande.osm.pbf").file
        let plane = MapPlane(about: track[0])
        let line = MapWay(id: 0, roadClass: .road, shape: expected.map { MapPoint($0) })
        let expectedRoad = RoadNetwork.Road(line, on: plane)
        var matcher = MapMatcher(roads: file)
        var (right, all) = (0, 0)
        for ego in Self.fixes(along: track) {
            let place = try #require(ego.position)
            let matched = try matcher.update(
                MapMatcher.Fix(place: place, timeS: ego.fixTimeS!, speedMps: ego.speedMps, headingDeg: ego.headingDeg, errorM: 30))
            all += 1
            guard let matched else { continue }
            let road = RoadNetwork.Road(matched.way, on: plane)
            let foot = road.place(at: road.nearest(to: plane.point(place)).along).point
            if expectedRoad.nearest(to: foot).distanceM <= 5 { right += 1 }
        }
        print("itinero car\(number): \(right) of \(all) fixes on the expected road")
        #expect(Double(right) >= atLeast * Double(all), "\(right) of \(all)")
    }

    @Test("Along the Andorra track no road has a limit, and the limit is unknown all the way")
    func andorra() throws {
        let text = try String(contentsOfFile: SharedData.path("gps/tracks/andorra_for_map_matching.gpx"), encoding: .utf8)
        let points = text.matches(of: /<trkpt lat="([^"]+)" lon="([^"]+)"/).compactMap { match in
            Double(match.1).flatMap { latitude in Double(match.2).flatMap { GeoPoint(latitude: latitude, longitude: $0) } }
        }
        #expect(points.count == 21)
        var fusion = LimitFusion(roads: try Extract("andorra.osm.pbf").file)
        let states = Self.fixes(along: points)
        #expect(states.count > 50)
        for ego in states { #expect(fusion.limit(for: ego) == nil) }
    }
}
