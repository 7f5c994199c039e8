import Capture
import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Glibc
import Testing
import WorldModel

/// What came of a log that ran through gpsd, libgps and the estimator.
private struct Outcome {
    var fixes = 0
    var fastestReportedMps = 0.0
    var fastestBelievedMps = 0.0

    /// Takes what has come from `source` since the last call.
    mutating func take(from source: GPSDTelemetrySource, into estimator: inout EgoStateEstimator) {
        for fix in source.fixes(upTo: .infinity) {
            fixes += 1
            fastestReportedMps = max(fastestReportedMps, fix.speedMps ?? 0)
            estimator.update(fix)
            fastestBelievedMps = max(fastestBelievedMps, estimator.state(at: fix.timeS).speedMps ?? 0)
        }
    }
}

@Suite(.serialized, .enabled(if: FakeReceiver.isPresent, "needs gpsd, gpsfake and ../shared/gps"))
struct GPSDTests {
    @Test(
        "A drive's speed arrives through gpsd as the receiver states it",
        arguments: [("gpsd/nl2008u.log", 4.7, 5.19), ("gpsd/bt451.log", 15.5, 16.6)])
    func drives(log: String, atLeastMps: Double, atMostMps: Double) async throws {
        let receiver = try FakeReceiver(log: SharedData.path("gps/" + log))
        defer { receiver.stop() }
        let source = GPSDTelemetrySource(host: "127.0.0.1", port: receiver.port)
        source.start()
        defer { source.stop() }
        var (outcome, estimator) = (Outcome(), EgoStateEstimator())
        let isBelieved = await eventually(timeout: 60) {
            outcome.take(from: source, into: &estimator)
            return outcome.fastestBelievedMps >= atLeastMps
        }
        #expect(isBelieved, "believed \(outcome.fastestBelievedMps) m/s of \(outcome.fixes) reports")
        #expect(outcome.fastestBelievedMps <= atMostMps + 0.05)
        #expect(source.degraded.isEmpty)
    }

    @Test(
        "A standing receiver's phantom speeds come through gpsd and are not believed",
        arguments: [("gpsd/garmin-10x.log", 1.13), ("gpsd/quectel-eg25-g.log", 3.34)])
    func phantoms(log: String, receiverMaxMps: Double) async throws {
        let receiver = try FakeReceiver(log: SharedData.path("gps/" + log))
        defer { receiver.stop() }
        let source = GPSDTelemetrySource(host: "127.0.0.1", port: receiver.port)
        source.start()
        defer { source.stop() }
        var (outcome, estimator) = (Outcome(), EgoStateEstimator())
        let hasRun = await eventually(timeout: 60) {
            outcome.take(from: source, into: &estimator)
            return outcome.fixes >= 60 && outcome.fastestReportedMps > 10
        }
        #expect(hasRun, "\(outcome.fixes) reports, fastest \(outcome.fastestReportedMps) m/s")
        #expect(outcome.fastestBelievedMps <= receiverMaxMps + 0.05)
    }

    @Test("A receiver that is not plugged in has no fix, though gpsd answers")
    func unplugged() async throws {
        let (folder, port) = (try TemporaryFolder(), FreePort.next())
        let daemon = Process()
        daemon.executableURL = URL(filePath: "/usr/sbin/gpsd")
        daemon.arguments = ["-N", "-n", "-S", String(port), "-F", folder.path("control")]
        daemon.standardInput = FileHandle.nullDevice
        daemon.standardOutput = FileHandle.nullDevice
        daemon.standardError = FileHandle.nullDevice
        try daemon.run()
        defer { kill(daemon.processIdentifier, SIGKILL) }
        let source = GPSDTelemetrySource(host: "127.0.0.1", port: port)
        source.start()
        defer { source.stop() }
        #expect(await eventually(timeout: 30) { source.isConnected })
        #expect(source.degraded.isEmpty)
        #expect(await eventually(timeout: 30) { source.degraded == [.gpsNoFix] })
    }

    @Test("gpsd that is not there is missing, and the source connects once it is; when it dies the source says so")
    func comesAndGoes() async throws {
        let receiver = try FakeReceiver(log: SharedData.path("gps/gpsd/nl2008u.log"))
        defer { receiver.stop() }
        let source = GPSDTelemetrySource(host: "127.0.0.1", port: receiver.port)
        #expect(source.degraded == [.gpsMissing])
        source.start()
        defer { source.stop() }
        #expect(await eventually(timeout: 30) { source.degraded.isEmpty })
        #expect(await eventually(timeout: 30) { !source.fixes(upTo: .infinity).isEmpty })
        receiver.stop()
        #expect(await eventually(timeout: 30) { source.degraded == [.gpsMissing] })
    }
}
