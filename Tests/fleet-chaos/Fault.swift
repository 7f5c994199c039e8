/// One way in which a part of the fleet dies, or its surroundings fail.
enum Fault: Hashable, Sendable, CaseIterable {
    case vehicleKilled, syncKilled, brokerKilled, brokerStateLost, databaseKilled
    case vehiclesCutOff, syncCutOff, brokerFrozen, syncFrozen, vehicleDiskFull, storeDiskFull

    /// How it stands in the table.
    var words: String {
        switch self {
        case .vehicleKilled: "vehicle killed (-9)"
        case .syncKilled: "fleet-sync killed (-9)"
        case .brokerKilled: "broker killed (-9)"
        case .brokerStateLost: "broker killed (-9), its state deleted"
        case .databaseKilled: "PostgreSQL killed (-9)"
        case .vehiclesCutOff: "network of all vehicles cut"
        case .syncCutOff: "network of fleet-sync cut"
        case .brokerFrozen: "broker stands still"
        case .syncFrozen: "fleet-sync stands still"
        case .vehicleDiskFull: "disk of a vehicle full"
        case .storeDiskFull: "disk of the store full"
        }
    }

    /// Whether a process is killed: these are what `--kills` counts.
    var isKill: Bool { killWeight > 0 }

    /// How often it is chosen among the kills.
    var killWeight: Double {
        switch self {
        case .vehicleKilled: 4
        case .syncKilled: 3
        case .brokerKilled, .databaseKilled: 1.5
        case .brokerStateLost: 1
        default: 0
        }
    }

    /// How many there are for each kill.
    var share: Double {
        switch self {
        case .vehiclesCutOff: 0.15
        case .syncCutOff: 0.1
        case .brokerFrozen, .syncFrozen, .vehicleDiskFull: 0.05
        case .storeDiskFull: 0.04
        default: 0
        }
    }

    /// Shortest and longest time until it is repaired, in s.
    var holdS: ClosedRange<Double> {
        switch self {
        case .vehicleKilled, .syncKilled: 0...1.5
        case .brokerKilled, .brokerStateLost, .databaseKilled: 0...1
        case .vehiclesCutOff, .syncCutOff: 0...3
        case .brokerFrozen: 0.5...3
        // Longer than an instance may hold what the other one waits for.
        case .syncFrozen: 0.5...14
        case .vehicleDiskFull, .storeDiskFull: 1...4
        }
    }
}
