import FleetModel
import FleetRuntime
import FleetStore

/// `fleet-cli stats`: how many alerts, of whom, of what, when.
enum StatsCommand {
    static let command = Command(
        "stats", "count alerts by vehicle, kind or day",
        discussion: """
            Alerts count by their start; replays are left out. Days are those of UTC. FALSE are the false alarms of the alerts that somebody
            reviewed; PER 100 KM are alerts by the vehicle's odometer, from 10 km on. --json writes one object a line.
            """,
        options: [
            .value("--since", "SPAN", "that began since then: 24h, 7d, a day or a time (default 7d)"),
            .value("--by", "WHAT", "vehicle, kind or day (default vehicle)", choices: StatisticsGrouping.allCases.map(\.rawValue)),
            .flag("--json", "write JSON Lines"),
        ] + ViewOptions.specs + SourceOptions.specs
    ) { arguments in
        let view = ViewOptions(arguments)
        let moment = MomentArgument(now: view.time.now, isUTC: view.time.isUTC)
        let since = try moment.moment("--since", arguments.value("--since") ?? "7d")
        let grouping = arguments.value("--by").flatMap(StatisticsGrouping.init(rawValue:)) ?? .vehicle
        let list = try await SourceOptions.source(arguments).statistics(since: since, by: grouping)
        if arguments.has("--json") { return list.rows.forEach(JSONLines.write) }
        guard !list.rows.isEmpty else { return StandardStreams.printError("no alerts since \(view.time.full(since))") }
        StandardStreams.print(lines(list, view).joined(separator: "\n"))
    }

    /// Below this, alerts by distance say nothing; as in the fleet view.
    private static let leastDistanceM = 10_000.0

    static func lines(_ list: StatisticsList, _ view: ViewOptions) -> [String] {
        let total = list.rows.reduce(into: StatisticsRow(group: "total", alerts: 0, info: 0, caution: 0, warning: 0, critical: 0)) {
            $0.alerts = sum($0.alerts, $1.alerts)
            $0.info = sum($0.info, $1.info)
            $0.caution = sum($0.caution, $1.caution)
            $0.warning = sum($0.warning, $1.warning)
            $0.critical = sum($0.critical, $1.critical)
            $0.confirmed = sum($0.confirmed, $1.confirmed)
            $0.falseAlarm = sum($0.falseAlarm, $1.falseAlarm)
            $0.coached = sum($0.coached, $1.coached)
            // Every kind of alert was driven for as far as all vehicles went.
            guard let distanceM = $1.distanceM else { return }
            $0.distanceM = list.by == .kind ? distanceM : ($0.distanceM ?? 0) + distanceM
        }
        let rows = (list.rows + (list.rows.count > 1 ? [total] : [])).map { cells($0, view.speed.unit) }
        let title = list.by == .day ? "DAY (UTC)" : list.by.rawValue.uppercased()
        let table = TextTable(
            columns: [.init(title: title, isName: true)]
                + ["ALERTS", "CRITICAL", "WARNING", "CAUTION", "INFO"].map { .init(title: $0, isNumber: true) }
                + [
                    .init(title: "FALSE", isNumber: true, dropRank: 1), .init(title: "DRIVEN", isNumber: true, dropRank: 2),
                    .init(title: "PER 100 \(view.speed.unit.way.name.uppercased())", isNumber: true, dropRank: 3),
                ],
            rows: rows, terminal: view.terminal)
        return [table.header] + rows.map(table.line) + ["since \(view.time.full(list.since))"]
    }

    /// The sum, at most what fits: the numbers are a server's.
    private static func sum(_ a: Int, _ b: Int) -> Int {
        let (sum, overflows) = a.addingReportingOverflow(b)
        return overflows ? (a > 0 ? .max : .min) : sum
    }

    private static func cells(_ row: StatisticsRow, _ unit: SpeedUnit) -> [TextTable.Cell] {
        let judged = sum(sum(row.confirmed, row.coached), row.falseAlarm)
        let way = row.distanceM.map { $0 / unit.way.metres }
        let isFarEnough = (row.distanceM ?? 0) >= leastDistanceM
        return [
            .init(row.group), .init(String(row.alerts), .heading),
            .init(String(row.critical), row.critical > 0 ? Severity.critical.style : .plain), .init(String(row.warning)),
            .init(String(row.caution)), .init(String(row.info)),
            .init(judged > 0 ? "\(row.falseAlarm) of \(judged)" : "-", row.falseAlarm > 0 ? .notice : .plain),
            .init(way.map { NumberText.decimal($0, $0 < 10 ? 1 : 0) + " " + unit.way.name } ?? "-"),
            .init(way.flatMap { isFarEnough ? NumberText.decimal(Double(row.alerts) / $0 * 100, 1) : nil } ?? "-"),
        ]
    }
}

extension SpeedUnit {
    /// What ways are told in where speeds are told in this unit.
    fileprivate var way: (name: String, metres: Double) {
        self == .milesPerHour ? ("mi", 1609.344) : ("km", 1000)
    }
}
