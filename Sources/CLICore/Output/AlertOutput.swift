import FleetModel
import FleetRuntime
import FleetStore
import FoundationEssentials

/// How a list of alerts is written.
protocol AlertOutput: Sendable {
    /// Writes what stands before the list and the list.
    func begin(_ alerts: [StoredAlert], isFollowed: Bool)
    /// Writes one alert.
    func write(_ alert: StoredAlert)
}

/// One JSON object a line, as the server's API gives them.
struct AlertJSONOutput: AlertOutput {
    func begin(_ alerts: [StoredAlert], isFollowed: Bool) { alerts.forEach(write) }

    func write(_ alert: StoredAlert) { JSONLines.write(alert) }
}

/// JSON Lines on standard output.
enum JSONLines {
    static func write(_ value: some Encodable) {
        guard let data = try? WireCodec.encode(value) else {
            return Log("cli").warning("a row could not be written as JSON and is left out")
        }
        StandardStreams.print(String(decoding: data, as: UTF8.self))
    }
}

/// Comma-separated values with a line of titles; SI units, UTC.
struct AlertCSVOutput: AlertOutput {
    func begin(_ alerts: [StoredAlert], isFollowed: Bool) {
        StandardStreams.print(AlertFile.csv.head)
        alerts.forEach(write)
    }

    func write(_ alert: StoredAlert) {
        guard let line = AlertFile.csv.line(alert) else { return }
        StandardStreams.print(line)
    }
}

/// A table for people.
struct AlertTableOutput: AlertOutput {
    /// Digits of the id's end in the table.
    static let shortIDLength = 8

    private let view: ViewOptions
    private let words: AlertWords
    private let table: TextTable

    init(_ alerts: [StoredAlert], _ view: ViewOptions) {
        self.view = view
        let words = AlertWords(speed: view.speed)
        self.words = words
        table = TextTable(
            columns: [
                .init(title: "ID", dropRank: 1), .init(title: "STARTED (\(view.time.zone(of: alerts.map(\.alert.startedAt))))"),
                .init(title: "LASTED", isNumber: true), .init(title: "PHASE", dropRank: 3), .init(title: "SEVERITY"),
                .init(title: "KIND", dropRank: 2), .init(title: "VEHICLE"), .init(title: "WHAT", isElastic: true),
            ],
            rows: alerts.map { Self.cells($0, view, words) }, terminal: view.terminal)
    }

    func begin(_ alerts: [StoredAlert], isFollowed: Bool) {
        if alerts.isEmpty && !isFollowed { return StandardStreams.printError("no alerts in this time") }
        StandardStreams.print(table.header)
        alerts.forEach(write)
    }

    func write(_ alert: StoredAlert) { StandardStreams.print(table.line(Self.cells(alert, view, words))) }

    private static func cells(_ stored: StoredAlert, _ view: ViewOptions, _ words: AlertWords) -> [TextTable.Cell] {
        let alert = stored.alert
        return [
            .init(String(alert.id.description.suffix(shortIDLength)), .faint), .init(view.time.dateAndTime(alert.startedAt)),
            .init(AlertWords.lasted(alert)), .init(alert.phase.rawValue), .init(alert.severity.rawValue, alert.severity.style),
            .init(alert.kind.rawValue), .init(alert.identity.description), .init(words.what(stored)),
        ]
    }
}
