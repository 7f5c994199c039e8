import FleetModel
import FleetTestSupport
import Foundation
import Imaging
import Perception
import SpeedLimits
import Testing
import VisionPipeline
import WorldModel

@Suite struct VisionEngineTests {
    /// Sees one car that grows from frame to frame, as one that is approached at a constant speed: 3 s away at first.
    struct Approach: Detector {
        let modelName = "approach"
        let engineDescription = "drawn"
        var frame = 0
        mutating func detect(in picture: borrowing Frame) throws -> [Detection] {
            defer { frame += 1 }
            let size = 60 * 3 / (3 - Double(frame) / 30)
            return [
                Detection(
                    roadUser: .car, score: 0.9, box: Box(x: 320 - size / 2, y: 200 - size / 2, width: size, height: size * 0.8))
            ]
        }
    }

    static func fix(_ timeS: Double) -> PositionFix {
        var fix = PositionFix(mode: 3, timeS: timeS)
        fix.speedMps = 20
        (fix.latitude, fix.longitude) = (48.1, 11.5)
        return fix
    }

    @Test("Every frame has its objects and its completed update, every fix its vehicle state, and the end ends all streams")
    func streams() async throws {
        let engine = VisionEngine(
            detector: Approach(), limits: LimitPrecedence([DefaultLimit(Speed(50, .kilometresPerHour))]),
            identity: SampleAlerts.identity, waiting: .all)
        let (states, restrictions) = (engine.vehicleStates, engine.roadRestrictions)
        let (objects, updates) = (engine.collisionObjects, engine.updates)
        async let seen = objects.reduce(into: [VisionEngine.CollisionObjects]()) { $0.append($1) }
        async let done = updates.reduce(into: [VisionEngine.Update]()) { $0.append($1) }
        async let limits = restrictions.reduce(into: Set<SpeedLimit?>()) { $0.insert($1.speedLimit) }
        async let count = states.reduce(0) { sum, _ in sum + 1 }
        // Fewer than the backlog, so that no reader can lose one.
        for i in 0..<50 {
            guard let frame = Frame(width: 640, height: 360) else { throw CancellationError() }
            engine.submit(frame, atS: Double(i) / 30)
            if i % 10 == 0 { engine.submit(Self.fix(Double(i) / 30)) }
        }
        engine.finish()
        #expect(await seen.map(\.frame) == Array(0..<50))
        #expect(await seen.last?.objects.first?.roadUser == .car)
        let frames = await done.filter { $0.frame != nil }
        #expect(frames.count == 50 && frames.allSatisfy { $0.failures.isEmpty && $0.timings != nil })
        #expect(await done.flatMap(\.alerts).contains { $0.kind == .collision && $0.phase == .start })
        #expect(await done.last?.alerts.contains { $0.phase == .end } == true)
        #expect(await limits.contains { $0?.limit == Speed(50, .kilometresPerHour) })
        #expect(await count == 55)
        #expect(engine.droppedFrames == 0)
    }

    @Test("A live engine keeps the newest frame, and what is submitted after the end is not taken")
    func newest() async throws {
        let engine = VisionEngine(detector: nil, identity: SampleAlerts.identity)
        let updates = engine.updates
        for i in 0..<200 {
            guard let frame = Frame(width: 64, height: 64) else { throw CancellationError() }
            engine.submit(frame, atS: Double(i))
        }
        engine.finish()
        if let late = Frame(width: 64, height: 64) { engine.submit(late, atS: 1000) }
        let done = await updates.reduce(into: [Double]()) { if $1.frame != nil { $0.append($1.timeS) } }
        #expect(done.last == 199)
        // A reader's backlog bounds what it sees; what the engine dropped and did adds up.
        #expect(done.count <= 200 - engine.droppedFrames)
        // A stream that is asked for after the end is over.
        for await _ in engine.vehicleStates { Issue.record("a value after the end") }
    }
}
