import FleetModel
import FleetTestSupport
import Foundation
import Imaging
import Testing
import WorldModel

@testable import Capture

struct SessionWriterTests {
    @Test("What is recorded is read back: frames, their times, reports and calibration")
    func roundTrip() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("drive")
        let camera = CameraCalibration(width: 65, height: 48, focalLengthPx: 70, heightM: 1.4, pitchDeg: 1)
        let started = Timestamp(secondsSinceEpoch: 1_772_352_000)
        let writer = try SessionWriter(
            path: path, vehicle: "truck-17", startedAt: started, startS: 1000, framesPerSecond: 10, camera: camera)
        for i in 0..<6 {
            // 65 is odd: the recorder cuts a column, as the encoder wants even sizes.
            let frame = try CapturedFrame(
                frame: blackFrame(width: 65, height: 48), index: i, timeS: 1000.25 + 0.125 * Double(i))
            #expect(try writer.write(frame))
        }
        let stale = try CapturedFrame(frame: blackFrame(width: 65, height: 48), index: 9, timeS: 1000.5)
        #expect(try !writer.write(stale))
        var fix = PositionFix(mode: 3, timeS: 1000.5)
        fix.latitude = 48.123_456_7
        fix.longitude = 11.5
        fix.speedMps = 13.9
        fix.headingDeg = 87
        fix.speedErrorMps = 0.3
        fix.positionErrorM = 4
        fix.fixTime = started
        try writer.write(fix)
        try writer.finish()

        let session = try Session.open(path)
        #expect(session.vehicle == "truck-17" && session.startedAt == started && session.camera == camera)
        let source = try SessionFrameSource(session)
        var times: [Double] = []
        while let frame = try source.next() { times.append(frame.timeS) }
        #expect(times == [0.25, 0.375, 0.5, 0.625, 0.75, 0.875])
        fix.timeS = 0.5
        #expect(try SessionTelemetry(session).fixes(upTo: 10) == [fix])
    }

    @Test("Reports and frame times are on disk before the recording is finished")
    func crash() throws {
        let folder = try TemporaryFolder()
        let writer = try SessionWriter(
            path: folder.path("drive"), vehicle: "v", startedAt: .epoch, startS: 0, framesPerSecond: 10)
        try writer.write(PositionFix(mode: 1, timeS: 3))
        try writer.write(CapturedFrame(frame: blackFrame(width: 64, height: 48), index: 0, timeS: 3))
        #expect(try String(contentsOfFile: folder.path("drive/telemetry.jsonl"), encoding: .utf8) == "{\"mode\":1,\"t\":3}\n")
        #expect(try String(contentsOfFile: folder.path("drive/frames.csv"), encoding: .utf8) == "frame,t_s\n0,3.0\n")
        #expect(FileManager.default.fileExists(atPath: folder.path("drive/session.json")))
    }

    @Test("A recording does not overwrite another one")
    func noOverwrite() throws {
        let fixture = try SessionFixture()
        let error = try userError {
            _ = try SessionWriter(path: fixture.path, vehicle: "v", startedAt: .epoch, startS: 0, framesPerSecond: 10)
        }
        #expect(error.code == .ioError && error.message.contains("holds a session already"))
    }
}
