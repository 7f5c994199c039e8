import FleetModel
import FleetTestSupport
import Foundation
import Imaging
import RoadMap
import Testing

@testable import SyncCore

@Suite(
    "Roads behind the map in Chromium", .serialized, .enabled(if: Chromium.isInstalled, Chromium.missing), .timeLimit(.minutes(5)))
struct RoadsOnMapTests {
    private static func tiles(_ folder: TemporaryFolder) throws -> RoadTiles {
        let writer = try MapFileWriter(path: folder.path("map.db"))
        func point(_ lat: Double, _ lon: Double) -> MapPoint {
            MapPoint(x: Int32((lon * 1e7).rounded()), y: Int32((lat * 1e7).rounded()))
        }
        // From west to east through the vehicle's place, and a lesser one from north to south a little east of it.
        try writer.write(TaggedWay(id: 1, tags: ["highway": "primary"], shape: [point(48.137, 11.4), point(48.137, 11.8)]))
        try writer.write(TaggedWay(id: 2, tags: ["highway": "residential"], shape: [point(48, 11.58), point(48.3, 11.58)]))
        try writer.finish(about: [:])
        return RoadTiles(map: try MapFile(path: folder.path("map.db")))
    }

    @Test(
        "they lie where the vehicle drives, in the page's colours, also when these change, and nobody else is asked",
        arguments: [false, true])
    func drawn(isDark: Bool) async throws {
        let folder = try TemporaryFolder()
        let fixture = try PageFixture(roads: Self.tiles(folder))
        try await fixture.add("truck-1", lat: 48.137, lon: 11.575)
        let page = try await BrowserPage(Chromium.shared.get(), isDark: isDark)
        try await page.open(fixture.url + "/?map=48.137,11.575,15")
        try await page.wait("document.querySelectorAll('.leaflet-tile-loaded').length >= 4 && document.querySelector('.pin')")
        try await check(page)
        try await page.choose("#theme", isDark ? "light" : "dark")
        try await page.wait(
            "document.querySelectorAll('.leaflet-tile-loaded').length >= 4 && !document.querySelector('.leaflet-tile:not(.leaflet-tile-loaded)')"
        )
        try await check(page)
        #expect(try await page.text(".leaflet-control-attribution").contains("OpenStreetMap"))
        #expect(
            try await page.value("performance.getEntriesByType('resource').every((e) => e.name.startsWith(location.origin))").bool)
        #expect(page.problems == [])
    }

    /// A column of pixels left of the vehicle crosses the greater road at the map's middle, a row above it the lesser one east of the middle.
    private func check(_ page: BrowserPage) async throws {
        let shot = try Frame.decode(try await page.picture())
        let place = try await page.value(
            """
            (() => { const r = document.getElementById('map').getBoundingClientRect(); const s = getComputedStyle(document.documentElement);
              const colour = (name) => s.getPropertyValue(name).trim().match(/[0-9a-f]{2}/g).map((x) => parseInt(x, 16));
              return { x: r.x + r.width / 2, y: r.y + r.height / 2, great: colour('--road-great'), road: colour('--road'), map: colour('--map') }; })()
            """)
        func colour(_ name: String) -> [Int] { place[name].items.map { Int($0.double ?? -1) } }
        func pixel(_ x: Int, _ y: Int) -> [Int] { [2, 1, 0].map { Int(shot.sample(x: x, y: y, channel: $0) ?? 0) } }
        let (x, y) = (Int(place["x"].double ?? 0), Int(place["y"].double ?? 0))
        let crossing = (y - 60..<y + 60).filter { pixel(x - 150, $0) == colour("great") }
        #expect(
            !crossing.isEmpty && crossing.allSatisfy { abs($0 - y) <= 4 },
            "the greater road lies at \(crossing), the middle at \(y)")
        // 0.005 degrees of 360 on a world of 256 pixels at zoom 15.
        let east = x + Int(0.005 / 360 * 256 * 32768)
        let lesser = (x - 100..<x + 250).filter { pixel($0, y - 80) == colour("road") }
        #expect(!lesser.isEmpty && lesser.allSatisfy { abs($0 - east) <= 4 }, "the lesser road lies at \(lesser), not at \(east)")
        #expect(pixel(x - 150, y - 40) == colour("map"))
    }
}
