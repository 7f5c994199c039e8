import FleetModel
import Foundation
import Testing

@testable import WorldModel

@Suite struct WorldStateBuilderTests {
    static let frame = FrameSize(width: 1280, height: 720)
    static let camera = CameraCalibration(width: 1280, height: 720, focalLengthPx: 1000, heightM: 1.3)

    /// What is seen of a car at `distanceM` ahead and `lateralM` to the right, from 1.3 m above the road.
    static func box(distanceM: Double, lateralM: Double) -> Box {
        let (w, h) = (1800 / distanceM, 1500 / distanceM)
        return Box(x: 640 + 1000 * lateralM / distanceM - w / 2, y: 360 + 1300 / distanceM - h, width: w, height: h)
    }

    /// The last world of a car that starts at `distanceM` and closes with `closingMps` for `seconds`, at 30 Hz.
    static func world(
        distanceM: Double, closingMps: Double, lateralM: Double, driftMps: Double = 0, seconds: Double = 1,
        camera: CameraCalibration?,
        bumperOffsetM: Double = 0
    ) -> WorldState {
        var tracker = Tracker(frame: frame)
        var builder = WorldStateBuilder(frame: frame, camera: camera, bumperOffsetM: bumperOffsetM)
        var world = WorldState(timeS: 0)
        for i in 0...Int(seconds * 30) {
            let t = Double(i) / 30
            let box = box(distanceM: distanceM - closingMps * t, lateralM: lateralM + driftMps * t)
            let detections = box.clipped(width: 1280, height: 720).map { [Detection(roadUser: .car, score: 0.9, box: $0)] } ?? []
            world = builder.build(tracks: tracker.update(detections, atS: t), ego: .unknown, limit: nil, atS: t)
        }
        return world
    }

    @Test("Distance comes from the road and from the known width, with its uncertainty", arguments: [8.0, 15, 30, 50])
    func distance(metres: Double) throws {
        let object = try #require(Self.world(distanceM: metres, closingMps: 0, lateralM: 0, camera: Self.camera).objects.first)
        let distance = try #require(object.distanceM)
        #expect(abs(distance / metres - 1) < 0.05)
        let sd = try #require(object.distanceSdM)
        #expect(sd > 0 && sd < 0.25 * metres)
        #expect(object.timeToCollision == nil)
        #expect(object.closingMps == nil)
    }

    @Test("Pitch moves the horizon: nose up, the same row is farther away")
    func pitch() throws {
        let box = Box(x: 600, y: 400, width: 80, height: 60)
        var nose = Self.camera
        nose.pitchDeg = 1
        let level = try #require(DistanceEstimator.measure(box, .car, camera: Self.camera, cut: .side))
        let up = try #require(DistanceEstimator.measure(box, .car, camera: nose, cut: .side))
        // Row 460 is atan(0.1) = 5.711 degrees below the axis: 13.0 m level, 1.3 / tan(4.711) = 15.77 m nose up.
        #expect(abs(level.m - 13) < 0.01)
        #expect(abs(up.m - 15.77) < 0.02)
    }

    @Test("Without calibration distances are unknown and the time to collision is not")
    func uncalibrated() throws {
        let object = try #require(Self.world(distanceM: 40, closingMps: 12, lateralM: 0, camera: nil).objects.first)
        #expect(object.distanceM == nil && object.distanceSdM == nil && object.closingMps == nil)
        #expect(object.timeToCollision.map { abs($0.seconds / (28.0 / 12) - 1) < 0.1 } == true)
        #expect(object.isInPath)
    }

    @Test("The bumper offset shortens distance and time to collision alike")
    func bumper() throws {
        let plain = try #require(Self.world(distanceM: 20, closingMps: 10, lateralM: 0, camera: Self.camera).objects.first)
        let offset = try #require(
            Self.world(distanceM: 20, closingMps: 10, lateralM: 0, camera: Self.camera, bumperOffsetM: 2).objects.first)
        let (a, b) = (try #require(plain.distanceM), try #require(offset.distanceM))
        #expect(abs(a - b - 2) < 1e-9)
        let (ta, tb) = (try #require(plain.timeToCollision), try #require(offset.timeToCollision))
        #expect(abs(tb.seconds / ta.seconds - b / a) < 1e-9)
    }

    @Test(
        "Only what will be met is in the path: lead and cut-in, not the next lane, parked cars or oncoming traffic",
        arguments: [
            (lateralM: 0.0, driftMps: 0.0, inPath: true), (lateralM: 0.6, driftMps: 0, inPath: true),
            (lateralM: 2.1, driftMps: -0.8, inPath: true), (lateralM: 2.6, driftMps: 0, inPath: false),
            (lateralM: 3.5, driftMps: 0, inPath: false), (lateralM: -3.5, driftMps: 0, inPath: false),
            (lateralM: -1.2, driftMps: -1.5, inPath: false),
        ])
    func path(lateralM: Double, driftMps: Double, inPath: Bool) throws {
        for camera in [Self.camera, nil] {
            let world = Self.world(
                distanceM: 40, closingMps: 15, lateralM: lateralM, driftMps: driftMps, seconds: 1.2, camera: camera)
            let object = try #require(world.objects.first)
            #expect(object.isInPath == inPath, "calibrated: \(camera != nil)")
        }
    }
}
