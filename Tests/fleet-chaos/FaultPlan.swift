import FleetRuntime

/// Which fault happens when, to which part, for how long: by the seed alone.
struct FaultPlan: Sendable {
    /// A fault begins, or is repaired.
    struct Step: Sendable {
        /// Seconds since the beginning.
        let atS: Double
        let fault: Fault
        /// Index of the part, where there are several of its kind.
        let victim: Int
        let begins: Bool
    }

    /// What there is to break.
    struct Targets: Sendable {
        var vehicles: Int
        var syncs: Int
        /// Vehicles, from the first on, whose disk can be filled.
        var smallDisks: Int
        var storeHasSmallDisk: Bool
        var hasDatabase: Bool

        /// How many parts `fault` can choose from.
        func count(_ fault: Fault) -> Int {
            switch fault {
            case .vehicleKilled: vehicles
            case .syncKilled, .syncFrozen: syncs
            case .databaseKilled: hasDatabase ? 1 : 0
            case .vehicleDiskFull: smallDisks
            case .storeDiskFull: storeHasSmallDisk ? 1 : 0
            case .brokerKilled, .brokerStateLost, .brokerFrozen, .vehiclesCutOff, .syncCutOff: 1
            }
        }
    }

    /// In the order of their time.
    let steps: [Step]
    /// When the last one is repaired.
    var lengthS: Double { steps.last?.atS ?? 0 }

    /// `kills` kills, `gapS` apart on average, and other faults in between.
    init(seed: UInt64, kills: Int, gapS: Double, targets: Targets) {
        var random = SeededGenerator(seed: seed, purpose: "faults")
        var faults = Self.kills(kills, targets, &random)
        for fault in Fault.allCases where targets.count(fault) > 0 {
            let number = fault.share * Double(kills)
            // At least one of each kind, so that a short run shows them all.
            if number > 0 { faults += Array(repeating: fault, count: max(1, Int(number.rounded()))) }
        }
        faults.shuffle(using: &random)
        let pauseS = gapS * Double(kills) / Double(max(1, faults.count))
        var nowS = 0.0
        var freeAtS: [Part: Double] = [:]
        var steps: [Step] = []
        for fault in faults {
            nowS += random.uniform(0...2 * pauseS)
            let victim = Int(random.next() % UInt64(targets.count(fault)))
            let part = Part(fault, victim)
            // What is down already cannot be killed: it is waited for.
            nowS = max(nowS, freeAtS[part, default: 0])
            let endS = nowS + random.uniform(fault.holdS)
            freeAtS[part] = endS + 0.01
            steps.append(Step(atS: nowS, fault: fault, victim: victim, begins: true))
            steps.append(Step(atS: endS, fault: fault, victim: victim, begins: false))
        }
        self.steps = steps.sorted { ($0.atS, $0.begins ? 1 : 0) < ($1.atS, $1.begins ? 1 : 0) }
    }

    /// How often each fault begins.
    var counts: [Fault: Int] { steps.filter(\.begins).reduce(into: [:]) { $0[$1.fault, default: 0] += 1 } }

    private static func kills(_ number: Int, _ targets: Targets, _ random: inout SeededGenerator) -> [Fault] {
        let possible = Fault.allCases.filter { $0.isKill && targets.count($0) > 0 }
        // One of each kind first.
        var chosen = Array(possible.prefix(number))
        let total = possible.map(\.killWeight).reduce(0, +)
        while chosen.count < number {
            var left = random.uniform(0...total)
            chosen.append(
                possible.first {
                    left -= $0.killWeight
                    return left <= 0
                } ?? .vehicleKilled)
        }
        return chosen
    }

    /// What a fault occupies: two faults on one part never overlap.
    private struct Part: Hashable {
        let name: String
        let victim: Int

        init(_ fault: Fault, _ victim: Int) {
            name =
                switch fault {
                case .vehicleKilled: "vehicle"
                case .syncKilled, .syncFrozen: "sync"
                case .brokerKilled, .brokerStateLost, .brokerFrozen: "broker"
                case .databaseKilled: "database"
                case .vehiclesCutOff: "vehicles' network"
                case .syncCutOff: "sync's network"
                case .vehicleDiskFull: "vehicle's disk"
                case .storeDiskFull: "store's disk"
                }
            self.victim = victim
        }
    }
}
