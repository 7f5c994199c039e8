import FleetModel
import Foundation
import Testing

@testable import WorldModel

/// Reports of a vehicle that drives north from 48° N, 11.5° E.
private struct Drive {
    var estimator = EgoStateEstimator()
    var timeS = 0.0
    var travelledM = 0.0
    var fastestMps = 0.0
    let startedAt = Timestamp(secondsSinceEpoch: 1_772_352_000)

    /// One report at the present place; `offsetM` shifts it north.
    func report(speedMps: Double?, mode: Int = 3, offsetM: Double = 0) -> PositionFix {
        var fix = PositionFix(mode: mode, timeS: timeS)
        fix.fixTime = startedAt.advanced(bySeconds: timeS)
        fix.latitude = 48 + (travelledM + offsetM) / 111_195
        fix.longitude = 11.5
        fix.speedMps = speedMps
        fix.headingDeg = 0
        return fix
    }

    mutating func send(_ fix: PositionFix) {
        estimator.update(fix)
        fastestMps = max(fastestMps, state.speedMps ?? 0)
    }

    var state: EgoState { estimator.state(at: timeS) }

    /// Drives for `seconds` at `speedMps`, one true report a second.
    mutating func drive(seconds: Int, speedMps: Double) {
        for _ in 0..<seconds {
            send(report(speedMps: speedMps))
            step(speedMps)
        }
    }

    mutating func step(_ speedMps: Double) {
        timeS += 1
        travelledM += speedMps
    }
}

struct EgoStateEstimatorTests {
    @Test("A steady drive is believed as reported, one report late")
    func steadyDrive() throws {
        var drive = Drive()
        drive.drive(seconds: 10, speedMps: 13.9)
        let state = drive.estimator.state(at: 9.5)
        #expect(state.speedMps == 13.9)
        #expect(state.fixTimeS == 8)
        #expect(state.headingDeg == 0)
        #expect(state.degraded.isEmpty)
        #expect(abs(try #require(state.position).latitude - (48 + 8 * 13.9 / 111_195)) < 1e-9)
    }

    @Test("Nothing is known before the first report, and only the speed's absence is told")
    func nothingYet() {
        #expect(EgoStateEstimator().state(at: 5) == .unknown)
    }

    @Test("A derived speed is dropped when the receiver's own speed of the same time follows")
    func phantom() {
        var drive = Drive()
        for second in 0..<20 {
            var derived = drive.report(speedMps: second.isMultiple(of: 3) ? 16.6 : 9.5, offsetM: Double(second % 5) * 8)
            derived.headingDeg = nil
            drive.send(derived)
            derived.speedMps = 0.2
            drive.send(derived)
            drive.step(0)
        }
        #expect(drive.fastestMps == 0.2)
    }

    @Test("G1 a single absurd speed with a consistent position is not believed and does not interrupt the belief")
    func g1() {
        var drive = Drive()
        drive.drive(seconds: 30, speedMps: 13.889)
        drive.send(drive.report(speedMps: 72))
        drive.step(13.889)
        for _ in 0..<29 {
            drive.drive(seconds: 1, speedMps: 13.889)
            #expect(drive.state.speedMps == 13.889)
        }
        #expect(drive.fastestMps == 13.889)
        #expect(drive.estimator.rejectedCount == 1)
    }

    @Test("G2 a fix 10 km off is dropped and counted")
    func g2() {
        var drive = Drive()
        drive.drive(seconds: 20, speedMps: 13.889)
        let last = drive.state.position
        drive.send(drive.report(speedMps: 13.889, offsetM: 10_000))
        drive.step(13.889)
        drive.drive(seconds: 1, speedMps: 13.889)
        #expect(drive.state.degraded == [.gpsRejected])
        #expect(drive.state.position.flatMap { p in last.map { p.distanceM(to: $0) < 50 } } == true)
        drive.drive(seconds: 20, speedMps: 13.889)
        #expect(drive.state.degraded.isEmpty)
        #expect(drive.estimator.rejectedCount == 1)
        #expect(drive.fastestMps == 13.889)
    }

    @Test("G3 two fixes of one second 4,300 km apart give no speed and no teleport", arguments: [0.0, 0.4])
    func g3(secondsApart: Double) {
        var drive = Drive()
        drive.drive(seconds: 10, speedMps: 5)
        drive.send(drive.report(speedMps: 5))
        drive.timeS += secondsApart
        drive.send(drive.report(speedMps: 5, offsetM: -4_300_000))
        drive.timeS -= secondsApart
        drive.step(5)
        drive.drive(seconds: 10, speedMps: 5)
        #expect(drive.fastestMps == 5)
        #expect(drive.estimator.rejectedCount == 1)
        #expect(drive.state.position.map { $0.latitude > 47.9 } == true)
    }

    @Test("G5 a repeated fix time is stale: no speed, no position, and it is told")
    func g5() {
        var drive = Drive()
        drive.drive(seconds: 10, speedMps: 20)
        var stuck = drive.report(speedMps: 20)
        for second in 0..<120 {
            stuck.timeS = drive.timeS
            drive.send(stuck)
            if second > 5 {
                #expect(drive.state.speedMps == nil)
                #expect(drive.state.position == nil)
                #expect(drive.state.degraded == [.gpsStale, .speedUnknown])
            }
            drive.timeS += 1
        }
    }

    @Test("G6 a teleport with a good accuracy is dropped all the same")
    func g6() {
        var drive = Drive()
        drive.drive(seconds: 10, speedMps: 10)
        var teleported = drive.report(speedMps: 10, offsetM: 30_000)
        teleported.positionErrorM = 10
        drive.send(teleported)
        drive.step(10)
        drive.drive(seconds: 3, speedMps: 10)
        #expect(drive.estimator.rejectedCount == 1)
        #expect(drive.state.position.map { $0.latitude < 48.1 } == true)
    }

    @Test("G9 nothing is believed after a loss of fix until three good fixes agree")
    func g9() {
        var drive = Drive()
        for _ in 0..<30 {
            drive.send(PositionFix(mode: 1, timeS: drive.timeS))
            #expect(drive.state.degraded == [.gpsNoFix, .speedUnknown])
            drive.step(0)
        }
        drive.send(drive.report(speedMps: 45, mode: 2, offsetM: 3000))
        drive.step(0)
        drive.send(drive.report(speedMps: 38, mode: 2, offsetM: -2000))
        drive.step(0)
        drive.drive(seconds: 3, speedMps: 8)
        #expect(drive.state.speedMps == nil)
        drive.drive(seconds: 1, speedMps: 8)
        #expect(drive.state.speedMps == 8)
        #expect(drive.fastestMps == 8)
    }

    @Test("G10 speed noise of a standing receiver with eps 10 never counts as movement", arguments: [0.0, 3.0])
    func g10(positionScatterM: Double) {
        var drive = Drive()
        var seed: UInt64 = 7
        func uniform() -> Double {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(seed >> 33) / Double(1 << 31)
        }
        for _ in 0..<300 {
            var noise = drive.report(speedMps: 2 + 4 * uniform(), offsetM: positionScatterM * (2 * uniform() - 1))
            noise.speedErrorMps = 10
            drive.send(noise)
            drive.step(0)
        }
        #expect(drive.fastestMps <= 3)
    }

    @Test("A slow real drive with gpsd's large eps is believed, straight on and round a tight bend")
    func slowDriveWithLargeEps() {
        var estimator = EgoStateEstimator()
        for second in 0..<40 {
            // 5 m/s: straight for 20 s, then round a circle of 12 m radius.
            let angle = max(0, Double(second) - 20) * 5 / 12
            let north = second <= 20 ? Double(second) * 5 : 100 + 12 * sin(angle)
            let east = second <= 20 ? 0 : 12 * (1 - cos(angle))
            var fix = PositionFix(mode: 3, timeS: Double(second))
            fix.latitude = 48 + north / 111_195
            fix.longitude = 11.5 + east / (111_195 * 0.669_13)
            fix.speedMps = 5
            fix.speedErrorMps = 16
            estimator.update(fix)
            if second >= 4 { #expect(estimator.state(at: Double(second)).speedMps == 5, "second \(second)") }
        }
    }

    @Test("A jump that stays is believed after three fixes")
    func jumpThatStays() {
        var drive = Drive()
        drive.drive(seconds: 10, speedMps: 10)
        drive.travelledM += 2000
        drive.drive(seconds: 4, speedMps: 10)
        #expect(drive.state.position.map { $0.latitude > 48 + 2000 / 111_195 } == true)
        #expect(drive.state.speedMps == 10)
    }

    @Test("A speed that the displacement contradicts for good is unknown")
    func contradictedSpeed() {
        var drive = Drive()
        for _ in 0..<20 {
            drive.send(drive.report(speedMps: 25))
            drive.step(0)
        }
        #expect(drive.state.speedMps == nil)
        #expect(drive.state.degraded == [.gpsRejected, .speedUnknown])
    }

    @Test("The belief is held through a short loss of fix, then it is unknown")
    func hold() {
        var drive = Drive()
        drive.drive(seconds: 10, speedMps: 15)
        drive.send(PositionFix(mode: 1, timeS: drive.timeS))
        #expect(drive.estimator.state(at: 12).speedMps == 15)
        #expect(drive.estimator.state(at: 12).degraded == [.gpsNoFix])
        #expect(drive.estimator.state(at: 13.5).speedMps == nil)
        #expect(drive.estimator.state(at: 13.5).degraded == [.gpsNoFix, .speedUnknown])
    }

    @Test("Late fixes and nonsense numbers are left out", arguments: [Double.nan, .infinity, -3, 150])
    func nonsense(speedMps: Double) {
        var drive = Drive()
        drive.drive(seconds: 10, speedMps: 15)
        var late = drive.report(speedMps: 30)
        late.fixTime = drive.startedAt.advanced(bySeconds: 8.2)
        drive.send(late)
        var bad = drive.report(speedMps: speedMps)
        bad.latitude = .nan
        drive.send(bad)
        drive.step(15)
        drive.drive(seconds: 2, speedMps: 15)
        #expect(drive.fastestMps == 15)
        #expect(drive.state.speedMps == 15)
    }

    @Test("The heading of the last movement is kept while the vehicle stands")
    func headingAtStandstill() {
        var drive = Drive()
        drive.drive(seconds: 10, speedMps: 10)
        drive.drive(seconds: 1, speedMps: 3)
        for bearing in [90.0, 270, 33, 181, 7] {
            var standing = drive.report(speedMps: 0.3)
            standing.headingDeg = bearing
            drive.send(standing)
            drive.step(0)
        }
        #expect(drive.state.headingDeg == 0)
        #expect(drive.state.speedMps == 0.3)
    }
}
