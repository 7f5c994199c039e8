import FleetModel
import FleetRuntime
import FleetStore
import FoundationEssentials

/// `fleet-cli review`: says what an alert was.
enum ReviewCommand {
    private static let states = ReviewState.allCases.map(\.rawValue)

    static let command = Command(
        "review", "say what an alert was: confirmed, a false alarm, coached",
        discussion: """
            ALERT_ID is an alert's id or its last 6 digits or more, as `alerts` lists them. The server keeps every review with the name of the
            token, and counts false alarms by vehicle and rule; it wants the role reviewer. `new` takes a judgement back.
            """,
        arguments: [
            ArgumentSpec("ALERT_ID", "the alert's id, or its end"), ArgumentSpec("STATE", states.joined(separator: ", ")),
        ],
        options: [
            .value("--note", "TEXT", "why, or what was agreed with the driver"),
            .value("--name", "NAME", "who says so, where the server asks nobody for a token"),
        ] + SourceOptions.serverSpecs
    ) { arguments in
        let state = try arguments.requiredArgument(1)
        guard states.contains(state) else {
            throw UserError(.usage, "\(state.shortened): a review is one of \(states.joined(separator: ", "))")
        }
        let note = arguments.value("--note") ?? ""
        guard note.count <= AlertReview.maximumNote else {
            throw UserError(.usage, "--note: at most \(AlertReview.maximumNote) characters")
        }
        let name = arguments.value("--name") ?? ""
        guard name.count <= AlertReview.maximumName else {
            throw UserError(.usage, "--name: at most \(AlertReview.maximumName) characters")
        }
        let source = try SourceOptions.server(arguments)
        let id = try await AlertLookup.identify(arguments.requiredArgument(0), source)
        try await source.review(id, state: state, note: note, name: name)
        StandardStreams.print("\(id): \(state)")
    }
}
