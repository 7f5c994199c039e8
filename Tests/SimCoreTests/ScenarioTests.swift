import FleetModel
import SimCore
import Testing

@Suite struct ScenarioTests {
    private static let seeds: [UInt64] = [1, 2, 7, 99]

    /// The world twenty times a second.
    private func worlds(_ scenario: ScenarioCatalogue, _ seed: UInt64) -> [WorldSnapshot] {
        let drive = scenario.scenario(seed: seed)
        return (0..<Int(drive.durationS * 20)).map { drive.snapshot(at: Double($0) / 20) }
    }

    /// What is in the ego vehicle's path and ahead, nearest first.
    private func lead(_ world: WorldSnapshot) -> WorldSnapshot.Object? {
        world.objects.filter(\.isInPath).min { $0.distanceM < $1.distanceM }
    }

    private func lowestTTC(_ scenario: ScenarioCatalogue, _ seed: UInt64) -> Double {
        worlds(scenario, seed).compactMap { lead($0)?.ttcS }.min() ?? .infinity
    }

    @Test("nobody is ever touched", arguments: ScenarioCatalogue.allCases, seeds)
    func noContact(scenario: ScenarioCatalogue, seed: UInt64) {
        let gaps = worlds(scenario, seed).compactMap { lead($0)?.distanceM }
        #expect(gaps.allSatisfy { $0 > 3.5 })
    }

    @Test(
        "where a warning is due the time to collision falls below 2.1 s, and never below 1 s",
        arguments: [ScenarioCatalogue.leadBrakes, .stoppedLead, .slowerLead, .cutIn, .pedestrian, .cityLoop], seeds)
    func dangerous(scenario: ScenarioCatalogue, seed: UInt64) {
        let ttc = lowestTTC(scenario, seed)
        #expect(ttc < 2.1)
        #expect(ttc > 1)
    }

    @Test(
        "where nothing is to be reported the time to collision stays above 4 s",
        arguments: [ScenarioCatalogue.cruise, .parkedRow, .oncoming, .overspeed, .stopAndGo, .overpass, .curve], seeds)
    func harmless(scenario: ScenarioCatalogue, seed: UInt64) {
        #expect(lowestTTC(scenario, seed) > 4)
    }

    @Test(
        "overspeed and city-loop exceed 50 km/h by 3 km/h and more for at least 8 s, and start and end below 50",
        arguments: [ScenarioCatalogue.overspeed, .cityLoop], seeds)
    func overspeed(scenario: ScenarioCatalogue, seed: UInt64) throws {
        let worlds = worlds(scenario, seed)
        let over = worlds.filter { $0.ego.speedMps > 53 / 3.6 }
        #expect(Double(over.count) / 20 >= 8)
        #expect(try #require(worlds.first).ego.speedMps < 50 / 3.6)
        #expect(try #require(worlds.last).ego.speedMps < 50 / 3.6)
        #expect(worlds.allSatisfy { $0.limit == Speed(50, .kilometresPerHour) })
    }

    @Test("city-loop's lead is seen growing for 2 s before it comes near, and the gap opens again", arguments: seeds)
    func cityLoopApproach(seed: UInt64) throws {
        let worlds = worlds(.cityLoop, seed)
        let nearest = try #require(worlds.firstIndex { (lead($0)?.ttcS ?? .infinity) < 2 })
        let before = worlds[(nearest - 40)..<nearest].compactMap { lead($0) }
        #expect(before.count == 40)
        #expect(Set(before.map(\.id)).count == 1)
        #expect(zip(before, before.dropFirst()).allSatisfy { $1.distanceM < $0.distanceM })
        let atNearest = try #require(lead(worlds[nearest]))
        #expect((6...25).contains(atNearest.distanceM))
        #expect(worlds[nearest...].contains { (lead($0)?.closingMps ?? 0) < -1 })
    }

    @Test func `the time to collision is distance over closing speed, and none when the gap opens`() throws {
        let drive = ScenarioCatalogue.stoppedLead.scenario(seed: 1)
        let object = try #require(drive.snapshot(at: 2).objects.first)
        #expect(abs(try #require(object.ttcS) - object.distanceM / drive.ego.state(at: 2).speedMps) < 1e-9)
        let opening = try #require(ScenarioCatalogue.leadBrakes.scenario(seed: 1).snapshot(at: 11).objects.first)
        #expect(opening.closingMps < 0)
        #expect(opening.ttcS == nil)
    }

    @Test func `the same seed gives the same drive, another seed another`() {
        let (a, b) = (ScenarioCatalogue.cityLoop.scenario(seed: 3), ScenarioCatalogue.cityLoop.scenario(seed: 3))
        #expect(a.actors == b.actors)
        #expect(a.actors != ScenarioCatalogue.cityLoop.scenario(seed: 4).actors)
    }
}
