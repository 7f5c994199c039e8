import Capture
import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Glibc
import Imaging
import Testing
import WorldModel

@testable import AgentCore

@Suite struct ClipTests {
    static func configuration(_ more: String, in folder: TemporaryFolder) throws -> AgentConfiguration {
        let text = "fleet: demo\nvehicle: truck-17\nmqtt:\n  url: mqtt://127.0.0.1:1883\n\(more)\n"
        return try AgentConfiguration(document: ConfigurationDocument(text: Array(text.utf8), file: folder.path("agent.yaml")))
    }

    static func clipsOn(_ more: String = "") -> String { "clips:\n  enabled: true\n  path: clips\n  fps: 10\n\(more)" }

    static func mode(_ path: String) -> UInt32 {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    static func names(_ path: String) -> [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    static func frame(_ i: Int) throws -> SharedFrame {
        guard var frame = Frame(width: 64, height: 48) else { throw CancellationError() }
        try frame.fill([(0, 0), (64, 0), (64, 48), (0, 48)].map { CanvasPoint(x: $0.0, y: $0.1) }, .grey(Double(i % 256)))
        return SharedFrame(frame)
    }

    /// Drives for 30 s at 20 frames a second with an alert at `alertS`, and returns the clips' folder.
    static func drive(_ configuration: AgentConfiguration, alertS: Double) async throws -> [String] {
        let recorder = try #require(try ClipRecorder(configuration, clock: ManualClock()))
        let running = Task { await recorder.run() }
        for i in 0..<600 {
            let timeS = 100 + Double(i) / 20
            if i % 20 == 0 {
                var fix = PositionFix(mode: 3, timeS: timeS)
                fix.speedMps = 10
                recorder.note(fix)
            }
            recorder.offer(try frame(i), atS: timeS)
            if timeS == alertS {
                var alert = SampleAlerts.alert(1)
                alert.monotonicS = timeS
                recorder.note(alert)
            }
            // The disk is slower than this loop, and what waits is bounded; here nothing is to be lost.
            if i % 10 == 8 {
                let path = try #require(configuration.clips.path) + "/ring/\(Int64(timeS * 1000)).jpg"
                #expect(await eventually { FileManager.default.fileExists(atPath: path) })
            }
        }
        recorder.close()
        await running.value
        return names(try #require(configuration.clips.path))
    }

    @Test("Around an alert a clip is kept from 8 s before to 4 s after, as a session that nobody else may read")
    func clip() async throws {
        let folder = try TemporaryFolder()
        let left = try await Self.drive(Self.configuration(Self.clipsOn(), in: folder), alertS: 115)
        let clip = try #require(left.first { $0.hasPrefix("clip-") })
        #expect(left.count == 2 && Self.names(folder.path("clips/ring")).isEmpty, "\(left)")
        let path = folder.path("clips/" + clip)
        for part in ["", "/frames"] { #expect(Self.mode(path + part) == 0o700) }
        #expect(Self.mode(folder.path("clips")) == 0o700)
        for file in ["session.json", "frames.csv", "telemetry.jsonl", "alerts.jsonl", "frames/000000.jpg"] {
            #expect(Self.mode(path + "/" + file) == 0o600, "\(file)")
        }
        let session = try Session.open(path)
        let times = try #require(session.frameTimesS)
        let lengthS = try #require(times.last)
        #expect(abs(lengthS - 12) < 0.3, "\(lengthS)")
        #expect((110...125).contains(times.count))
        #expect(session.vehicle == "truck-17")
    }

    @Test("Clips are off by default, and the privacy switch keeps them and the snapshots off")
    func off() throws {
        let folder = try TemporaryFolder()
        #expect(try ClipRecorder(Self.configuration("", in: folder), clock: ManualClock()) == nil)
        let closed = try Self.configuration("privacy: true\n" + Self.clipsOn(), in: folder)
        #expect(try ClipRecorder(closed, clock: ManualClock()) == nil)
        #expect(!closed.takesSnapshots)
        #expect(!FileManager.default.fileExists(atPath: folder.path("clips")))
    }

    @Test("The oldest clips go when they are too old or too large together")
    func tidied() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("clips")
        _ = try ClipShelf(path: path, maximumAgeS: 3600, maximumBytes: 1 << 30)
        for (i, ageS) in [7200, 300, 200, 100].enumerated() {
            try FileManager.default.createDirectory(atPath: "\(path)/clip-\(i)/frames", withIntermediateDirectories: true)
            try Data(count: 100_000).write(to: URL(filePath: "\(path)/clip-\(i)/frames/0.jpg"))
            let written = Date(timeIntervalSinceNow: -Double(ageS))
            try FileManager.default.setAttributes([.modificationDate: written], ofItemAtPath: "\(path)/clip-\(i)")
        }
        try FileManager.default.createDirectory(atPath: "\(path)/clip-x.partial", withIntermediateDirectories: true)
        _ = try ClipShelf(path: path, maximumAgeS: 3600, maximumBytes: 210_000)
        #expect(Self.names(path) == ["clip-2", "clip-3", "ring"])
    }

    @Test("A clip that grows too old on a long drive without alerts goes within the hour")
    func aged() async throws {
        let folder = try TemporaryFolder()
        let configuration = try Self.configuration(Self.clipsOn("  maximumAge: \"1 h\"\n"), in: folder)
        let recorder = try #require(try ClipRecorder(configuration, clock: ManualClock()))
        let running = Task { await recorder.run() }
        recorder.offer(try Self.frame(1), atS: 100)
        let path = folder.path("clips/clip-old")
        try FileManager.default.createDirectory(atPath: path + "/frames", withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -3700)], ofItemAtPath: path)
        recorder.offer(try Self.frame(2), atS: 3650)
        let ring = folder.path("clips/ring/3650000.jpg")
        #expect(await eventually { FileManager.default.fileExists(atPath: ring) })
        #expect(FileManager.default.fileExists(atPath: path))
        recorder.offer(try Self.frame(3), atS: 3701)
        #expect(await eventually { !FileManager.default.fileExists(atPath: path) })
        recorder.close()
        await running.value
    }

    @Test("While the disk stands still eight pictures wait, and no alert is lost")
    func slowDisk() async throws {
        let folder = try TemporaryFolder()
        let configuration = try Self.configuration(Self.clipsOn(), in: folder)
        let recorder = try #require(try ClipRecorder(configuration, clock: ManualClock()))
        for i in 0..<40 { recorder.offer(try Self.frame(i), atS: 100 + Double(i) / 10) }
        var alert = SampleAlerts.alert(1)
        alert.monotonicS = 104
        recorder.note(alert)
        recorder.close()
        await recorder.run()
        let clip = try #require(Self.names(folder.path("clips")).first { $0.hasPrefix("clip-") })
        #expect(Self.names(folder.path("clips/\(clip)/frames")).count == 8)
        #expect(
            try String(contentsOfFile: folder.path("clips/\(clip)/alerts.jsonl"), encoding: .utf8).contains(alert.id.description))
    }
}
