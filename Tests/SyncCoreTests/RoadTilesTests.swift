import FleetTestSupport
import Foundation
import RoadMap
import Testing

@testable import SyncCore

@Suite("Roads for the fleet view's map")
struct RoadTilesTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func way(_ id: Int64, _ highway: String, _ places: (lat: Double, lon: Double)...) -> TaggedWay {
        TaggedWay(id: id, tags: ["highway": highway], shape: places.map { point($0.lat, $0.lon) })
    }

    private func point(_ lat: Double, _ lon: Double) -> MapPoint {
        MapPoint(x: Int32((lon * 1e7).rounded()), y: Int32((lat * 1e7).rounded()))
    }

    private func tiles(_ ways: TaggedWay...) throws -> RoadTiles {
        let path = folder.path("map.db")
        let writer = try MapFileWriter(path: path)
        for way in ways { try writer.write(way) }
        try writer.finish(about: [:])
        return RoadTiles(map: try MapFile(path: path))
    }

    /// At zoom 1 the square of the south-east begins at 0° 0° and is 180° wide: 4096 units.
    @Test("a road is its class, a place and steps, in sixteenths of a pixel from the square's corner")
    func units() async throws {
        let tiles = try tiles(way(1, "motorway", (0, 0), (0, 90), (0, 179)))
        let tile = try await tiles.tile(zoom: 1, x: 1, y: 1)
        #expect(tile?.roads == [[1, 0, 0, 2048, 0, 2024, 0]])
        // Farther in: 2^-9 degrees at zoom 17 are 182 pixels and two thirds of the square that begins at 0° 0°.
        let near = try self.tiles(way(1, "residential", (0, 0), (0, 0.001953125)))
        #expect(try await near.tile(zoom: 17, x: 65536, y: 65536)?.roads == [[12, 0, 0, 2912, 0]])
    }

    @Test("the nearer, the lesser the roads", arguments: [(8, 1), (9, 2), (11, 3), (12, 4), (14, 5)])
    func classes(zoom: Int, count: Int) async throws {
        let names = ["motorway", "primary", "secondary", "tertiary", "service"]
        let ways = names.enumerated().map { number, name in
            way(Int64(number), name, (48 + Double(number) / 100, 11), (48 + Double(number) / 100, 11.5))
        }
        let tiles = try tiles(ways[4], ways[3], ways[2], ways[1], ways[0])
        var found: Set<Int> = []
        // The roads lie one below the other: nearer than zoom 12 in more than one square.
        let at = WebMapPlace(point(48.02, 11.25))
        let side = 1 << (WebMapPlace.worldBits - zoom)
        for row in (Int(at.y) / side - 2)...(Int(at.y) / side + 2) {
            for road in try await tiles.tile(zoom: zoom, x: Int(at.x) / side, y: row)?.roads ?? [] { found.insert(road[0]) }
        }
        #expect(found == Set([1, 5, 7, 9, 14].prefix(count)))
    }

    @Test(
        "far out, roads that are one place are left out, those that are drawn the same are told once, and what meets goes on meeting"
    )
    func coarse() async throws {
        let tiles = try tiles(
            way(1, "motorway", (48, 9), (48, 9.2), (48, 9.4)), way(2, "motorway", (48.00001, 9), (48.00001, 9.2), (48.00001, 9.4)),
            way(3, "motorway", (48, 9.4), (48.2, 9.4)), way(4, "motorway", (48, 9.1), (48, 9.1001)))
        let roads = try #require(try await tiles.tile(zoom: 6, x: 33, y: 22)?.roads)
        #expect(roads.count == 2)
        let ends = roads.map { road in
            (1...2).map { first in stride(from: first, to: road.count, by: 2).map { road[$0] }.reduce(0, +) }
        }
        #expect(roads.map { Array($0[1...2]) }.filter(ends.contains).count == 1)
    }

    @Test("what is no square is refused, and a server without a map file says so")
    func refusals() async throws {
        let tiles = try tiles(way(1, "motorway", (0, 0), (0, 90)))
        for (zoom, x, y) in [(-1, 0, 0), (19, 0, 0), (0, 1, 0), (3, 8, 0), (3, 0, 8), (3, -1, 0), (Int.max, 0, 0)] {
            #expect(try await tiles.tile(zoom: zoom, x: x, y: y) == nil)
        }
        let fixture = try APIFixture(roads: tiles)
        #expect(await fixture.get("/api/v1/roads/1/1/1").status == 200)
        for path in ["1/1/2", "x/0/0", "1/1/99999999999999999999", "-1/0/0", "1.0/0/0"] {
            #expect(await fixture.get("/api/v1/roads/" + path).status == 400, "\(path)")
        }
        #expect(await fixture.get("/api/v1/roads/1/1").status == 404)
        #expect(try APIFixture.json(await fixture.get("/api/v1/view"))["roads"] as? Bool == true)
        let bare = try APIFixture()
        #expect(await bare.get("/api/v1/roads/1/1/1").status == 404)
        let view = try APIFixture.json(await bare.get("/api/v1/view"))
        #expect(view["roads"] as? Bool == false && view["attribution"] as? String == "")
    }
}
