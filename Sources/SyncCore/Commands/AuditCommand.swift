import FleetRuntime
import FleetStore

/// `fleet-sync audit`: who did what with the data.
enum AuditCommand {
    private static let defaultLimit = 100

    static let command = Command(
        "audit", "list who reviewed, exported and erased, the newest last",
        options: [
            SyncProgram.configurationOption, .value("--limit", "N", "at most the N newest (default \(defaultLimit))"),
            .flag("--json", "write JSON Lines"),
        ]
    ) { arguments in
        let limit = try arguments.integer("--limit", in: 1...100_000) ?? defaultLimit
        let store = try SyncProgram.configuration(arguments).store.open(isSole: false)
        let entries = try await store.auditEntries(before: nil, limit: limit).entries.reversed()
        for entry in entries {
            StandardStreams.print(arguments.has("--json") ? try JSONText.line(entry) : line(entry))
        }
        if entries.isEmpty { StandardStreams.printError("nothing was reviewed, exported or erased yet") }
    }

    private static func line(_ entry: AuditEntry) -> String {
        [entry.at.description, "\(entry.name) (\(entry.role))", entry.client, entry.action, entry.detail]
            .map(\.printable).joined(separator: "  ")
    }
}
