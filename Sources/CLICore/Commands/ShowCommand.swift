import FleetModel
import FleetRuntime
import FleetStore
import FoundationEssentials

/// `fleet-cli show`: one alert in plain words.
enum ShowCommand {
    static let command = Command(
        "show", "tell what happened in one alert, with all its revisions",
        discussion: """
            ALERT_ID is an alert's id or its last 6 digits or more, as `alerts` lists them; an end is looked for among the newest 1000.
            Status 66: no such alert, or no picture of it; 65: the end fits several.
            """,
        arguments: [ArgumentSpec("ALERT_ID", "the alert's id, or its end")],
        options: [
            .value("--snapshot", "FILE.jpg", "save the alert's picture to FILE.jpg"),
            .flag("--json", "write JSON Lines: every revision, lowest first"),
        ] + ViewOptions.specs + SourceOptions.specs
    ) { arguments in
        let source = try SourceOptions.source(arguments)
        let id = try await AlertLookup.identify(arguments.requiredArgument(0), source)
        let revisions = try await source.history(of: id)
        guard let last = revisions.last else { throw UserError(.noInput, "no alert has the id \(id)") }
        if let file = arguments.value("--snapshot") { try await saveSnapshot(of: last.alert, from: source, to: file) }
        if arguments.has("--json") { return revisions.forEach(JSONLines.write) }
        let reviews = try await source.reviews(of: id)
        let report = AlertReport(revisions: revisions, reviews: reviews, view: ViewOptions(arguments))
        StandardStreams.print(report.lines.joined(separator: "\n"))
    }

    private static func saveSnapshot(of alert: Alert, from source: any FleetSource, to file: String) async throws {
        let picture = try await source.snapshot(of: alert.id)
        guard picture.starts(with: [0xFF, 0xD8, 0xFF]) else {
            throw UserError(.badData, "what the server sent is no JPEG; nothing is saved")
        }
        if let told = alert.snapshot, SHA256.hexadecimal(SHA256.digest(of: picture)) != told.sha256 {
            throw UserError(.badData, "the picture is not the one that the vehicle took (its SHA-256 differs); nothing is saved")
        }
        // It shows people: nobody but its owner reads it.
        do {
            try picture.write(to: URL(filePath: file))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        } catch {
            throw UserError(.ioError, "\(file): cannot be written; check the folder and the space on the disk")
        }
    }
}
