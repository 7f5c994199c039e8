import FleetModel
import FleetTestSupport
import Foundation
import Testing

@testable import Capture
@testable import Imaging

@Suite struct PictureHealthTests {
    /// A street of drawn blocks, moved on by `step`, so that no two frames are equal.
    static func street(_ step: Int, sigma: Double = 0) throws -> Frame {
        var frame = try Frame.black(width: 640, height: 360)
        try frame.fill([(0, 0), (640, 0), (640, 360), (0, 360)].map { CanvasPoint(x: $0.0, y: $0.1) }, .grey(110))
        for i in 0..<60 {
            let (x, y) = (Double((i * 173 + step * 3) % 700) - 40, Double((i * 67) % 340))
            try frame.fill(
                [(x, y), (x + 34, y), (x + 34, y + 22), (x, y + 22)].map { CanvasPoint(x: $0.0, y: $0.1) },
                .grey(Double((i * 41) % 256)))
        }
        if sigma > 0 { try frame.blur(sigma: sigma) }
        return frame
    }

    /// What is told after `frames` frames at 20 a second, each made by `make`.
    static func told(_ frames: Int, _ make: (Int) throws -> Frame) throws -> [[DegradedCode]] {
        var health = PictureHealth()
        return try (0..<frames).map { index in
            health.see(try make(index), atS: 100 + Double(index) / 20, speedMps: nil)
            return health.degraded
        }
    }

    @Test("A drive has nothing to tell of its pictures")
    func healthy() throws {
        #expect(try Self.told(60) { try Self.street($0) }.allSatisfy(\.isEmpty))
    }

    @Test("C12 a hundred uniform grey frames are a covered camera within five seconds")
    func c12() throws {
        let told = try Self.told(100) { _ in
            var grey = try Frame.black(width: 640, height: 360)
            try grey.fill([(0, 0), (640, 0), (640, 360), (0, 360)].map { CanvasPoint(x: $0.0, y: $0.1) }, .grey(110))
            return grey
        }
        let first = try #require(told.firstIndex(of: [.cameraCovered]))
        #expect(first < 60)
        #expect(told[first...].allSatisfy { $0 == [.cameraCovered] })
    }

    @Test("A black picture with noise in it is covered too, and seeing again ends it")
    func black() throws {
        var noise = try Frame.black(width: 800, height: 400)
        try noise.fillWithNoise(seed: 1, sigma: 3)
        let told = try Self.told(120) { index in
            guard index < 80 else { return try Self.street(index) }
            var dark = try Frame.black(width: 640, height: 360)
            try dark.addNoise(noise, x: index % 150, y: index % 30)
            return dark
        }
        #expect(told[79] == [.cameraCovered])
        #expect(told[119].isEmpty)
    }

    @Test("V4 an identical frame for ten seconds is a frozen camera")
    func v4() throws {
        let told = try Self.told(260) { try Self.street($0 < 40 ? $0 : $0 < 240 ? 40 : $0) }
        let first = try #require(told.firstIndex(of: [.cameraFrozen]))
        #expect((40 + 100...40 + 104).contains(first))
        #expect(told[239] == [.cameraFrozen])
        #expect(told[241].isEmpty)
    }

    @Test("A film of 25 frames in a file of 30 is not frozen")
    func repeatedFrames() throws {
        #expect(try Self.told(200) { try Self.street($0 - $0 / 6) }.allSatisfy(\.isEmpty))
    }

    @Test("A picture out of focus is told after it has lasted, not after a moment")
    func blurred() throws {
        let told = try Self.told(240) { try Self.street($0, sigma: $0 < 20 ? 0 : 7) }
        #expect(told[20 + 100].isEmpty)
        #expect(told[20 + 200] == [.cameraBlurred])
    }

    @Test("A camera at the side of the vehicle looks another way for sure after half a minute of driving; curves do not")
    func direction() {
        let sideways = PictureDrift(moving: 120, expanding: 0.95, focusX: 14, focusY: 0.5)
        let ahead = PictureDrift(moving: 120, expanding: 0.9, focusX: 0.52, focusY: 0.48)
        var wrong = DrivingDirection()
        for _ in 0..<39 { wrong.add(sideways) }
        #expect(!wrong.isWrong)
        wrong.add(sideways)
        #expect(wrong.isWrong)
        for _ in 0..<20 { wrong.add(ahead) }
        #expect(!wrong.isWrong)
        var curvy = DrivingDirection()
        for i in 0..<60 { curvy.add(i % 4 == 0 ? ahead : sideways) }
        #expect(!curvy.isWrong)
    }

    @Test(
        "No clip of the recorded drives is told to be covered, frozen, blurred or looking elsewhere",
        .enabled(if: SharedData.isPresent, "needs ../shared"),
        arguments: ["motorway_cruise", "motorway_fast_approach", "passing_slow_taxi", "lead_turns_off", "motorway_dusk_overtaken"])
    func recorded(name: String) throws {
        let reader = try VideoReader(.stream(SharedData.path("vision/clips/\(name).mp4")))
        var health = PictureHealth()
        var told: Set<DegradedCode> = []
        while let timed = try reader.next() {
            let timeS = timed.timeS
            health.see(timed.takeFrame(), atS: timeS, speedMps: 15)
            told.formUnion(health.degraded)
        }
        #expect(told.isEmpty)
    }
}
