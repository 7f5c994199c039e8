import FleetTestSupport
import Testing
import WorldModel

@Suite(.enabled(if: SharedData.isPresent, "needs ../shared/gps"))
struct ReceiverLogTests {
    @Test(
        "No log of a real receiver makes the estimator believe a speed that the receiver did not state", arguments: ReceiverLog.all)
    func phantoms(log: ReceiverLog) throws {
        var estimator = EgoStateEstimator()
        var fastest = 0.0
        for report in try log.reports() {
            estimator.update(report)
            fastest = max(fastest, estimator.state(at: report.timeS).speedMps ?? 0)
        }
        // Binary receivers leave no sentence to compare with; all of them stand in these logs, and walking pace is the bound.
        #expect(fastest <= (log.receiverMaxSpeedMps ?? 2.8) + 0.05)
    }

    @Test(
        "The speed of a moving receiver is believed",
        arguments: [
            ("bt451.log", "tpv322", 16.1), ("bt451.log", "chk", 16.1), ("nl2008u.log", "tpv322", 4.7), ("nl2008u.log", "chk", 4.7),
        ])
    func drives(name: String, kind: String, atLeastMps: Double) throws {
        var estimator = EgoStateEstimator()
        var fastest = 0.0
        for report in try ReceiverLog(name: name, kind: kind, receiverMaxSpeedMps: nil).reports() {
            estimator.update(report)
            fastest = max(fastest, estimator.state(at: report.timeS).speedMps ?? 0)
        }
        #expect(fastest >= atLeastMps)
    }
}
