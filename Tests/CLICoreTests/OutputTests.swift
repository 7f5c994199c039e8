import FleetModel
import FleetRuntime
import FleetStore
import Foundation
import Testing

@testable import CLICore

@Suite("Tables and CSV")
struct OutputTests {
    private func table(_ width: Int?, _ rows: [[String]], colour: Bool = false) -> [String] {
        let cells = rows.map { row in row.enumerated().map { TextTable.Cell($1, $0 == 0 ? .alarm : .plain) } }
        let table = TextTable(
            columns: [
                .init(title: "A"), .init(title: "N", isNumber: true), .init(title: "OPTIONAL", dropRank: 1),
                .init(title: "WHAT", isElastic: true),
            ], rows: cells, terminal: Terminal(width: width, hasColour: colour))
        return [table.header] + cells.map(table.line)
    }

    private let rows = [["one", "5", "x", "a text that is rather long for a narrow terminal"], ["eleven", "12", "y", "short"]]

    @Test("Columns are aligned, numbers to the right, and nothing is cut in a pipe")
    func aligned() {
        #expect(
            table(nil, rows) == [
                "A        N  OPTIONAL  WHAT", "one      5  x         a text that is rather long for a narrow terminal",
                "eleven  12  y         short",
            ])
    }

    @Test("On a narrow terminal the long text is cut first, then columns are left out", arguments: [70, 60, 45, 40, 34, 22])
    func narrow(width: Int) {
        let lines = table(width, rows)
        #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
        #expect(lines[0].contains("OPTIONAL") == (width >= 42))
        #expect(lines[1].hasSuffix("…") == (width < 69))
    }

    @Test("An extra column goes before the long text gets tight, and a long name loses its middle", arguments: [120, 90, 60, 40])
    func extras(width: Int) {
        let name = "demo/van-with-a-rather-long-name-that-somebody-gave-it-0001"
        let cells = [[TextTable.Cell(name), .init("extra"), .init(String(repeating: "w", count: 60))]]
        let table = TextTable(
            columns: [
                .init(title: "NAME", isName: true), .init(title: "EXTRA", dropRank: 3), .init(title: "WHAT", isElastic: true),
            ],
            rows: cells, terminal: Terminal(width: width, hasColour: false))
        let line = table.line(cells[0])
        #expect(line.count <= width)
        #expect(line.hasPrefix("demo/") && line.contains("…") && line.contains("0001 "))
        #expect(line.contains("extra") == (width >= 90))
    }

    @Test("Colour surrounds the text and does not count as width")
    func colour() {
        let lines = table(nil, rows, colour: true)
        #expect(lines[1].hasPrefix("\u{1B}[31mone\u{1B}[0m      5  x"))
        #expect(lines[2].hasPrefix("\u{1B}[31meleven\u{1B}[0m  12  y"))
    }

    @Test("Control characters never reach the table")
    func controls() { #expect(table(nil, [["a\u{1B}[2Jb", "1\n2", "x", "y\u{202E}"]])[1] == "a?[2Jb  1?2  x         y?") }

    @Test("A row that came later and is wider than the first ones is fitted in")
    func laterRows() {
        let table = TextTable(
            columns: [.init(title: "A"), .init(title: "WHAT", isElastic: true)], rows: [[.init("a"), .init("short")]],
            terminal: Terminal(width: 80, hasColour: false))
        #expect(table.line([.init("abc"), .init("a long text")]) == "abc  a lo…")
    }

    @Test("CSV quotes what needs it and defuses what a spreadsheet would run")
    func csv() {
        let cells: [CSVLine.Cell] = [
            .text("plain"), .text("a,b"), .text("say \"hi\""), .text("=1+1"), .text("+1"), .text("-1"), .text("@SUM(A1)"),
            .text(" =1"),
            .text("\t=1"), .text("a\nb"), .text(nil), .number(-33.5), .number(50), .number(nil), .integer(-7), .integer(nil),
        ]
        #expect(
            CSVLine.line(cells) == #"plain,"a,b","say ""hi""",'=1+1,'+1,'-1,'@SUM(A1),' =1,?=1,a?b,,-33.5,50,,-7,"#)
    }

    @Test("A CSV row has as many cells as there are titles")
    func csvRow() {
        for alert in [SampleStored.overspeed(endsAfterS: 9), SampleStored.collision()] {
            let line = AlertFile.csv.line(SampleStored.stored(alert)) ?? ""
            #expect(
                line.split(separator: ",", omittingEmptySubsequences: false).count == AlertFile.csv.head.split(separator: ",").count
            )
        }
        let line = AlertFile.csv.line(SampleStored.stored(SampleStored.overspeed(endsAfterS: 9))) ?? ""
        #expect(
            line == "0197a3c2-5f7e-7c31-9a4d-2b6e8f013c55,1,end,overspeed,warning,demo,truck-17,live,2026-03-01T08:15:02.120Z,"
                + "2026-03-01T08:15:11.120Z,9,cleared,-33.8567844,151.2152967,87,17.5,50,km/h,13.88888888888889,default,0.97,18.3,158,,,,,,"
                + "2026-03-01T08:15:13.120Z,false,7,new")
    }

    @Test("Moments are spans, days or times")
    func moments() throws {
        let now = Timestamp("2026-03-02T12:00:00Z")!
        let reader = MomentArgument(now: now, isUTC: true)
        let table = [
            ("24h", "2026-03-01T12:00:00.000Z"), ("7d", "2026-02-23T12:00:00.000Z"), ("30min", "2026-03-02T11:30:00.000Z"),
            ("2026-03-01", "2026-03-01T00:00:00.000Z"), ("2026-03-01T08:15:02+01:00", "2026-03-01T07:15:02.000Z"),
        ]
        for (text, expected) in table { #expect(try reader.moment("--since", text).description == expected) }
        for bad in ["yesterday", "24", "-1h", "2026-02-30", "", "1 fortnight"] {
            #expect(throws: UserError.self, "\(bad)") { try reader.moment("--since", bad) }
        }
    }

    @Test("Vehicles say whether they are there and what does not work")
    func vehicles() {
        let now = SampleStored.at
        var heartbeat = Heartbeat(
            identity: SampleStored.identity, boot: "b", seq: 1, at: now, intervalS: 10, queue: .init(alerts: 7, bytes: 40_960),
            uptimeS: 5,
            software: "1.0.0")
        heartbeat.degraded = [Degradation(code: .gpsStale, since: now), Degradation(code: .cameraFrozen, since: now)]
        heartbeat.speedMps = 50 / 3.6
        func view(_ status: VehicleStatus?, seenS: Double) -> VehicleView {
            VehicleView(
                VehicleRecord(
                    identity: SampleStored.identity, status: status, heartbeat: heartbeat,
                    heartbeatReceivedAt: now.advanced(bySeconds: -seenS),
                    lastSeenAt: now.advanced(bySeconds: -seenS), missing: [.init(fromSeq: 5, toSeq: 9)], droppedByVehicle: 0),
                at: now)
        }
        func status(_ state: VehicleStatus.State, _ reason: VehicleStatus.Reason?) -> VehicleStatus {
            VehicleStatus(
                identity: SampleStored.identity, state: state, reason: reason, boot: "b", session: 1,
                connectedAt: now.advanced(bySeconds: -900))
        }
        let list = VehicleList(
            vehicles: [
                view(status(.online, nil), seenS: 5), view(status(.online, nil), seenS: 300),
                view(status(.offline, .lost), seenS: 5),
            ], at: now)
        let lines = VehiclesCommand.lines(list, SampleStored.view)
        #expect(lines[0].hasPrefix("VEHICLE        STATE"))
        #expect(lines[1].hasPrefix("demo/truck-17  online            5 s ago  50 km/h"))
        #expect(lines[1].hasSuffix("7, 40.0 KiB       -        5        -  gps_stale, camera_frozen"))
        #expect(lines[2].hasPrefix("demo/truck-17  stale           5 min ago"))
        #expect(lines[3].hasPrefix("demo/truck-17  offline (lost)"))
    }

    @Test("Statistics end with a total where there is more than one row")
    func statistics() {
        let row = StatisticsRow(
            group: "demo/truck-17", alerts: 10, info: 1, caution: 2, warning: 3, critical: 4, confirmed: 2, falseAlarm: 1,
            coached: 1,
            distanceM: 80_000)
        let one = StatsCommand.lines(StatisticsList(since: SampleStored.at, by: .vehicle, rows: [row]), SampleStored.view)
        #expect(
            one == [
                "VEHICLE        ALERTS  CRITICAL  WARNING  CAUTION  INFO   FALSE  DRIVEN  PER 100 KM",
                "demo/truck-17      10         4        3        2     1  1 of 4   80 km        12.5",
                "since 2026-03-01 08:15:02 UTC",
            ])
        let two = StatsCommand.lines(StatisticsList(since: SampleStored.at, by: .day, rows: [row, row]), SampleStored.view)
        #expect(two[0].hasPrefix("DAY (UTC)"))
        #expect(two[3] == "total              20         8        6        4     2  2 of 8  160 km        12.5")
        let kinds = StatsCommand.lines(StatisticsList(since: SampleStored.at, by: .kind, rows: [row, row]), SampleStored.view)
        #expect(kinds[3].hasSuffix("80 km        25.0"))
    }
}
