import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Imaging
import Perception
import SafetyRules
import SpeedLimits
import Testing
import VisionPipeline
import WorldModel

@Suite struct PipelineTests {
    /// Frames of a car that comes closer at 12 m/s from 40 m, as detections.
    static let approach: [DetectionFrame] = (0..<90).map { i in
        let distance = 40 - 12 * Double(i) / 30
        let (w, h) = (1800 / distance, 1500 / distance)
        let box = Box(x: 640 - w / 2, y: 360 + 1300 / distance - h, width: w, height: h)
        return DetectionFrame(
            frame: i, timeS: Double(i) / 30, size: FrameSize(width: 1280, height: 720),
            detections: [Detection(roadUser: .car, score: 0.9, box: box)])
    }

    static func pipeline(_ settings: Pipeline.Settings = .init(), limit: Speed? = nil) throws -> Pipeline {
        let identity = try #require(VehicleIdentity(fleet: "demo", vehicle: "truck-17"))
        let gate = AlertGate(
            context: .init(identity: identity, origin: .replay, boot: "replay", software: "1.0.0", model: nil),
            makeID: ReplayAlertID.source(sessionDigest: [1, 2, 3], vehicle: identity))
        return Pipeline(
            settings: settings, detector: nil, limits: LimitPrecedence(limit.map { [DefaultLimit($0)] } ?? []), gate: gate)
    }

    static func moment(_ timeS: Double) -> Pipeline.Moment {
        Pipeline.Moment(at: Timestamp.epoch.advanced(bySeconds: timeS), timeS: timeS, clock: .gps)
    }

    static func replay(_ frames: [DetectionFrame]) throws -> [Alert] {
        var pipeline = try pipeline()
        var alerts: [Alert] = []
        for frame in frames {
            let size = try #require(frame.size)
            alerts +=
                pipeline.process(
                    detections: frame.detections, size: size, index: frame.frame, ego: .unknown, at: moment(frame.t)
                ).alerts
        }
        return alerts + pipeline.stop(at: moment(frames.last?.t ?? 0))
    }

    @Test("Recorded detections of an approach give one collision episode, byte for byte the same every time")
    func recorded() throws {
        let alerts = try Self.replay(Self.approach)
        // From boxes alone the time to collision is certain enough only when it is short: the first word is a warning.
        #expect(alerts.map(\.phase) == [.start, .update, .end])
        #expect(alerts.map(\.severity) == [.warning, .critical, .critical])
        #expect(alerts.last?.endReason == .stopped)
        #expect(alerts.allSatisfy { $0.implausibility == nil && $0.id == alerts[0].id })
        let (first, second) = (
            try alerts.map { try WireCodec.encode($0) }, try Self.replay(Self.approach).map { try WireCodec.encode($0) }
        )
        #expect(first == second)
    }

    @Test("A detections file is read as it was written, and a bad line is named")
    func file() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("detections.jsonl")
        let lines = try Self.approach.map { String(decoding: try WireCodec.encode($0), as: UTF8.self) }
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try DetectionFrame.read(path: path) == Self.approach)
        #expect(lines[0].hasPrefix("{\"frame\":0,\"height\":720,\"objects\":[{\"box\":["))

        for (bad, expected) in [
            ("{\"frame\":0}", ":2: no detections"), ("{\"frame\":0,\"t\":0,\"objects\":[]}", ":2: frames are not in order"),
            ("{\"frame\":9,\"t\":1,\"width\":0,\"objects\":[]}", ":2: frame, t, width or height is out of range"),
            ("{\"frame\":9,\"t\":1,\"objects\":[{\"class\":\"cow\",\"score\":1,\"box\":[1,2,3,4]}]}", ":2: no detections"),
            ("{\"frame\":9,\"t\":1,\"objects\":[{\"class\":\"car\",\"score\":2,\"box\":[1,2,3,4]}]}", ":2: a score is not 0...1"),
        ] {
            try (lines[0] + "\n" + bad).write(toFile: path, atomically: true, encoding: .utf8)
            let error = #expect(throws: UserError.self) { try DetectionFrame.read(path: path) }
            #expect(error?.message.hasPrefix(path + expected) == true, "\(error?.message ?? "")")
        }
    }

    @Test("A track line has the contract's keys; what is unknown is null")
    func trackLine() throws {
        var object = WorldObject(
            track: 3, roadUser: .car, score: 0.91, box: Box(x: 1, y: 2.04, width: 30, height: 40), lastSeenS: 0.4,
            timeToCollision: TimeToCollision(seconds: 3.2, sdS: 0.1), isInPath: true)
        object.distanceM = 14.1
        let line = try WireCodec.encode(TrackLine(frame: 12, timeS: 0.4, object: object))
        #expect(
            String(decoding: line, as: UTF8.self)
                == #"{"box":[1,2,30,40],"class":"car","distanceM":14.1,"frame":12,"inPath":true,"score":0.91,"t":0.4,"track":3,"ttcS":3.2}"#
        )
        object.timeToCollision = nil
        object.distanceM = nil
        let unknown = String(decoding: try WireCodec.encode(TrackLine(frame: 12, timeS: 0.4, object: object)), as: UTF8.self)
        #expect(unknown.contains(#""distanceM":null"#) && unknown.contains(#""ttcS":null"#))
    }

    @Test("Fixes without frames raise and end an overspeed alert with place and limit")
    func fixes() throws {
        var pipeline = try Self.pipeline(limit: Speed(50, .kilometresPerHour))
        var alerts: [Alert] = []
        for t in 0..<20 {
            var ego = EgoState(mode: 3, degraded: [])
            ego.speedMps = (5..<15).contains(t) ? 20 : 10
            ego.fixTimeS = Double(t)
            ego.position = GeoPoint(latitude: 48.1, longitude: 11.5)
            alerts += pipeline.process(ego: ego, at: Self.moment(Double(t))).alerts
        }
        #expect(alerts.map(\.phase) == [.start, .end])
        #expect(alerts[0].overspeed?.source == .configuration)
        #expect(alerts[0].position?.lat == 48.1)
        #expect(alerts[1].overspeed?.durationS == 10)
    }

    @Test("Replay ids are UUIDv8, depend on session, vehicle, kind and number, and on nothing else")
    func ids() throws {
        let a = try #require(VehicleIdentity(fleet: "f", vehicle: "a"))
        let b = try #require(VehicleIdentity(fleet: "f", vehicle: "b"))
        let source = ReplayAlertID.source(sessionDigest: [1], vehicle: a)
        let id = source(.collision, 1, .epoch)
        #expect(id == source(.collision, 1, .epoch.advanced(bySeconds: 9)))
        #expect(Array(id.description)[14] == "8")
        let others = [
            source(.collision, 2, .epoch), source(.overspeed, 1, .epoch),
            ReplayAlertID.source(sessionDigest: [2], vehicle: a)(.collision, 1, .epoch),
            ReplayAlertID.source(sessionDigest: [1], vehicle: b)(.collision, 1, .epoch),
        ]
        #expect(Set(others + [id]).count == 5)
    }
}
