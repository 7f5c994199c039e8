import Testing

@testable import fleet_chaos

@Suite struct FaultPlanTests {
    static let targets = FaultPlan.Targets(vehicles: 10, syncs: 2, smallDisks: 2, storeHasSmallDisk: false, hasDatabase: true)

    func plan(_ seed: UInt64, kills: Int = 100) -> FaultPlan { FaultPlan(seed: seed, kills: kills, gapS: 1, targets: Self.targets) }

    func lines(_ plan: FaultPlan) -> [String] { plan.steps.map { "\($0.atS) \($0.fault) \($0.victim) \($0.begins)" } }

    @Test func `the same seed gives the same faults at the same times, another seed others`() {
        #expect(lines(plan(7)) == lines(plan(7)))
        #expect(lines(plan(7)) != lines(plan(8)))
    }

    @Test func `there are exactly as many kills as asked for, and every kind of fault that can be had here`() {
        for kills in [6, 10, 100] {
            let counts = plan(1, kills: kills).counts
            #expect(counts.filter(\.key.isKill).values.reduce(0, +) == kills)
            #expect(Set(counts.keys) == Set(Fault.allCases).subtracting([.storeDiskFull]))
        }
    }

    @Test func `a part that is down is not killed again before it is back`() {
        for seed in 1...20 as ClosedRange<UInt64> {
            var down: Set<String> = []
            for step in plan(seed).steps where step.fault == .vehicleKilled {
                let part = "\(step.victim)"
                #expect(step.begins ? down.insert(part).inserted : down.remove(part) != nil)
            }
            #expect(down.isEmpty)
        }
    }
}
