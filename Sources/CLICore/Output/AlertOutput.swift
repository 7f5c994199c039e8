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

    /// Columns of a terminal from which on there is room for dates.
    private static let wideFrom = 100

    /// How the beginning of an alert is told.
    private enum Beginning {
        case date, ago, clock
    }

    private let view: ViewOptions
    private let words: AlertWords
    private let beginning: Beginning
    private let table: TextTable

    /// `isFollowed`: lines stay while time goes on, so none of them says how long ago something was.
    init(_ alerts: [StoredAlert], _ view: ViewOptions, isFollowed: Bool = false) {
        self.view = view
        let words = AlertWords(speed: view.speed)
        self.words = words
        let isWide = (view.terminal.width ?? .max) >= Self.wideFrom || view.time.isUTC
        let beginning: Beginning = isWide ? .date : isFollowed ? .clock : .ago
        self.beginning = beginning
        let zone = view.time.zone(of: alerts.map(\.alert.startedAt))
        let title =
            switch beginning {
            case .date: "STARTED (\(zone))"
            case .clock: "AT (\(zone))"
            case .ago: "STARTED"
            }
        // How long ago beside the date: on a terminal that has room.
        let hasAge = beginning == .date && !isFollowed && view.terminal.width != nil
        table = TextTable(
            columns: [
                .init(title: "ID", dropRank: 1), .init(title: title, isNumber: beginning == .ago),
                .init(title: "AGO", isNumber: true, dropRank: 6, isHidden: !hasAge),
                .init(title: "LASTED", isNumber: true, dropRank: 2), .init(title: "PHASE", dropRank: 5),
                .init(title: "SEVERITY"), .init(title: "KIND", dropRank: 3), .init(title: "VEHICLE", isName: true),
                .init(title: "WHAT", isElastic: true),
            ],
            rows: alerts.map { Self.cells($0, view, words, beginning) }, terminal: view.terminal)
    }

    func begin(_ alerts: [StoredAlert], isFollowed: Bool) {
        if alerts.isEmpty && !isFollowed { return StandardStreams.printError("no alerts in this time") }
        StandardStreams.print(table.header)
        alerts.forEach(write)
    }

    func write(_ alert: StoredAlert) { StandardStreams.print(table.line(Self.cells(alert, view, words, beginning))) }

    private static func cells(
        _ stored: StoredAlert, _ view: ViewOptions, _ words: AlertWords, _ beginning: Beginning
    ) -> [TextTable.Cell] {
        let alert = stored.alert
        let ago = view.time.ago(alert.startedAt)
        let began =
            switch beginning {
            case .date: view.time.dateAndTime(alert.startedAt)
            case .clock: view.time.timeOfDay(alert.startedAt)
            case .ago: ago
            }
        return [
            .init(String(alert.id.description.suffix(shortIDLength)), .faint), .init(began), .init(ago, .faint),
            .init(AlertWords.lasted(alert)), .init(alert.phase.rawValue), .init(alert.severity.rawValue, alert.severity.style),
            .init(alert.kind.rawValue), .init(alert.identity.description), .init(words.what(stored)),
        ]
    }
}
