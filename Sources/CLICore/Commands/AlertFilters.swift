import FleetModel
import FleetRuntime
import FleetStore

/// The options that say which alerts are meant, the same for every command that lists some.
enum AlertFilters {
    private static let defaultSpan = "24h"

    static let specs: [OptionSpec] = [
        .value("--since", "SPAN", "that began since then (default \(defaultSpan))"),
        .value("--until", "SPAN", "that began before then"), .value("--fleet", "FLEET", "of one fleet"),
        .value("--vehicle", "VEHICLE", "of one vehicle; FLEET/VEHICLE names both"),
        .value("--kind", "KIND", "of one kind: \(words(AlertKind.self))", choices: AlertKind.allCases.map(\.rawValue)),
        .value("--severity", "SEV", "this or worse: \(words(Severity.self))", choices: Severity.allCases.map(\.rawValue)),
        .value("--review", "STATE", "reviewed as this: \(words(ReviewState.self))", choices: ReviewState.allCases.map(\.rawValue)),
    ]

    private static func words<T: RawRepresentable & CaseIterable>(_: T.Type) -> String where T.RawValue == String {
        T.allCases.map(\.rawValue).joined(separator: ", ")
    }

    static func query(_ arguments: ParsedArguments, _ view: ViewOptions) throws -> AlertQuery {
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
                throw UserError(.usage, "\(option) \(name.shortened): a name has 1 to 64 letters, digits, _ and -")
            }
        }
        query.kind = arguments.value("--kind").flatMap(AlertKind.init(rawValue:))
        query.severity = arguments.value("--severity").flatMap(Severity.init(rawValue:))
        query.review = arguments.value("--review").flatMap(ReviewState.init(rawValue:))
        return query
    }
}
