import FleetRuntime

/// What a simulated fleet does wrong on purpose: `--faults duplicate=0.01,reorder=0.05,drop=0.01,malformed=0.1`.
struct FaultMix: Sendable, Equatable {
    /// Share of alert messages that are published twice.
    var duplicate = 0.0
    /// Share of alert messages that are held back for up to `reorderS`, so that later ones overtake them.
    var reorder = 0.0
    /// Share of alert messages whose first publication is left out: only the resend brings them.
    var drop = 0.0
    /// Malformed messages for each alert message, 0...100.
    var malformed = 0.0

    /// Longest time that a reordered message is held back, in s: about as long as an episode goes on.
    static let reorderS = 3.0

    /// No faults.
    init() {}

    /// Reads `NAME=SHARE,...`; throws `UserError` of the kind `usage`.
    init(_ text: String) throws {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            guard sides.count == 2, let key = Self.keys[sides[0]] else {
                throw UserError(.usage, "--faults \(part): give NAME=SHARE with \(Self.keys.keys.sorted().joined(separator: ", "))")
            }
            let bound = sides[0] == "malformed" ? 100.0 : 1.0
            guard let share = Double(sides[1]), (0...bound).contains(share) else {
                throw UserError(.usage, "--faults \(part): must be a number from 0 to \(Int(bound))")
            }
            self[keyPath: key] = share
        }
    }

    private static var keys: [String: WritableKeyPath<FaultMix, Double>] {
        ["duplicate": \.duplicate, "reorder": \.reorder, "drop": \.drop, "malformed": \.malformed]
    }
}
