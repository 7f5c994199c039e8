import FleetModel
import FleetRuntime
import FleetStore
import FoundationEssentials

/// `fleet-cli alerts`: the list, once or for as long as it is watched.
enum AlertsCommand {
    private static let defaultLimit = 100
    private static let defaultSpan = "24h"

    static let command = Command(
        "alerts", "list alerts, one line each, the newest last",
        discussion: """
            SPAN is a span such as 30min, 24h or 7d, a day (2026-03-01) or a time (2026-03-01T08:15:02Z). An alert counts by its start.
            --severity lists alerts of that severity and worse. --follow goes on with every change until it is stopped (Ctrl-C) and
            survives restarts of the server. The ID of the table is the end of the alert's id; `show` takes it.
            Machines read --json: one JSON object a line, nothing else on standard output.
            """,
        options: [
            .value("--since", "SPAN", "that began since then (default \(defaultSpan))"),
            .value("--until", "SPAN", "that began before then"), .value("--fleet", "FLEET", "of one fleet"),
            .value("--vehicle", "VEHICLE", "of one vehicle; FLEET/VEHICLE names both"),
            .value("--kind", "KIND", "of one kind: \(words(AlertKind.self))", choices: AlertKind.allCases.map(\.rawValue)),
            .value("--severity", "SEV", "this or worse: \(words(Severity.self))", choices: Severity.allCases.map(\.rawValue)),
            .value("--limit", "N", "at most the N newest (default \(defaultLimit))"),
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
        let query = try query(arguments, view)
        let count = try arguments.integer("--limit", in: 1...1_000_000) ?? defaultLimit
        let source = try SourceOptions.source(arguments)
        let list = try await source.alerts(query, count: count)
        let alerts = list.alerts.sorted { ($0.alert.startedAt, $0.cursor) < ($1.alert.startedAt, $1.cursor) }
        let output = output(arguments, view, alerts)
        output.begin(alerts, isFollowed: arguments.has("--follow"))
        if list.areThereMore {
            StandardStreams.printError("fleet-cli: only the \(count) newest are shown; --limit N shows more")
        }
        guard arguments.has("--follow") else { return }
        for try await alert in source.changes(after: list.cursor, query) { output.write(alert) }
    }

    private static func words<T: RawRepresentable & CaseIterable>(_: T.Type) -> String where T.RawValue == String {
        T.allCases.map(\.rawValue).joined(separator: ", ")
    }

    private static func query(_ arguments: ParsedArguments, _ view: ViewOptions) throws -> AlertQuery {
        let moment = MomentArgument(now: view.time.now, isUTC: view.time.isUTC)
        var query = AlertQuery()
        query.since = try moment.moment("--since", arguments.value("--since") ?? defaultSpan)
        query.until = try arguments.value("--until").map { try moment.moment("--until", $0) }
        if let since = query.since, let until = query.until, until <= since {
            throw UserError(.usage, "--until \(until) is not after --since \(since)")
        }
        query.fleet = arguments.value("--fleet")
        query.vehicle = arguments.value("--vehicle")
        if let parts = query.vehicle?.split(separator: "/", omittingEmptySubsequences: false), parts.count == 2 {
            query.fleet = String(parts[0])
            query.vehicle = String(parts[1])
        }
        for (option, name) in [("--fleet", query.fleet), ("--vehicle", query.vehicle)] {
            if let name, !VehicleIdentity.isValid(name) {
                throw UserError(.usage, "\(option) \(name): a name has 1 to 64 letters, digits, _ and -")
            }
        }
        query.kind = arguments.value("--kind").flatMap(AlertKind.init(rawValue:))
        query.severity = arguments.value("--severity").flatMap(Severity.init(rawValue:))
        return query
    }

    private static func output(_ arguments: ParsedArguments, _ view: ViewOptions, _ alerts: [StoredAlert]) -> any AlertOutput {
        if arguments.has("--json") { return AlertJSONOutput() }
        if arguments.has("--csv") { return AlertCSVOutput() }
        return AlertTableOutput(alerts, view)
    }
}
