import FleetModel
import FleetRuntime
import FleetStore
import FoundationEssentials

/// `fleet-cli alerts`: the list, once or for as long as it is watched.
enum AlertsCommand {
    private static let defaultLimit = 100

    static let command = Command(
        "alerts", "list alerts, one line each, the newest last",
        discussion: """
            SPAN is a span such as 30min, 24h or 7d, a day (2026-03-01) or a time (2026-03-01T08:15:02Z). An alert counts by its start.
            --severity lists alerts of that severity and worse. --follow goes on with every change until it is stopped (Ctrl-C) and
            survives restarts of the server. The ID of the table is the end of the alert's id; `show` takes it.
            Machines read --json: one JSON object a line, nothing else on standard output.
            """,
        options: AlertFilters.specs + [
            .value("--limit", "N", "at most the N that changed last (default \(defaultLimit))"),
            .flag("--json", "write JSON Lines"), .flag("--csv", "write comma-separated values"),
            .flag("--follow", "go on with new and changed alerts"),
        ] + ViewOptions.specs + SourceOptions.specs
    ) { arguments in
        let view = ViewOptions(arguments)
        guard !(arguments.has("--json") && arguments.has("--csv")) else {
            throw UserError(.usage, "--json and --csv exclude each other")
        }
        guard !(arguments.has("--follow") && arguments.has("--until")) else {
            throw UserError(.usage, "--follow has no end; leave --until out")
        }
        let query = try AlertFilters.query(arguments, view)
        let count = try arguments.integer("--limit", in: 1...1_000_000) ?? defaultLimit
        let source = try SourceOptions.source(arguments)
        let list = try await source.alerts(query, count: count)
        let alerts = list.alerts.sorted { ($0.alert.startedAt, $0.cursor) < ($1.alert.startedAt, $1.cursor) }
        let output = output(arguments, view, alerts)
        output.begin(alerts, isFollowed: arguments.has("--follow"))
        if list.areThereMore {
            let shown = count == 1 ? "only the one that changed last is shown" : "only the \(count) that changed last are shown"
            StandardStreams.printError("fleet-cli: \(shown); --limit N shows more")
        }
        guard arguments.has("--follow") else { return }
        for try await alert in source.changes(after: list.cursor, query) { output.write(alert) }
    }

    private static func output(_ arguments: ParsedArguments, _ view: ViewOptions, _ alerts: [StoredAlert]) -> any AlertOutput {
        if arguments.has("--json") { return AlertJSONOutput() }
        if arguments.has("--csv") { return AlertCSVOutput() }
        return AlertTableOutput(alerts, view, isFollowed: arguments.has("--follow"))
    }
}
