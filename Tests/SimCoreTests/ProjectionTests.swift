import FleetModel
import SimCore
import Testing

@Suite struct ProjectionTests {
    /// 90 degrees across 1000 px: the focal length is 500 px. The camera is 1.5 m above the road, the picture's middle is (500, 250).
    private let camera = PinholeCamera(width: 1000, height: 500, hfovDeg: 90, heightM: 1.5)

    @Test func `the focal length is half the width over the tangent of half the field of view`() {
        #expect(abs(camera.focalLengthPx - 500) < 1e-9)
        // 640 / tan 30 degrees
        #expect(abs(PinholeCamera(width: 1280, height: 720, hfovDeg: 60, heightM: 1.4).focalLengthPx - 1108.5125) < 1e-3)
    }

    @Test(
        "points are seen where a hand-drawn pinhole camera sees them",
        arguments: [
            // x, y, z (m) -> u, v: 500 + 500 x / z, 250 + 500 (1.5 - y) / z
            (0.0, 1.5, 10.0, 500.0, 250.0), (0, 0, 10, 500, 325), (2, 0, 10, 600, 325), (-2, 3, 20, 450, 212.5),
        ])
    func points(x: Double, y: Double, z: Double, u: Double, v: Double) {
        let point = camera.project(xM: x, yM: y, zM: z)
        #expect(abs(point.x - u) < 1e-9)
        #expect(abs(point.y - v) < 1e-9)
    }

    @Test func `the box of a car straight ahead is its near face`() throws {
        let box = try #require(camera.box(lateralM: 0, distanceM: 10, widthM: 1.8, heightM: 1.5, lengthM: 4))
        #expect(abs(box.x - 455) < 1e-9)
        #expect(abs(box.width - 90) < 1e-9)
        #expect(abs(box.y - 250) < 1e-9)
        #expect(abs(box.height - 75) < 1e-9)
    }

    @Test func `the box of a car on the side reaches to the far end of its flank`() throws {
        // Left flank at x = 2.1: 605 px near (10 m), 500 + 500 * 2.1 / 14 = 575 px far.
        let box = try #require(camera.box(lateralM: 3, distanceM: 10, widthM: 1.8, heightM: 1.5, lengthM: 4))
        #expect(abs(box.x - 575) < 1e-9)
        #expect(abs(box.maxX - 695) < 1e-9)
    }

    @Test func `of a car half past the frame only what is seen has a box`() throws {
        // Left flank at x = 4.1: 1525 px near (2 m), outside, 500 + 500 * 4.1 / 6 = 841.7 px far (6 m). Its top is at the camera's height, 250 px
        // everywhere; its foot runs from 625 px near to 375 px far, and crosses the frame's right edge (1000 px, z = 4.1 m) at 432.9 px.
        let box = try #require(camera.box(lateralM: 5, distanceM: 2, widthM: 1.8, heightM: 1.5, lengthM: 4))
        #expect(abs(box.x - 841.667) < 1e-3)
        #expect(abs(box.maxX - 1000) < 1e-9)
        #expect(abs(box.y - 250) < 1e-9)
        #expect(abs(box.maxY - 432.927) < 1e-3)
    }

    @Test func `a car that is outside the frame has no box`() {
        #expect(camera.box(lateralM: 30, distanceM: 5, widthM: 1.8, heightM: 1.5, lengthM: 4) == nil)
    }

    @Test func `nothing beside or behind the camera has a box`() {
        #expect(camera.box(lateralM: 0, distanceM: 0.5, widthM: 1.8, heightM: 1.5, lengthM: 4) == nil)
        #expect(camera.box(lateralM: 0, distanceM: -5, widthM: 1.8, heightM: 1.5, lengthM: 4) == nil)
    }
}
