import FleetRuntime
import FleetTestSupport
import Foundation

/// `fleet-chaos matrix`: breaks everything at random while alerts are raised, then counts.
enum MatrixCommand {
    static let command = Command(
        "matrix", "kill vehicles, broker and fleet-sync at random while alerts are raised, then count what is lost",
        discussion: """
            Prints the faults and, as its last line, "alerts N lost N duplicated N left N". Ends with 0 only when the last three are 0, every
            part ended within 5 s of SIGTERM and none by itself; else with 1.
            Everything runs on the loopback in a folder of its own. Full disks need root.
            """, options: ChaosSettings.options, run: run)

    private static func run(_ arguments: ParsedArguments) async throws {
        let settings = try ChaosSettings(arguments)
        let signals = StopSignals()
        let fleet = try await ChaosFleet(settings)
        let plan = FaultPlan(seed: settings.seed, kills: settings.kills, gapS: settings.gapS, targets: fleet.targets)
        let log = Log("chaos")
        log.info(
            "seed \(settings.seed), \(settings.store.rawValue): \(settings.alerts) alerts of \(settings.vehicles) vehicles, \(settings.kills) kills in \(Int(plan.lengthS)) s"
        )
        let startedS = MonotonicTime.now()
        try fleet.start()
        try await breakAll(plan, fleet, signals, log)
        let isDelivered = try await waitUntilDelivered(fleet, settings.drainS, signals)
        if !isDelivered { log.warning("not all was delivered within \(Int(settings.drainS)) s of the last fault") }
        let notEnded = await fleet.end()
        let verdict = try await Verdict(fleet.vehicles, try fleet.store.open(), fleet.store.snapshots)
        report(plan, fleet, verdict, tookS: MonotonicTime.now() - startedS)
        if !notEnded.isEmpty { throw UserError(.failed, "did not end well on SIGTERM: \(notEnded.joined(separator: "; "))") }
        if let first = fleet.unasked.first {
            throw UserError(.failed, "\(fleet.unasked.count) unasked ends, the first: \(first)")
        }
        if !verdict.isGood { throw UserError(.failed, "alerts were lost, duplicated or left") }
    }

    private static func breakAll(_ plan: FaultPlan, _ fleet: ChaosFleet, _ signals: StopSignals, _ log: Log) async throws {
        let startedS = MonotonicTime.now()
        for step in plan.steps {
            let pauseS = startedS + step.atS - MonotonicTime.now()
            if pauseS > 0 { try await Task.sleep(for: .seconds(pauseS)) }
            if signals.isRaised { throw UserError(.unavailable, "stopped") }
            log.debug("\(step.begins ? "begin" : "end") \(step.fault.words) \(step.victim)")
            try await fleet.apply(step)
            if !step.begins { try await fleet.revive() }
        }
    }

    private static func waitUntilDelivered(_ fleet: ChaosFleet, _ drainS: Double, _ signals: StopSignals) async throws -> Bool {
        let endS = MonotonicTime.now() + drainS
        while MonotonicTime.now() < endS, !signals.isRaised {
            if fleet.vehicles.allSatisfy({ $0.progress.isDone && $0.progress.waiting == 0 }) { return true }
            try await fleet.revive()
            try await Task.sleep(for: .milliseconds(200))
        }
        return false
    }

    private static func report(_ plan: FaultPlan, _ fleet: ChaosFleet, _ verdict: Verdict, tookS: Double) {
        let width = Fault.allCases.map(\.words.count).max() ?? 0
        for fault in Fault.allCases {
            let count = plan.counts[fault].map(String.init) ?? reasonForNone(fault, fleet)
            StandardStreams.print(fault.words + String(repeating: " ", count: width - fault.words.count + 2) + count)
        }
        let kills = plan.counts.filter(\.key.isKill).values.reduce(0, +)
        StandardStreams.print(
            "\(kills) kills, \(Int(tookS)) s, \(verdict.pictures) pictures, \(verdict.refused) rows refused by outboxes on full disks, seed \(fleet.settings.seed)"
        )
        for line
            in (verdict.lost.map { "lost: " + $0 } + verdict.duplicated.map { "duplicated: " + $0 }
            + verdict.left.map { "left: " + $0 })
            .prefix(40)
        { StandardStreams.print(line) }
        StandardStreams.print(verdict.line)
    }

    private static func reasonForNone(_ fault: Fault, _ fleet: ChaosFleet) -> String {
        switch fault {
        case .databaseKilled: "-"
        case .vehicleDiskFull, .storeDiskFull: SmallDisk.areAllowed ? "-" : "left out, needs root"
        default: "0"
        }
    }
}
