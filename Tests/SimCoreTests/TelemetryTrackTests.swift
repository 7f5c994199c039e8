import Foundation
import SimCore
import Testing

@Suite struct TelemetryTrackTests {
    private let scenario = ScenarioCatalogue.cityLoop.scenario(seed: 5)

    @Test func `the reported speed is the ego vehicle's to within the receiver's noise`() throws {
        var track = TelemetryTrack(scenario: scenario, seed: 5)
        let fixes = track.fixes(durationS: scenario.durationS)
        #expect(fixes.count == 141)
        for fix in fixes {
            let truth = scenario.ego.state(at: fix.timeS).speedMps
            #expect(abs(try #require(fix.speedMps) - truth) < 0.3)
            #expect(fix.mode == 3)
        }
    }

    @Test func `the positions lie as far apart as the ego vehicle has driven`() throws {
        var track = TelemetryTrack(scenario: scenario, seed: 5)
        let fixes = track.fixes(durationS: scenario.durationS)
        let (first, last) = (try #require(fixes.first), try #require(fixes.last))
        let metresPerDegree = 111_195.0
        let north = (try #require(last.latitude) - #require(first.latitude)) * metresPerDegree
        let east = (try #require(last.longitude) - #require(first.longitude)) * metresPerDegree * cos(48.1 * .pi / 180)
        let driven = scenario.ego.state(at: last.timeS).positionM
        #expect(abs((north * north + east * east).squareRoot() - driven) < 5)
    }

    @Test func `the same seed gives the same fixes, another seed others`() {
        var (a, b, c) = (
            TelemetryTrack(scenario: scenario, seed: 5), TelemetryTrack(scenario: scenario, seed: 5),
            TelemetryTrack(scenario: scenario, seed: 6)
        )
        let fixes = a.fixes(durationS: 5)
        #expect(fixes == b.fixes(durationS: 5))
        #expect(fixes != c.fixes(durationS: 5))
    }
}
