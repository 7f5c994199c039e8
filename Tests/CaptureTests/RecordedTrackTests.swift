import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Testing
import WorldModel

@testable import Capture

@Suite struct RecordedTrackTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func track(_ text: String, name: String = "t.gpx") throws -> RecordedTrack {
        try text.write(toFile: folder.path(name), atomically: true, encoding: .utf8)
        return try RecordedTrack(path: folder.path(name))
    }

    @Test("A GPX track gives place, time, speed, course and height, with and without extensions")
    func gpx() throws {
        let track = try track(
            """
            <?xml version="1.0"?><!-- a <trkpt> in a comment --><gpx version="1.1"><wpt lat="1" lon="2"><time>2026-01-01T00:00:00Z</time></wpt>
            <trk><name>A &amp; B</name><trkseg>
            <trkpt lat="48.1" lon="11.5"><ele>520.5</ele><time>2026-03-01T08:00:00Z</time><speed>13.9</speed><course>90.5</course><hdop>0.9</hdop></trkpt>
            <trkpt lon='11.6' lat='48.2'><time>2026-03-01T08:00:01.500Z</time><fix>2d</fix><extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>14</gpxtpx:speed></gpxtpx:TrackPointExtension></extensions></trkpt>
            <trkpt lat="48.2" lon="11.6"/>
            <trkpt lat="48.2" lon="11.6"><time>2026-03-01T08:00:00Z</time></trkpt>
            </trkseg></trk></gpx>
            """)
        #expect(track.fixes.count == 2)
        #expect(track.leftOut == 2)
        #expect(!track.hasDerivedSpeeds)
        let first = try #require(track.fixes.first)
        #expect(first.fixTime == Timestamp("2026-03-01T08:00:00Z"))
        #expect(first.latitude == 48.1 && first.longitude == 11.5 && first.altitudeM == 520.5)
        #expect(first.speedMps == 13.9 && first.headingDeg == 90.5 && first.hdop == 0.9 && first.mode == 3)
        #expect(track.fixes[1].speedMps == 14 && track.fixes[1].mode == 2)
    }

    @Test("An NMEA log gives place, time and speed; damaged sentences are left out")
    func nmea() throws {
        let track = try track(
            """
            junk
            $GPRMC,081836,A,3751.65,S,14507.36,E,000.0,360.0,130998,011.3,E*62
            $GNRMC,081837.50,A,3751.65,S,14507.36,E,010.0,090.0,130998,,,A*00
            $GNRMC,081838.50,A,3751.65,S,14507.36,E,010.0,090.0,130998,,,A
            $GNGGA,081838.50,3751.65,S,14507.36,E,1,08,0.9,545.4,M,46.9,M,,
            $GPRMC,081839,V,,,,,,,130998,,
            """, name: "t.nmea")
        #expect(track.fixes.count == 3)
        #expect(abs(try #require(track.fixes[0].latitude) + 37.860833) < 1e-6)
        #expect(abs(try #require(track.fixes[0].longitude) - 145.122667) < 1e-6)
        #expect(track.fixes[0].fixTime == Timestamp("1998-09-13T08:18:36Z"))
        // 10 knots.
        #expect(abs(try #require(track.fixes[1].speedMps) - 5.14444) < 1e-4)
        #expect(track.fixes[1].altitudeM == 545.4 && track.fixes[1].hdop == 0.9)
        #expect(track.fixes[2].mode == 1)
    }

    @Test("A track without speeds gets them from its places, a point a second")
    func derived() throws {
        // 20 m/s to the north, a point every 4 s.
        let points = (0..<6).map { i in
            "<trkpt lat=\"\(48 + Double(i) * 80 / 111_195)\" lon=\"11\"><time>2026-03-01T08:00:\(i * 4 < 10 ? "0" : "")\(i * 4)Z</time></trkpt>"
        }
        let track = try track("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>")
        #expect(track.hasDerivedSpeeds)
        #expect(track.fixes.count == 21)
        #expect(track.fixes.allSatisfy { abs(($0.speedMps ?? 0) - 20) < 0.05 && abs($0.headingDeg ?? 9) < 0.01 })
        #expect(zip(track.fixes, track.fixes.dropFirst()).allSatisfy { $1.fixTime!.seconds(since: $0.fixTime!) == 1 })
    }

    @Test(
        "What is no track is told in one line",
        arguments: [
            ("", "no NMEA sentence"), ("hello", "no NMEA sentence"), ("<html></html>", "no GPX file"),
            ("<gpx></gpx>", "has 0 track points"),
            ("<gpx><trkpt lat=\"91\" lon=\"0\"></trkpt></gpx>", "t.gpx:1: a trkpt without lat and lon"),
            ("<gpx><trkpt lat=\"1\" lon=\"0\"></trkpt></gpx>", "has 1 track points, 0 with a time"),
            ("<gpx><trkpt lat=\"1\" lon=\"0\"", "has 0 track points"), ("\u{1F}\u{8B}", "no NMEA sentence"),
        ])
    func refused(text: String, expected: String) {
        let error = #expect(throws: UserError.self) { try track(text) }
        #expect(error?.code == .badData)
        #expect(error?.message.contains(expected) == true, "\(error?.message ?? "")")
    }
}

@Suite(.enabled(if: SharedData.isPresent, "needs ../shared"))
struct SessionImportTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A packed track of the shared ones, unpacked.
    private func unpacked(_ name: String) async throws -> String {
        let path = folder.path(name.replacingOccurrences(of: ".gz", with: ""))
        let result = try await ExternalProgram.run(
            "/bin/sh", ["-c", "gunzip -c '\(SharedData.path("gps/tracks/" + name))' > '\(path)'"])
        #expect(result.status == 0)
        return path
    }

    @Test(
        "The shared tracks of drives are read whole",
        arguments: [
            ("hague_sbn-v13.gpx.gz", 3453, 28.02, false), ("frascati_mtk_logger_m241.gpx.gz", 1199, 18.43, false),
            ("gopro_hero06_jump.gpx.gz", 417, 7.5, false), ("mountainview_ublox-F9K.nmea.gz", 1640, 17.35, false),
        ])
    func tracks(name: String, atLeast: Int, fastestMps: Double, isDerived: Bool) async throws {
        let track = try RecordedTrack(path: await unpacked(name))
        #expect(track.fixes.count + track.leftOut >= atLeast, "\(track.fixes.count), \(track.leftOut)")
        #expect(abs(track.fixes.compactMap(\.speedMps).reduce(0, max) - fastestMps) < 0.01)
        #expect(track.hasDerivedSpeeds == isDerived)
    }

    @Test(
        "Tracks without speeds are believed with plausible ones",
        arguments: [("leipzig_test1.gpx", 22.0), ("around-visnjan-with-car.gpx", 27)])
    func derived(name: String, atMostMps: Double) throws {
        let track = try RecordedTrack(path: SharedData.path("gps/tracks/" + name))
        #expect(track.hasDerivedSpeeds)
        var estimator = EgoStateEstimator()
        var speeds: [Double] = []
        for var fix in track.fixes {
            fix.timeS = fix.fixTime!.seconds(since: track.startedAt)
            estimator.update(fix)
            if let speed = estimator.state(at: fix.timeS).speedMps { speeds.append(speed) }
        }
        #expect(speeds.count > track.fixes.count / 2, "\(speeds.count) of \(track.fixes.count)")
        #expect(speeds.reduce(0, max) > 5)
        #expect(speeds.reduce(0, max) < atMostMps, "\(speeds.reduce(0, max))")
    }

    @Test("A video and a track become a session that replay opens, aligned by offset or by the time of the first frame")
    func session() async throws {
        let track = try await unpacked("hague_sbn-v13.gpx.gz")
        let video = SharedData.path("vision/tracking/otb_car4.mp4")
        let byOffset = try SessionImport(video: video, track: track, alignment: .trackStartsAtS(-1200)).run(
            into: folder.path("a"), vehicle: "truck-17", camera: nil)
        #expect(byOffset.startedAt == Timestamp("2010-02-01T12:51:38.545Z"))
        let session = try Session.open(folder.path("a"))
        #expect(session.vehicle == "truck-17")
        let telemetry = try SessionTelemetry(session)
        let fixes = try telemetry.fixes(upTo: 1e9)
        #expect(fixes.count == byOffset.lines)
        #expect(telemetry.lateLines == 0)
        #expect(fixes.first.map { $0.timeS >= -30 } == true)
        #expect(fixes.contains { $0.timeS >= 0 })
        let byTime = try SessionImport(video: video, track: track, alignment: .startedAt(byOffset.startedAt)).run(
            into: folder.path("b"), vehicle: "truck-17", camera: nil)
        #expect(byTime.lines == byOffset.lines)
        #expect(
            try Data(contentsOf: URL(filePath: folder.path("a/telemetry.jsonl")))
                == Data(contentsOf: URL(filePath: folder.path("b/telemetry.jsonl"))))
        for alignment in [SessionImport.Alignment.trackStartsAtS(1e6), .byVideoDate] {
            #expect(throws: UserError.self) {
                try SessionImport(video: video, track: track, alignment: alignment).run(
                    into: folder.path("c"), vehicle: "v", camera: nil)
            }
        }
        #expect(throws: UserError.self, "holds a session already") {
            try SessionImport(video: video, track: track, alignment: .trackStartsAtS(0)).run(
                into: folder.path("a"), vehicle: "v", camera: nil)
        }
    }

    @Test("The time that an MP4 says it was made lays it beside the track")
    func videoDate() async throws {
        let track = try await unpacked("hague_sbn-v13.gpx.gz")
        let video = folder.path("drive.mp4")
        let made = try await ExternalProgram.run(
            "/usr/bin/ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=10:duration=3", "-metadata",
                "creation_time=2010-02-01T12:40:00Z", video,
            ])
        #expect(made.status == 0)
        #expect(VideoDate.created(path: video) == Timestamp("2010-02-01T12:40:00Z"))
        let summary = try SessionImport(video: video, track: track, alignment: .byVideoDate).run(
            into: folder.path("s"), vehicle: "v", camera: nil)
        #expect(summary.startedAt == Timestamp("2010-02-01T12:40:00Z"))
        #expect(summary.linesWithin >= 2)
        #expect(VideoDate.created(path: track) == nil)
    }
}
