import FleetModel
import Foundation
import FleetTestSupport
import Imaging
@testable import SimCore
import Testing

@Suite struct DriveRendererTests {
    private let camera = PinholeCamera(width: 640, height: 360, hfovDeg: 60, heightM: 1.4)

    /// A world with one car 10 m ahead, and the same world without it.
    private func worlds() throws -> (with: WorldSnapshot, without: WorldSnapshot) {
        let scenario = ScenarioCatalogue.stoppedLead.scenario(seed: 1)
        var with = scenario.snapshot(at: 1)
        with.signs = []
        var car = try #require(with.objects.first)
        car.distanceM = 10
        with.objects = [car]
        var without = with
        without.objects = []
        return (with, without)
    }

    private func bytes(_ frame: borrowing Frame, _ folder: TemporaryFolder) throws -> Data {
        let path = folder.path(UUID().uuidString + ".png")
        try frame.write(path: path)
        return try Data(contentsOf: URL(filePath: path))
    }

    @Test func `a car's pixels fill its truth box and stay within it`() throws {
        let folder = try TemporaryFolder()
        let worlds = try worlds()
        let renderer = try DriveRenderer(camera: camera, seed: 1)
        let with = try renderer.render(worlds.with, number: 0)
        let without = try renderer.render(worlds.without, number: 0)
        let box = try #require(TruthLine(worlds.with, frame: 0, camera: camera).objects.first?.box)
        // Just inside each edge the car is seen ...
        let inside = [
            Box(x: box.x + 1, y: box.midY, width: 3, height: 5), Box(x: box.maxX - 4, y: box.midY, width: 3, height: 5),
            Box(x: box.midX, y: box.y + 1, width: 5, height: 3), Box(x: box.x + 10, y: box.maxY - 4, width: 10, height: 3),
        ]
        for area in inside { #expect(try part(area, of: with, folder) != part(area, of: without, folder)) }
        // ... and beyond the mirrors (0.2 m), the aerial (0.1 m) and the shadow nothing has changed.
        let (left, right) = (box.x - 0.3 * box.width, box.maxX + 0.3 * box.width)
        let outside = [
            Box(x: 0, y: 0, width: left, height: 360), Box(x: right, y: 0, width: 639 - right, height: 360),
            Box(x: 0, y: 0, width: 640, height: box.y - 0.1 * box.height),
        ]
        for area in outside { #expect(try part(area, of: with, folder) == part(area, of: without, folder)) }
    }

    private func part(_ area: Box, of frame: borrowing Frame, _ folder: TemporaryFolder) throws -> Data {
        try bytes(frame.cropped(x: Int(area.x), y: Int(area.y), width: Int(area.width), height: Int(area.height)), folder)
    }

    @Test func `the same seed gives the same pixels, another seed others`() throws {
        let folder = try TemporaryFolder()
        let world = ScenarioCatalogue.cityLoop.scenario(seed: 2).snapshot(at: 5)
        let first = try bytes(DriveRenderer(camera: camera, seed: 2).render(world, number: 100), folder)
        let again = try bytes(DriveRenderer(camera: camera, seed: 2).render(world, number: 100), folder)
        let other = try bytes(DriveRenderer(camera: camera, seed: 3).render(world, number: 100), folder)
        #expect(first == again)
        #expect(first != other)
    }
}
