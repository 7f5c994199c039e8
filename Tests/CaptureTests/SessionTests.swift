import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Imaging
import Testing
import WorldModel

@testable import Capture

struct SessionTests {
    @Test("A session folder is read with everything that its description says")
    func description() throws {
        let json = """
            {"version":1,"vehicle":"truck-17","startedAt":"2026-03-01T08:15:02.120Z","frames":"frames","fps":10,"note":"ignored",
             "camera":{"width":1242,"height":375,"focalLengthPx":721.5,"principalPointPx":[609.6,172.9],"heightM":1.65,"pitchDeg":-1}}
            """
        let fixture = try SessionFixture(json: json)
        let session = try Session.open(fixture.path)
        #expect(session.vehicle == "truck-17")
        #expect(session.startedAt == Timestamp("2026-03-01T08:15:02.120Z"))
        #expect(
            session.camera
                == CameraCalibration(
                    width: 1242, height: 375, focalLengthPx: 721.5, principalPointX: 609.6, principalPointY: 172.9, heightM: 1.65,
                    pitchDeg: -1))
        #expect(session.telemetryPath == nil)
    }

    @Test("Images come in the order of their names at the stated rate")
    func images() throws {
        let fixture = try SessionFixture(images: 4)
        try fixture.write("not an image", as: "frames/readme.txt")
        let source = try SessionFrameSource(Session.open(fixture.path))
        var times: [Double] = []
        while let frame = try source.next() {
            #expect(frame.index == times.count)
            #expect(frame.frame.width == 32)
            times.append(frame.timeS)
        }
        #expect(times == [0, 0.1, 0.2, 0.3])
    }

    @Test("frames.csv overrides the rate")
    func frameTimes() throws {
        let fixture = try SessionFixture()
        try fixture.write("frame,t_s\r\n0,0.5\r\n1,0.75\r\n2,1.5", as: "frames.csv")
        let source = try SessionFrameSource(Session.open(fixture.path))
        var times: [Double] = []
        while let frame = try source.next() { times.append(frame.timeS) }
        #expect(times == [0.5, 0.75, 1.5])
    }

    @Test("A bare video file is a session without telemetry, calibration and date")
    func bareVideo() throws {
        let folder = try TemporaryFolder()
        try writeVideo(folder.path("drive.mp4"), frames: 12)
        let session = try Session.open(folder.path("drive.mp4"))
        #expect(session.vehicle == "vehicle")
        #expect(session.startedAt == .epoch)
        #expect(session.camera == nil)
        let source = try SessionFrameSource(session)
        var times: [Double] = []
        while let frame = try source.next() { times.append(frame.timeS) }
        #expect(times.count == 12)
        #expect(times.first == 0)
        #expect(abs((times.last ?? 0) - 1.1) < 0.01)
    }

    @Test(
        "A wrong description is named with its file, exit status 65",
        arguments: [
            ("{", "session.json: "),
            (
                #"{"version":2,"vehicle":"v","startedAt":"2026-03-01T08:15:02Z","frames":"frames","fps":10}"#,
                "version 2 is not known"
            ),
            (#"{"version":1,"vehicle":"a b","startedAt":"2026-03-01T08:15:02Z","frames":"frames","fps":10}"#, "vehicle must be"),
            (#"{"version":1,"vehicle":"v","startedAt":"yesterday","frames":"frames","fps":10}"#, "RFC 3339"),
            (#"{"version":1,"vehicle":"v","startedAt":"2026-03-01T08:15:02Z"}"#, "needs either video"),
            (#"{"version":1,"vehicle":"v","startedAt":"2026-03-01T08:15:02Z","frames":"frames"}"#, "fps is missing"),
            (
                #"{"version":1,"vehicle":"v","startedAt":"2026-03-01T08:15:02Z","frames":"frames","fps":-1}"#,
                "fps -1.0 is not within"
            ),
            (
                #"{"version":1,"vehicle":"v","startedAt":"2026-03-01T08:15:02Z","frames":"frames","fps":1,"camera":{"width":10}}"#,
                "camera.height is missing"
            ),
        ])
    func wrongDescription(json: String, says: String) throws {
        let fixture = try SessionFixture(json: json)
        let error = try userError { _ = try Session.open(fixture.path) }
        #expect(error.code == .badData)
        #expect(error.message.contains("session.json: "))
        #expect(error.message.contains(says), "\(error)")
    }

    @Test("V7 a missing file is named, exit status 66", arguments: ["folder", "description", "video", "frames", "images"])
    func v7(missing: String) throws {
        let video = #"{"version":1,"vehicle":"v","startedAt":"2026-03-01T08:15:02Z","video":"drive.mp4"}"#
        let fixture = try SessionFixture(
            json: missing == "description" ? nil : missing == "video" ? video : SessionFixture.imagesJSON, images: 0)
        if missing == "images" {
            try FileManager.default.createDirectory(atPath: fixture.folder.path("frames"), withIntermediateDirectories: true)
        }
        let error = try userError { _ = try Session.open(missing == "folder" ? fixture.path + "/nowhere" : fixture.path) }
        #expect(error.code == .noInput)
        let named = [
            "folder": "/nowhere", "description": "/session.json", "video": "/drive.mp4", "frames": "/frames", "images": "/frames",
        ]
        #expect(error.message.contains(try #require(named[missing])), "\(error)")
    }

    @Test("V7 a video that is none and an image that is none are named")
    func v7Damaged() throws {
        let fixture = try SessionFixture()
        try fixture.write("junk", as: "frames/0001.png")
        let source = try SessionFrameSource(Session.open(fixture.path))
        _ = try source.next()
        let image = try userError { _ = try source.next() }
        #expect(image.code == .badData && image.message.contains("frames/0001.png"))
        try fixture.write(String(repeating: "junk", count: 1000), as: "cut.mp4")
        let video = try userError { _ = try SessionFrameSource(Session.open(fixture.folder.path("cut.mp4"))) }
        #expect(video.code == .badData && video.message.contains("cut.mp4"))
    }

    @Test("A video that was cut short is told, not taken for a short one")
    func truncatedVideo() throws {
        let folder = try TemporaryFolder()
        try writeVideo(folder.path("drive.mp4"), frames: 60)
        let whole = try Data(contentsOf: folder.url.appending(path: "drive.mp4"))
        try whole.prefix(whole.count / 2).write(to: folder.url.appending(path: "half.mp4"))
        let error = try userError {
            let source = try SessionFrameSource(Session.open(folder.path("half.mp4")))
            while try source.next() != nil {}
        }
        #expect(error.code == .badData && error.message.contains("half.mp4"))
    }

    @Test(
        "A wrong line of frames.csv is named with its number",
        arguments: [
            ("frame,time\n0,0\n", "frames.csv:1"), ("frame,t_s\n0,0\n1,x\n", "frames.csv:3"),
            ("frame,t_s\n0,0\n2,1\n", "frames.csv:3"),
            ("frame,t_s\n0,1\n1,1\n", "frames.csv:3"), ("frame,t_s\n0,0\n", "has 1 frames, but there are 3 images"),
        ])
    func wrongFrameTimes(csv: String, says: String) throws {
        let fixture = try SessionFixture()
        try fixture.write(csv, as: "frames.csv")
        let error = try userError { _ = try Session.open(fixture.path) }
        #expect(error.code == .badData && error.message.contains(says), "\(error)")
    }

    @Test("The digest depends on every part of the session and on nothing else")
    func digest() throws {
        let fixture = try SessionFixture()
        try fixture.write(#"{"t":0,"speedMps":1}"#, as: "telemetry.jsonl")
        let original = try Session.open(fixture.path).digest()
        let twin = try SessionFixture()
        try twin.write(#"{"t":0,"speedMps":1}"#, as: "telemetry.jsonl")
        try twin.write("about this drive", as: "README")
        #expect(try Session.open(twin.path).digest() == original)
        try twin.write(#"{"t":0,"speedMps":2}"#, as: "telemetry.jsonl")
        #expect(try Session.open(twin.path).digest() != original)
        let other = try SessionFixture(images: 4)
        try other.write(#"{"t":0,"speedMps":1}"#, as: "telemetry.jsonl")
        #expect(try Session.open(other.path).digest() != original)
        #expect(original.count == 32)
    }

    @Test("The summary tells size, rate, duration and telemetry")
    func summary() throws {
        let fixture = try SessionFixture()
        try fixture.write("{\"t\":0}\n{\"t\":1}\n{\"t\":0.5}\n{\"t\":2}\n", as: "telemetry.jsonl")
        let summary = try SessionSummary(of: Session.open(fixture.path))
        #expect(summary.frames == 3 && summary.width == 32 && summary.height == 16 && summary.framesPerSecond == 10)
        #expect(summary.durationS == 0.2)
        #expect(summary.telemetryLines == 3 && summary.lateTelemetryLines == 1 && summary.telemetryLastS == 2)
        #expect(summary.digest.count == 64)
    }

    @Test(
        "The KITTI approach opens with its calibration and 78 frames", .enabled(if: SharedData.isPresent, "needs ../shared/vision"))
    func kitti() throws {
        let session = try Session.open(SharedData.path("vision/kitti_lead_approach_x3"))
        let source = try SessionFrameSource(session)
        var count = 0
        while let frame = try source.next() {
            #expect(frame.timeS == Double(count) / 30)
            count += 1
        }
        #expect(count == 78)
        #expect(session.camera?.focalLengthPx == 721.54)
    }
}

/// A grey video of `frames` frames at 10 frames per second.
func writeVideo(_ path: String, frames: Int) throws {
    let writer = try VideoWriter(path: path, width: 64, height: 48, framesPerSecond: 10)
    for _ in 0..<frames { try writer.write(blackFrame(width: 64, height: 48)) }
}
