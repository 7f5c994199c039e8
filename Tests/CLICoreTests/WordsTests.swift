import FleetModel
import FleetStore
import Testing

@testable import CLICore

@Suite("Alerts in words")
struct WordsTests {
    private let words = AlertWords(speed: SpeedText(unit: .kilometresPerHour))

    @Test("An overspeed says speed, limit, source and length; once over, the highest speed first")
    func overspeed() {
        #expect(words.what(SampleStored.stored(SampleStored.overspeed())) == "63 km/h in 50 (default), max 66, 9.0 s")
        #expect(
            words.what(SampleStored.stored(SampleStored.overspeed(endsAfterS: 9))) == "max 66 km/h in 50 (default), mean 61, 9.0 s")
    }

    @Test("S1 a limit in another unit is shown in the reader's and as on its sign")
    func units() {
        let alert = SampleStored.stored(SampleStored.overspeed(Speed(30, .milesPerHour)))
        #expect(words.what(alert) == "63 km/h in 48 (default, 30 mph), max 66, 9.0 s")
        #expect(AlertWords(speed: SpeedText(unit: .milesPerHour)).what(alert) == "39 mph in 30 (default), max 41, 9.0 s")
    }

    @Test("S14 a limit of low confidence is called unconfirmed")
    func unconfirmed() {
        var alert = SampleStored.overspeed()
        alert.overspeed?.source = .map
        alert.overspeed?.confidence = 0.6
        alert.overspeed?.limitMinMps = 30 / 3.6
        #expect(words.what(SampleStored.stored(alert)) == "63 km/h in 30 to 50 (map), max 66, 9.0 s, unconfirmed")
    }

    @Test("Q20 a late alert, a replay and an interruption are said")
    func marks() {
        var alert = SampleStored.collision()
        #expect(words.what(SampleStored.stored(alert)) == "car ahead, TTC 1.6 s min, 14 m")
        alert.collision?.minTtcS = nil
        alert.collision?.distanceM = nil
        alert.origin = .replay
        alert.endReason = .interrupted
        #expect(words.what(SampleStored.stored(alert, late: true)) == "car ahead, interrupted, came late [replay]")
    }

    @Test("An alert whose details are missing, and an unknown speed, are shown all the same")
    func missing() {
        #expect(words.what(SampleStored.stored(SampleStored.alert(.headway, .caution))) == "no details")
        var alert = SampleStored.overspeed()
        alert.speedMps = nil
        #expect(words.what(SampleStored.stored(alert)).hasPrefix("? km/h in 50 (default)"))
    }

    @Test("G17 27.7778 m/s is 100.0 km/h and 62.1 mph, whole 100 and 62")
    func speeds() {
        #expect(SpeedText(unit: .kilometresPerHour).precise(27.7778) == "100.0 km/h")
        #expect(SpeedText(unit: .milesPerHour).precise(27.7778) == "62.1 mph")
        #expect(SpeedText(unit: .kilometresPerHour).whole(27.7778) == "100")
        #expect(SpeedText(unit: .milesPerHour).text(27.7778) == "62 mph")
        #expect(NumberText.decimal(Speed.value(ofMps: 27.7778, in: .milesPerHour), 3) == "62.137")
    }

    @Test("Numbers keep their places, signs and sizes")
    func numbers() {
        let table: [(Double, Int, String)] = [
            (0, 0, "0"), (1.25, 1, "1.3"), (-1.25, 1, "-1.3"), (0.04, 1, "0.0"), (-0.04, 1, "0.0"), (9.999, 2, "10.00"),
            (48.1, 5, "48.10000"),
            (1e300, 2, "1e+300"),
        ]
        for (value, places, text) in table { #expect(NumberText.decimal(value, places) == text) }
        #expect(NumberText.bytes(512) == "512 B")
        #expect(NumberText.bytes(1_572_864) == "1.5 MiB")
        #expect(NumberText.short(50) == "50" && NumberText.short(12.5) == "12.5")
    }

    @Test("Spans and ages are told in the unit that fits")
    func spans() {
        let table: [(Double, String)] = [
            (-5, "0.0 s"), (4.2, "4.2 s"), (9.96, "10 s"), (119, "119 s"), (120, "2 min"), (725, "12 min 5 s"),
            (11_520, "3 h 12 min"),
            (183_600, "2 d 3 h"),
        ]
        for (seconds, text) in table { #expect(TimeText.span(seconds) == text) }
        let now = SampleStored.at
        let time = TimeText(isUTC: true, now: now)
        let ages: [(Double, String)] = [
            (-60, "now"), (0, "now"), (12, "12 s ago"), (180, "3 min ago"), (7200, "2 h ago"), (432_000, "5 d ago"),
        ]
        for (seconds, text) in ages { #expect(time.ago(now.advanced(bySeconds: -seconds)) == text) }
    }

    @Test("T7 times are shown in UTC on request, before 1970 too")
    func times() {
        let time = TimeText(isUTC: true, now: .epoch)
        #expect(time.full(SampleStored.at) == "2026-03-01 08:15:02 UTC")
        #expect(time.clock(SampleStored.at) == "08:15:02.120")
        #expect(time.full(Timestamp("1969-12-31T23:59:58.5Z")!) == "1969-12-31 23:59:58 UTC")
        #expect(time.clock(Timestamp("1969-12-31T23:59:58.5Z")!) == "23:59:58.500")
        #expect(time.zone(of: []) == "UTC")
    }

    @Test("How long an alert lasted says whether it goes on")
    func lasted() {
        #expect(AlertWords.lasted(SampleStored.overspeed(endsAfterS: 9)) == "9.0 s")
        var alert = SampleStored.overspeed()
        #expect(AlertWords.lasted(alert) == "-")
        alert.at = alert.at.advanced(bySeconds: 30)
        #expect(AlertWords.lasted(alert) == ">30 s")
    }

    @Test("The report tells what happened, where, why, and how it went on")
    func report() {
        let first = SampleStored.stored(SampleStored.overspeed())
        var end = SampleStored.overspeed(endsAfterS: 12)
        end.revision = 2
        end.severity = .critical
        let lines = AlertReport(revisions: [first, SampleStored.stored(end, late: true)], view: SampleStored.view).lines
        let text = lines.joined(separator: "\n")
        #expect(lines[0] == "overspeed, critical: demo/truck-17 drove up to 65.9 km/h where 50 km/h applies")
        #expect(text.contains("when      2026-03-01 08:15:02 UTC, for 12 s: the condition no longer held"))
        #expect(text.contains("where     -33.856784, 151.215297 within 4 m, heading 87° (east)"))
        #expect(text.contains("limit     50 km/h from the configured default, confidence 0.97, tolerance 3.0 km/h"))
        #expect(text.contains("reached   max 65.9 km/h, mean 61.2 km/h, 158 m in 9.0 s"))
        #expect(text.contains("2.0 s after it happened (late)"))
        #expect(text.contains("    1  start  08:15:02.120  warning "))
        #expect(text.contains("    2  end    08:15:14.120  critical"))
        let collision = AlertReport(revisions: [SampleStored.stored(SampleStored.collision())], view: SampleStored.view).lines
        #expect(collision.contains("     -0.50 s    2.40 s  #####"))
        #expect(collision.contains { $0.contains("ttc       now 1.90 s, least 1.60 s") })
        #expect(AlertReport(revisions: [], view: SampleStored.view).lines.isEmpty)
    }

    @Test("A text from a vehicle cannot steer the terminal of whoever reads the report")
    func hostileText() {
        var alert = SampleStored.alert(.landmark, .info)
        alert.landmark = LandmarkDetails(name: "gate\u{1B}[2J\n", score: 0.9, box: Box(x: 0, y: 0, width: 1, height: 1))
        alert.model = "m\u{202E}"
        let stored = SampleStored.stored(alert)
        let text = AlertReport(revisions: [stored], view: SampleStored.view).lines.joined(separator: "\n")
        #expect(!text.unicodeScalars.contains { ($0.value < 0x20 && $0.value != 10) || $0.value == 0x202E })
        #expect(text.contains("gate?[2J?"))
    }

    @Test("Headings are told by the nearest of eight winds")
    func compass() {
        #expect(
            [0, 22, 23, 90, 225, 338, 360].map(AlertReport.compass) == [
                "north", "north", "north-east", "east", "south-west", "north", "north",
            ])
    }
}
