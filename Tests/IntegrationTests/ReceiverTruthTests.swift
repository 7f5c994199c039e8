import Capture
import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import SafetyRules
import Testing
import WorldModel

/// Receiver, gpsd, libgps, estimator and overspeed rule in a row, at a limit that the true speed does not reach.
private struct OverspeedWatch {
    private var estimator = EgoStateEstimator()
    private var rule: OverspeedRule
    private let limit: Speed
    private(set) var fixes = 0
    private(set) var fastestReportedMps = 0.0
    private(set) var events: [RuleEvent] = []
    /// Of each report's arrival, the receiver's own time.
    private var fixTimes: [Double: Timestamp] = [:]

    /// No tolerance, and at once: whatever is believed above the limit raises an alert.
    init(limitMps: Double) {
        limit = Speed(limitMps, .metresPerSecond)
        var settings = OverspeedRule.Settings()
        settings.tolerance = Speed(0, .metresPerSecond)
        settings.tolerancePercent = 0
        settings.minimumDurationS = 0
        settings.hysteresis = Speed(0, .metresPerSecond)
        rule = OverspeedRule(settings: settings)
    }

    mutating func take(_ reports: [PositionFix]) {
        for fix in reports {
            fixes += 1
            fastestReportedMps = max(fastestReportedMps, fix.speedMps ?? 0)
            estimator.update(fix)
            if fixTimes[fix.timeS] == nil { fixTimes[fix.timeS] = fix.fixTime }
            let ego = estimator.state(at: fix.timeS)
            events += rule.update(WorldState(timeS: fix.timeS, ego: ego, limit: SpeedLimit(limit, source: .zone)))
        }
    }

    /// The receiver's time of a moment of an event.
    func receiverTime(_ timeS: Double?) -> Timestamp? { timeS.flatMap { fixTimes[$0] } }
}

/// A receiver's log by the truth: the highest speed that the receiver itself states.
private struct LogTruth: Decodable, Sendable, CustomTestStringConvertible {
    var log: String
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var receiver_max_speed_mps: Double?
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var gpsd322_tpv: Int

    var testDescription: String { log }

    /// Binary logs hold no sentence to compare with; nobody in them moves faster than at walking pace. No limit is below 1 m/s.
    var limitMps: Double { max(1, (receiver_max_speed_mps ?? 2.8) + 0.1) }

    static let all: [LogTruth] = {
        guard let data = try? Data(contentsOf: URL(filePath: SharedData.path("gps/gpsd-summary.json"))) else { return [] }
        return (try? JSONDecoder().decode([LogTruth].self, from: data)) ?? []
    }()

    /// Logs out of which gpsd makes speeds of 16 to 93 m/s that the receiver never had.
    private static let phantoms: Set = ["beidou-bd.log", "garmin-10x.log", "motorola-t805.log", "quectel-eg25-g.log"]

    /// All of them take minutes, for a log runs at its receiver's own pace.
    static let inThisRun =
        ProcessInfo.processInfo.environment["FLEET_LONG_TESTS"] == nil ? all.filter { phantoms.contains($0.log) } : all
}

/// A drive as an NMEA log: RMC and GGA once a second, speeds by `kmh` of the second.
private func drivenLog(seconds: Int, kmh: (Int) -> Double) -> String {
    func sentence(_ body: String) -> String {
        let sum = body.utf8.reduce(0, ^)
        return "$\(body)*\(String(format: "%02X", sum))\r\n"
    }
    var metres = 0.0
    return (0..<seconds).map { second in
        metres += kmh(second) / 3.6
        let minutes = 60 * (metres / 111_195)
        let time = String(format: "%02d%02d%02d.00", 8 + second / 3600, second / 60 % 60, second % 60)
        let place = String(format: "48%08.5f,N,01130.00000,E", minutes)
        let knots = String(format: "%.2f", kmh(second) / 1.852)
        return sentence("GPGGA,\(time),\(place),1,09,0.9,520.0,M,46.0,M,,")
            + sentence("GPRMC,\(time),A,\(place),\(knots),0.0,010326,,,A")
    }
    .joined()
}

@Suite(.serialized, .enabled(if: FakeReceiver.isPresent, "needs gpsd, gpsfake and ../shared/gps"))
struct ReceiverTruthTests {
    @Test(
        "No log through a real gpsd raises an overspeed alert that the receiver does not bear out: the worst phantoms; all logs in the long run",
        arguments: LogTruth.inThisRun)
    fileprivate func logs(truth: LogTruth) async throws {
        let receiver = try FakeReceiver(log: SharedData.path("gps/gpsd/" + truth.log))
        defer { receiver.stop() }
        let source = GPSDTelemetrySource(host: "127.0.0.1", port: receiver.port)
        source.start()
        defer { source.stop() }
        var watch = OverspeedWatch(limitMps: truth.limitMps)
        // Once through at least, and into the log's second run, whose times run back.
        let wanted = max(3, truth.gpsd322_tpv + truth.gpsd322_tpv / 2)
        let hasRun = await eventually(timeout: 45) {
            watch.take(source.fixes(upTo: .infinity))
            return watch.fixes >= wanted
        }
        print(
            "\(truth.log): \(watch.fixes) reports, fastest \(watch.fastestReportedMps) m/s, limit \(truth.limitMps), \(watch.events.count) events"
        )
        #expect(hasRun || truth.gpsd322_tpv == 0, "\(watch.fixes) of \(wanted) reports")
        #expect(watch.events.isEmpty, "\(watch.events)")
    }

    @Test("Three episodes of a drive come through a real gpsd with start and end within one fix")
    func episodes() async throws {
        let folder = try TemporaryFolder()
        let episodes = [30..<45, 80..<88, 120..<160]
        let log = drivenLog(seconds: 200) { second in episodes.contains { $0.contains(second) } ? 58 : 47 }
        try log.write(toFile: folder.path("drive.log"), atomically: true, encoding: .utf8)
        let receiver = try FakeReceiver(log: folder.path("drive.log"))
        defer { receiver.stop() }
        let source = GPSDTelemetrySource(host: "127.0.0.1", port: receiver.port)
        source.start()
        defer { source.stop() }
        var watch = OverspeedWatch(limitMps: 50 / 3.6)
        let hasRun = await eventually(timeout: 60) {
            watch.take(source.fixes(upTo: .infinity))
            return watch.events.count { $0.phase == .end } >= 3
        }
        #expect(hasRun, "\(watch.fixes) reports, \(watch.events)")
        let start = try #require(Timestamp("2026-03-01T08:00:00Z"))
        // gpsfake repeats the log, and the agent may have come in its midst: what is found is compared with what it was.
        let starts = watch.events.filter { $0.phase == .start }.compactMap {
            watch.receiverTime($0.startedAtS)?.seconds(since: start)
        }
        let ends = watch.events.filter { $0.phase == .end }.compactMap { watch.receiverTime($0.endedAtS)?.seconds(since: start) }
        #expect(starts.count >= 3 && ends.count >= 3)
        for time in starts.prefix(3) { #expect(episodes.contains { abs(time - Double($0.lowerBound)) <= 1 }, "start at \(time)") }
        for time in ends.prefix(3) { #expect(episodes.contains { abs(time - Double($0.upperBound)) <= 1 }, "end at \(time)") }
        #expect(Set(ends.prefix(3).map { $0.rounded() }).count == 3)
    }
}

/// The same logs as recorded sessions through the built `fleet-agent replay`.
@Suite(.serialized, .enabled(if: SharedData.isPresent, "needs ../shared"))
struct ReceiverReplayTests {
    /// A session whose telemetry are the reports of `log` as `kind` has them, a tenth of a second apart.
    private func session(_ log: String, _ kind: String, in folder: TemporaryFolder) throws -> Double {
        struct TPV: Decodable {
            var `class`: String
            var mode: Int?
            var time: String?
            var lat, lon, speed, track, eps, eph: Double?
        }
        struct Line: Encodable {
            var t: Double
            var mode: Int
            var time: Timestamp?
            var lat, lon, speedMps, headingDeg, epsMps, ephM: Double?
        }
        let text = try String(contentsOfFile: SharedData.path("gps/gpsd/\(log).\(kind)"), encoding: .utf8)
        var lines = Data()
        var timeS = 0.0
        for line in text.split(whereSeparator: \.isNewline) where line.hasPrefix("{") {
            guard let tpv = try? JSONDecoder().decode(TPV.self, from: Data(line.utf8)), tpv.class == "TPV" else { continue }
            lines.append(
                try WireCodec.encode(
                    Line(
                        t: timeS, mode: tpv.mode ?? 0, time: tpv.time.flatMap { Timestamp($0) }, lat: tpv.lat, lon: tpv.lon,
                        speedMps: tpv.speed, headingDeg: tpv.track, epsMps: tpv.eps, ephM: tpv.eph)))
            lines.append(10)
            timeS = (timeS + 0.1).rounded(toPlaces: 1)
        }
        try lines.write(to: URL(filePath: folder.path("telemetry.jsonl")))
        try
            "{\"version\":1,\"vehicle\":\"truck-17\",\"startedAt\":\"2026-03-01T08:00:00Z\",\"video\":\"\(SharedData.path("vision/tracking/otb_car4.mp4"))\"}"
            .write(toFile: folder.path("session.json"), atomically: true, encoding: .utf8)
        let frames = (0...Int(timeS * 5)).map {
            "{\"frame\":\($0),\"height\":480,\"objects\":[],\"t\":\(Double($0) / 5),\"width\":640}\n"
        }
        try frames.joined().write(toFile: folder.path("detections.jsonl"), atomically: true, encoding: .utf8)
        return timeS
    }

    @Test("No log that is replayed raises an overspeed alert that the receiver does not bear out", arguments: LogTruth.all)
    fileprivate func replay(truth: LogTruth) async throws {
        for kind in ["chk", "tpv322"] {
            let folder = try TemporaryFolder()
            guard try session(truth.log, kind, in: folder) > 0 else { continue }
            // Whole numbers of the unit that the configuration takes, rounded up.
            let limit = (truth.limitMps * 3.6).rounded(.up)
            try """
            fleet: replay
            vehicle: truck-17
            overspeed: {defaultLimit: "\(limit) km/h", tolerance: "0 km/h", tolerancePercent: 0, minimumDuration: "0 s", hysteresis: "0 km/h"}
            mqtt: {url: mqtt://127.0.0.1:1883}
            """.write(toFile: folder.path("agent.yaml"), atomically: true, encoding: .utf8)
            let agent = try BuiltProgram(
                "fleet-agent",
                [
                    "replay", folder.url.path(), "--config", folder.path("agent.yaml"), "--detections",
                    folder.path("detections.jsonl"),
                    "--events", folder.path("events.jsonl"),
                ])
            #expect(await agent.status(timeout: 60) == 0, "\(agent.standardError)")
            #expect(try String(contentsOfFile: folder.path("events.jsonl"), encoding: .utf8).isEmpty, "\(truth.log).\(kind)")
        }
    }
}
