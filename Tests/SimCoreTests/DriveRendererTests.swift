import FleetModel
import Foundation
import FleetTestSupport
import Imaging
import SimCore
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
        let (with, without) = (try renderer.render(worlds.with, number: 0), try renderer.render(worlds.without, number: 0))
        let box = try #require(TruthLine(worlds.with, frame: 0, camera: camera).objects.first?.box)
        func differs(_ x: Double, _ y: Double, _ width: Double, _ height: Double) throws -> Bool {
            let part = (x: Int(x), y: Int(y), width: Int(width), height: Int(height))
            let a = try with.cropped(x: part.x, y: part.y, width: part.width, height: part.height)
            let b = try without.cropped(x: part.x, y: part.y, width: part.width, height: part.height)
            return try bytes(a, folder) != bytes(b, folder)
        }
        // Just inside each edge the car is seen ...
        #expect(try differs(box.x + 1, box.y + box.height / 2, 3, 5))
        #expect(try differs(box.maxX - 4, box.y + box.height / 2, 3, 5))
        #expect(try differs(box.midX, box.y + 1, 5, 3))
        #expect(try differs(box.x + 10, box.maxY - 4, 10, 3))
        // ... and beyond the mirrors (0.2 m), the aerial (0.1 m) and the shadow nothing has changed.
        #expect(try !differs(0, 0, box.x - 0.3 * box.width, 360))
        #expect(try !differs(box.maxX + 0.3 * box.width, 0, 640 - box.maxX - 0.3 * box.width - 1, 360))
        #expect(try !differs(0, 0, 640, box.y - 0.1 * box.height))
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
