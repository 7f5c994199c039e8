import FleetModel
import FleetTestSupport
import Foundation
import Testing

@testable import RoadMap

@Suite struct MaxspeedTests {
    static func kmh(_ value: Double) -> StatedLimit { .speed(Speed(value, .kilometresPerHour)) }
    static func mph(_ value: Double) -> StatedLimit { .speed(Speed(value, .milesPerHour)) }

    static let plain: [(String, StatedLimit)] = [
        ("50", kmh(50)), ("7", kmh(7)), ("5", kmh(5)), ("130", kmh(130)), ("50 km/h", kmh(50)), ("50km/h", kmh(50)),
        ("50 kmh", kmh(50)), (" 50 ", kmh(50)), ("7.5", kmh(7.5)), ("20 mph", mph(20)), ("20mph", mph(20)), ("60 MPH", mph(60)),
        ("5 knots", .speed(Speed(5, .knots))), ("5 kn", .speed(Speed(5, .knots))), ("none", .unlimited), ("None", .unlimited),
        ("walk", kmh(7)), ("signals", .unknown(.variable)), ("variable", .unknown(.variable)), ("unposted", .unknown(.untagged)),
        ("implicit", .unknown(.untagged)), ("sign", .unknown(.numberMissing)), ("DE:sign", .unknown(.numberMissing)),
        ("50;30", .unknown(.severalValues("50;30"))), ("80; 50", .unknown(.severalValues("80; 50"))),
        ("90;30;90;30;90;30", .unknown(.severalValues("90;30;90;30;90;30"))), ("50;50", kmh(50)),
        ("", .unknown(.untagged)), ("fast", .unknown(.notUnderstood("fast"))), ("-50", .unknown(.notUnderstood("-50"))),
        ("0", .unknown(.notUnderstood("0"))), ("999", .unknown(.notUnderstood("999"))),
        ("50 mp", .unknown(.notUnderstood("50 mp"))),
        ("1e3", .unknown(.notUnderstood("1e3"))), ("nan", .unknown(.notUnderstood("nan"))), ("٥٠", .unknown(.notUnderstood("٥٠"))),
    ]

    @Test(
        "S1 a limit is read with its unit, km/h without one; what cannot be known is unknown with its reason", arguments: plain)
    func spellings(text: String, expected: StatedLimit) { #expect(MaxspeedValue.parse(text) == expected) }

    static let countries: [(String, StatedLimit)] = [
        ("DE:urban", kmh(50)), ("DE:rural", kmh(100)), ("DE:motorway", .unlimited), ("DE:living_street", kmh(7)),
        ("DE:zone:30", kmh(30)), ("DE:zone30", kmh(30)), ("DE:30", kmh(30)), ("DE:bicycle_road", kmh(30)), ("de:urban", kmh(50)),
        ("RU:urban", kmh(60)), ("RU:rural", kmh(90)), ("RO:urban", kmh(50)), ("AT:urban", kmh(50)), ("AT:rural", kmh(100)),
        ("AT:motorway", kmh(130)), ("AT:zone40", kmh(40)), ("AT:zone:40", kmh(40)), ("CH:motorway", kmh(120)),
        ("CH:rural", kmh(80)), ("BE-VLG:urban", kmh(50)), ("BE-VLG:rural", kmh(70)), ("BE:zone50", kmh(50)),
        ("BE:rural", .unknown(.noTable("BE:rural"))), ("FR:urban", kmh(50)), ("FR:zone30", kmh(30)), ("FR:rural", kmh(80)),
        ("IT:urban", kmh(50)), ("LT:urban", kmh(50)), ("GB:nsl_single", mph(60)), ("UK:nsl_single", mph(60)),
        ("GB:nsl_dual", mph(70)), ("GB:nsl_restricted", mph(30)), ("GB:zone20", mph(20)), ("GB-WLS:nsl_restricted", mph(20)),
        ("GB-ENG:motorway", mph(70)), ("zone30", kmh(30)), ("zone50", kmh(50)), ("XX:urban", .unknown(.noTable("XX:urban"))),
        ("US:rural", .unknown(.noTable("US:rural"))), ("DE:nonsense", .unknown(.notUnderstood("DE:nonsense"))),
        ("a:b", .unknown(.notUnderstood("a:b"))), (":", .unknown(.notUnderstood(":"))),
    ]

    @Test("S3 the implicit values of countries stand for the numbers of their law", arguments: countries)
    func implicit(text: String, expected: StatedLimit) { #expect(MaxspeedValue.parse(text) == expected) }

    @Test("A value of any length and any bytes is read without harm")
    func nonsense() {
        for text in [
            String(repeating: "5", count: 100_000), String(repeating: "50;", count: 50_000), "\u{0}", "50\u{0}", "💨", "|||||",
        ] {
            guard case .unknown = MaxspeedValue.parse(text) else {
                Issue.record("\(text.prefix(20)) was read")
                continue
            }
        }
    }
}

@Suite(.enabled(if: SharedData.isPresent, "needs ../shared"))
struct MaxspeedSpellingsTests {
    /// What each spelling of the list stands for: a number, `none`, or `?` and a word of the reason. Free texts (a law's name) say nothing.
    private static let expected: [String: String] = [
        "maxspeed=none": "unlimited", "maxspeed=unposted": "? no speed tag", "maxspeed=80; 50": "? several",
        "maxspeed:type=DE:sign": "? signposted", "source:maxspeed=signals": "? variable",
        "source:maxspeed:backward=sign": "? signposted", "zone:traffic=BE:rural": "? no number",
        "maxspeed:type=IT:urban": "50 km/h",
        "source:maxspeed=The City of Westminster (Speed Limit) (No. 1) Experimental Traffic Order 2017": "? no speed tag",
        "source:maxspeed=The Wandsworth (20mph Speed Limit) (No. 1) Experimental Order 2020": "? no speed tag",
        "maxspeed:type=GB:zone20": "20 mph", "maxspeed:type=UK:nsl_single": "60 mph", "maxspeed:lanes=120|120|60": "120 km/h",
        "maxspeed:conditional=30 @ (06:00-18:00)": "? no speed tag", "maxspeed:conditional=30 @ (22:00-06:00)": "? no speed tag",
        "maxspeed:conditional=30 @ (Mo-Fr 07:00-16:30)": "? no speed tag", "maxspeed:conditional=30 @ wet": "? no speed tag",
        "maxspeed:bicycle=walk": "? no speed tag", "maxspeed:practical=10": "? no speed tag",
        "source:maxspeed=AT:rural": "100 km/h",
        "source:maxspeed=DE:rural": "100 km/h", "zone:traffic=BE-VLG:rural": "70 km/h", "source:maxspeed=CH:motorway": "120 km/h",
        "source:maxspeed=DE:zone:30": "30 km/h", "source:maxspeed=FR:zone30": "30 km/h", "source:maxspeed=zone30": "30 km/h",
        "maxspeed:type=DE:zone30": "30 km/h", "zone:maxspeed=30": "30 km/h", "zone:maxspeed=DE:30": "30 km/h",
        "maxspeed:type=AT:zone40": "40 km/h", "source:maxspeed=AT:zone40": "40 km/h", "source:maxspeed=AT:zone:40": "40 km/h",
    ]

    private static func expectation(_ key: String, _ value: String) -> String {
        if let known = expected["\(key)=\(value)"] { return known }
        if value.hasSuffix("mph") { return value }
        if value.hasSuffix(":urban") || value.contains("zone50") { return "50 km/h" }
        return Int(value).map { "\($0) km/h" } ?? "no expectation for \(key)=\(value)"
    }

    @Test("Every spelling met in extracts is read as the right value, or as unknown with the reason")
    func spellings() throws {
        let text = try String(contentsOfFile: SharedData.path("osm/maxspeed-spellings.csv"), encoding: .utf8)
        var count = 0
        for line in text.split(whereSeparator: \.isNewline).dropFirst() {
            // key,value,ways,extract: no value of the list holds a comma.
            let cells = line.split(separator: ",").map(String.init)
            let (key, value) = (cells[0], cells[1])
            let direction: RoadLimits.Direction = key.hasSuffix("backward") ? .backward : .forward
            let applied = RoadLimits(tags: [key: value]).applied(direction, at: nil)
            let expected = Self.expectation(key, value)
            if expected.hasPrefix("? ") {
                #expect(
                    applied.limit.description.hasPrefix("unknown: " + expected.dropFirst(2)), "\(key)=\(value): \(applied.limit)")
            } else {
                #expect(applied.limit.description == expected, "\(key)=\(value)")
            }
            count += 1
        }
        #expect(count == 71)
    }
}
