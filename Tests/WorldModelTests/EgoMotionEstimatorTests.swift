import Foundation
import Testing

@testable import WorldModel

@Suite struct EgoMotionEstimatorTests {
    static let frame = FrameSize(width: 1280, height: 720)

    /// Flow of a road and two walls past a camera whose vanishing point is at `ahead`, which moves `metres` on and turns by `shiftX` pixels;
    /// deterministic scatter of a fifth of a pixel, a bonnet that lies still, and a lorry that moves by itself.
    static func flow(ahead: (x: Double, y: Double), metres: Double, shiftX: Double = 0, salt: Int = 0) -> SceneFlow {
        var points: [SceneFlow.Point] = []
        for i in 0..<120 {
            let z = 6 + Double((i * 37 + salt * 11) % 60)
            let isRoad = i % 2 == 0
            let x = isRoad ? Double((i * 13) % 16) - 8 : (i % 4 == 1 ? -10.0 : 10.0)
            let y = isRoad ? 1.4 : Double((i * 7) % 6) - 4
            func seen(_ z: Double) -> (Double, Double) { (ahead.x + 1108 * x / z, ahead.y + 1108 * y / z) }
            let (from, to) = (seen(z), seen(z - metres))
            guard (0...frame.width).contains(from.0), (0...frame.height).contains(from.1) else { continue }
            let u = (from.0 - ahead.x) / 1108
            let wobble = 0.2 * sin(Double(i * 17 + salt * 5))
            points.append(
                SceneFlow.Point(
                    x: from.0, y: from.1, dx: to.0 - from.0 + shiftX * (1 + u * u) + wobble,
                    dy: to.1 - from.1 + shiftX * u * (from.1 - ahead.y) / 1108 + 0.2 * cos(Double(i * 29 + salt))))
        }
        for i in 0..<15 { points.append(SceneFlow.Point(x: 80 * Double(i), y: 700, dx: 0, dy: 0)) }
        for i in 0..<12 { points.append(SceneFlow.Point(x: 300 + 5 * Double(i), y: 330, dx: 9, dy: 1)) }
        return SceneFlow(points: points, intervalS: 0.1)
    }

    @Test(
        "Straight ahead is found to within 1 % of the width in 20 s of driving, wherever the camera looks",
        arguments: [(640.0, 360.0), (540, 200), (720, 480), (700, 330)])
    func aim(x: Double, y: Double) {
        var estimator = EgoMotionEstimator(frame: Self.frame, aim: .unaligned)
        for i in 0..<200 { estimator.observe(Self.flow(ahead: (x, y), metres: 1.4, shiftX: 3 * sin(Double(i) / 5), salt: i)) }
        #expect(abs(estimator.aheadX - x) < 12.8)
        #expect(abs(estimator.horizonY - y) < 12.8)
        #expect(estimator.aim.isFound)
        #expect(estimator.aim.sdX < 0.01)
    }

    @Test("Turning is told from driving on, to the left and to the right", arguments: [-90.0, -20, 0, 35, 80])
    func turning(shiftPxPerS: Double) {
        var estimator = EgoMotionEstimator(frame: Self.frame, aim: CameraAim(x: 0.5, y: 0.5, sdX: 0.02, sdY: 0.02))
        for i in 0..<30 { estimator.observe(Self.flow(ahead: (640, 360), metres: 1.2, shiftX: shiftPxPerS * 0.1, salt: i)) }
        #expect(abs(estimator.motion.shiftXPxPerS - shiftPxPerS) < 6)
        #expect(abs((estimator.expansionPerS ?? 0) - 0.5) < 0.4)
    }

    @Test("A turn is known from its second moment on, also one of 14 degrees per second", arguments: [-260.0, -130, 60, 200])
    func suddenTurn(shiftPxPerS: Double) {
        var estimator = EgoMotionEstimator(frame: Self.frame, aim: CameraAim(x: 0.5, y: 0.5, sdX: 0.01, sdY: 0.01))
        for i in 0..<2 { estimator.observe(Self.flow(ahead: (640, 360), metres: 1.2, shiftX: shiftPxPerS * 0.1, salt: i)) }
        #expect(abs(estimator.motion.shiftXPxPerS - shiftPxPerS) < 0.15 * abs(shiftPxPerS))
        for i in 2..<12 { estimator.observe(Self.flow(ahead: (640, 360), metres: 1.2, shiftX: shiftPxPerS * 0.1, salt: i)) }
        #expect(estimator.motion.shiftXSdPxPerS < 0.1 * abs(shiftPxPerS), "how well it is known shows")
    }

    @Test("The road tells speed over height: it expands by v / (f h) a pixel below the horizon", arguments: [0.5, 1.2, 2])
    func road(metres: Double) throws {
        var estimator = EgoMotionEstimator(frame: Self.frame, aim: CameraAim(x: 0.5, y: 0.5, sdX: 0.01, sdY: 0.01))
        for i in 0..<15 { estimator.observe(Self.flow(ahead: (640, 360), metres: metres, salt: i)) }
        let perPx = try #require(estimator.roadExpansionPerPx)
        // 10 times as many metres a second, f = 1108 px, h = 1.4 m.
        #expect(abs(perPx / (10 * metres / (1108 * 1.4)) - 1) < 0.2)
    }

    @Test("A standing vehicle learns nothing, whatever moves in front of it")
    func standing() {
        var estimator = EgoMotionEstimator(frame: Self.frame, aim: .unaligned)
        let still = (0..<100).map { SceneFlow.Point(x: Double($0 * 12), y: Double(($0 * 53) % 700), dx: 0.02, dy: -0.02) }
        let passing = (0..<20).map { SceneFlow.Point(x: 400 + Double($0), y: 400, dx: 12, dy: 0) }
        for _ in 0..<100 { estimator.observe(SceneFlow(points: still + passing, intervalS: 0.1)) }
        #expect(estimator.aim == .unaligned)
        #expect(abs(estimator.motion.shiftXPxPerS) < 1)
    }

    @Test("Too few points, and no time, change nothing")
    func nothing() {
        var estimator = EgoMotionEstimator(frame: Self.frame, aim: .unaligned)
        estimator.observe(SceneFlow(points: [SceneFlow.Point(x: 1, y: 1, dx: 5, dy: 5)], intervalS: 0.1))
        estimator.observe(SceneFlow(points: [], intervalS: 0))
        #expect(estimator.aim == .unaligned && estimator.motion == .none && estimator.expansionPerS == nil)
    }

    @Test("The receiver's heading tells the turn where there is no picture, across north too")
    func heading() {
        var rate = HeadingRate()
        for i in 0...10 {
            var ego = EgoState(mode: 3, degraded: [])
            ego.fixTimeS = Double(i) * 0.2
            ego.headingDeg = (358 + Double(i) * 1.2).truncatingRemainder(dividingBy: 360)
            ego.speedMps = 10
            rate.observe(ego)
            rate.observe(ego)
        }
        #expect(rate.radPerS.map { abs($0 - 6 * .pi / 180) < 0.005 } == true)
        var slow = EgoState(mode: 3, degraded: [])
        slow.fixTimeS = 3
        slow.headingDeg = 10
        slow.speedMps = 1
        rate.observe(slow)
        #expect(rate.radPerS == nil)
    }
}
