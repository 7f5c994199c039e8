import FleetRuntime

/// What `fleet-chaos matrix` is asked for.
struct ChaosSettings: Sendable {
    /// The engine below fleet-sync.
    enum Store: String, CaseIterable, Sendable { case sqlite, postgres }

    var seed: UInt64 = 1
    /// Outbox rows to be written by all vehicles together.
    var alerts = 10_000
    var kills = 100
    var store = Store.sqlite
    var vehicles = 10
    /// Mean seconds between kills.
    var gapS = 2.5
    /// How many times faster the vehicles' steady clock runs, for their resends.
    var hurry = 10.0
    /// Seconds that delivery has after the last fault.
    var drainS = 300.0
    /// Where the logs of all processes go; nil keeps none.
    var logFolder: String?

    static let options: [OptionSpec] = [
        .value("--seed", "N", "which faults, when, to whom (default 1)"),
        .value("--alerts", "N", "outbox rows to write, 1 to 1000000 (default 10000)"),
        .value("--kills", "N", "processes to kill, 0 to 10000 (default 100)"),
        .value("--store", "ENGINE", "sqlite or postgres (default sqlite)", choices: Store.allCases.map(\.rawValue)),
        .value("--vehicles", "N", "vehicles, 1 to 100 (default 10)"),
        .value("--gap", "S", "mean time between kills in s, 0.1 to 60 (default 2.5)"),
        .value("--hurry", "FACTOR", "how many times faster resends are due, 1 to 100 (default 10)"),
        .value("--drain", "S", "longest wait after the last fault, 1 to 3600 (default 300)"),
        .value("--logs", "FOLDER", "keep what the processes log"),
    ]

    /// The settings of a command line.
    init(_ arguments: ParsedArguments) throws {
        seed = UInt64(try arguments.integer("--seed", in: 0...Int.max) ?? 1)
        alerts = try arguments.integer("--alerts", in: 1...1_000_000) ?? alerts
        kills = try arguments.integer("--kills", in: 0...10_000) ?? kills
        store = arguments.value("--store").flatMap(Store.init) ?? store
        vehicles = try arguments.integer("--vehicles", in: 1...100) ?? vehicles
        gapS = try arguments.number("--gap", in: 0.1...60) ?? gapS
        hurry = try arguments.number("--hurry", in: 1...100) ?? hurry
        drainS = try arguments.number("--drain", in: 1...3600) ?? drainS
        logFolder = arguments.value("--logs")
    }
}
