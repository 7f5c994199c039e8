import FleetModel
import Foundation
import Testing

@Suite("Times")
struct TimestampTests {
    static let known: [(text: String, milliseconds: Int64)] = [
        ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.001Z", 1), ("1969-12-31T23:59:59.999Z", -1),
        ("2026-03-01T08:15:02.120Z", 1_772_352_902_120), ("2026-03-01t08:15:02.12z", 1_772_352_902_120),
        ("2026-03-01 08:15:02.1200009Z", 1_772_352_902_120), ("2026-03-01T09:15:02.120+01:00", 1_772_352_902_120),
        ("2026-03-01T02:45:02.120-05:30", 1_772_352_902_120), ("2024-02-29T00:00:00Z", 1_709_164_800_000),
        ("2000-02-29T23:59:59Z", 951_868_799_000), ("2000-03-01T00:00:00Z", 951_868_800_000),
        ("0000-01-01T00:00:00Z", -62_167_219_200_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ("2016-12-31T23:59:60Z", 1_483_228_799_000), ("2038-01-19T03:14:08Z", 2_147_483_648_000),
    ]

    @Test("Known times are read", arguments: known.indices)
    func reads(index: Int) {
        #expect(Timestamp(Self.known[index].text)?.millisecondsSinceEpoch == Self.known[index].milliseconds)
    }

    static let bad = [
        "", "2026", "2026-03-01", "2026-03-01T08:15Z", "2026-03-01T08:15:02", "2026-3-1T08:15:02Z", "2026-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z",
        "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00+1:00",
        "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+01", "2026-01-01T00:00:00+0100", "2026-01-01T00:00:00ZZ",
        " 2026-01-01T00:00:00Z",
        "2026-01-01T00:00:00Z ", "+026-01-01T00:00:00Z", "２０２６-01-01T00:00:00Z", "0000-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01",
    ]

    @Test("Everything else is refused", arguments: bad)
    func refuses(text: String) { #expect(Timestamp(text) == nil) }

    @Test("5000 random moments are written and read again without loss")
    func roundTrip() {
        var generator = SplitMix64(seed: 1)
        for _ in 0..<5000 {
            let moment = Timestamp(
                millisecondsSinceEpoch: Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &generator))
            #expect(moment.description.utf8.count == 24)
            #expect(Timestamp(moment.description) == moment)
        }
    }

    @Test("Every day of 400 years is written as Foundation's Gregorian calendar writes it")
    func againstFoundation() throws {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for day in stride(from: Int64(0), to: 146_097, by: 7) {
            let moment = Timestamp(millisecondsSinceEpoch: day * 86_400_000 + 43_200_000)
            #expect(Date(timeIntervalSince1970: moment.secondsSinceEpoch).formatted(style) == moment.description)
        }
    }

    @Test("Numbers beyond what four digits of a year can say are held at the bounds")
    func bounds() {
        #expect(Timestamp(secondsSinceEpoch: .infinity).description == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp(secondsSinceEpoch: -.infinity).description == "0000-01-01T00:00:00.000Z")
        #expect(Timestamp(secondsSinceEpoch: .nan) == .epoch)
        #expect(Timestamp(millisecondsSinceEpoch: .min).description == "0000-01-01T00:00:00.000Z")
        #expect(
            Timestamp(millisecondsSinceEpoch: .max).seconds(since: Timestamp(millisecondsSinceEpoch: .min)) == 315_569_519_999.999)
    }

    @Test("Moving a moment keeps the millisecond")
    func arithmetic() {
        let at = Timestamp("2026-03-01T08:15:02.120Z")!
        #expect(at.advanced(bySeconds: 0.0015).millisecondsSinceEpoch == 1_772_352_902_122)
        #expect(at.advanced(bySeconds: -86_400).description == "2026-02-28T08:15:02.120Z")
        #expect(at.advanced(bySeconds: 2.5).seconds(since: at) == 2.5)
        #expect(at.seconds(since: at.advanced(bySeconds: 2.5)) == -2.5)
        #expect(at < at.advanced(bySeconds: 0.001))
    }
}

@Suite("Alert ids")
struct AlertIDTests {
    @Test("A UUIDv7 carries its time, version and variant, and ids of later times sort later")
    func v7() {
        var generator = SplitMix64(seed: 3)
        let early = AlertID.v7(at: Timestamp(millisecondsSinceEpoch: 0x0197_a3c2_5f7e), using: &generator)
        let late = AlertID.v7(at: Timestamp(millisecondsSinceEpoch: 0x0197_a3c2_5f7f), using: &generator)
        #expect(early.description.hasPrefix("0197a3c2-5f7e-7"))
        #expect("89ab".contains(Array(early.description)[19]))
        #expect(early < late)
        let many = Set((0..<2000).map { _ in AlertID.v7(at: .epoch, using: &generator) })
        #expect(many.count == 2000)
        #expect(AlertID.v7(at: Timestamp(millisecondsSinceEpoch: -5), using: &generator).description.hasPrefix("00000000-0000-7"))
    }

    @Test("A UUIDv8 is the digest with version and variant set, and short digests are filled with zeros")
    func v8() {
        #expect(AlertID.v8(digest: Array(repeating: 0xFF, count: 32)).description == "ffffffff-ffff-8fff-bfff-ffffffffffff")
        #expect(AlertID.v8(digest: [1, 2]).description == "01020000-0000-8000-8000-000000000000")
        #expect(AlertID.v8(digest: []).description == "00000000-0000-8000-8000-000000000000")
    }

    @Test("Text is read in either case, and only a UUID's text")
    func text() {
        #expect(AlertID("0197A3C2-5F7E-7C31-9A4D-2B6E8F013C55") == Samples.id)
        for bad in [
            "", "0197a3c2", "0197a3c25f7e7c319a4d2b6e8f013c55", "0197a3c2-5f7e-7c31-9a4d-2b6e8f013c5g",
            "{0197a3c2-5f7e-7c31-9a4d-2b6e8f013c5}",
            "0197a3c2-5f7e-7c31-9a4d-2b6e8f013c555", "0197a3c2_5f7e-7c31-9a4d-2b6e8f013c55", "é197a3c2-5f7e-7c31-9a4d-2b6e8f013c5",
        ] { #expect(AlertID(bad) == nil, "\(bad)") }
    }
}

@Suite("Boxes")
struct BoxTests {
    @Test("Intersection over union matches values worked by hand")
    func iou() {
        let a = Box(x: 0, y: 0, width: 10, height: 10)
        #expect(a.iou(a) == 1)
        #expect(a.iou(Box(x: 5, y: 0, width: 10, height: 10)) == 50.0 / 150)
        #expect(a.iou(Box(x: 5, y: 5, width: 10, height: 10)) == 25.0 / 175)
        #expect(a.iou(Box(x: 10, y: 0, width: 10, height: 10)) == 0)
        #expect(a.iou(Box(x: 2, y: 2, width: 5, height: 5)) == 25.0 / 100)
        #expect(a.iou(Box(x: 2, y: 2, width: 0, height: 0)) == 0)
        #expect(a.iou(Box(x: .nan, y: 2, width: 1, height: 1)) == 0)
    }

    @Test("A box is clipped to its frame, and one outside is none")
    func clipping() {
        #expect(
            Box(x: -5, y: 10, width: 20, height: 100).clipped(width: 100, height: 50) == Box(x: 0, y: 10, width: 15, height: 40))
        #expect(Box(x: 100, y: 0, width: 5, height: 5).clipped(width: 100, height: 50) == nil)
        #expect(Box(x: .nan, y: 0, width: 5, height: 5).clipped(width: 100, height: 50) == nil)
        #expect(Box(x: 10, y: 20, width: 30, height: 40).scaled(x: 0.1, y: 0.5) == Box(x: 1, y: 10, width: 3, height: 20))
    }

    @Test("A box within rounding of the unit square is accepted, one beyond is not")
    func unitSquare() {
        #expect(Box(x: 0, y: 0, width: 1, height: 1).isWithinUnitSquare)
        #expect(Box(x: -0.0005, y: 0, width: 1, height: 1).isWithinUnitSquare)
        #expect(!Box(x: 0.5, y: 0, width: 0.6, height: 1).isWithinUnitSquare)
        #expect(!Box(x: 0.5, y: 0.5, width: -0.1, height: 0.1).isWithinUnitSquare)
    }
}

@Suite("Speeds")
struct SpeedTests {
    @Test("G17 27.7778 m/s is 100.0 km/h, 62.137 mph and 53.996 kn")
    func units() {
        let mps = 27.7778
        #expect(Speed.value(ofMps: mps, in: .kilometresPerHour).rounded(toPlaces: 1) == 100.0)
        #expect(Speed.value(ofMps: mps, in: .milesPerHour).rounded(toPlaces: 3) == 62.137)
        #expect(Speed.value(ofMps: mps, in: .knots).rounded(toPlaces: 3) == 53.996)
        #expect(Speed.value(ofMps: mps, in: .metresPerSecond) == mps)
    }

    @Test("S1 60 mph is 26.8224 m/s, not 16.6667")
    func mph() {
        #expect(Speed(60, .milesPerHour).metresPerSecond.rounded(toPlaces: 4) == 26.8224)
        #expect(Speed(60, .kilometresPerHour).metresPerSecond.rounded(toPlaces: 4) == 16.6667)
    }

    @Test("G18 every limit from 5 to 130 comes back whole from metres per second", arguments: SpeedUnit.allCases)
    func wholeNumbers(unit: SpeedUnit) {
        for value in stride(from: 5.0, through: 130, by: 5) {
            #expect(Speed.value(ofMps: Speed(value, unit).metresPerSecond, in: unit).rounded(toPlaces: 9) == value)
        }
    }

    @Test("A speed is written as on its sign")
    func description() {
        #expect(Speed(50, .kilometresPerHour).description == "50 km/h")
        #expect(Speed(12.5, .milesPerHour).description == "12.5 mph")
        #expect(Speed(1e300, .knots).description == "1e+300 kn")
    }
}

@Suite("Names and topics")
struct TopicTests {
    static let topics: [(name: String, topic: Topic)] = [
        ("fleet/v1/demo/truck-17/alert", .alert(Samples.identity)),
        ("fleet/v1/demo/truck-17/heartbeat", .heartbeat(Samples.identity)),
        ("fleet/v1/demo/truck-17/status", .status(Samples.identity)),
        ("fleet/v1/demo/truck-17/receipt", .receipt(Samples.identity)),
        (
            "fleet/v1/demo/truck-17/snapshot/0197a3c2-5f7e-7c31-9a4d-2b6e8f013c55",
            .snapshot(Samples.identity, alertID: Samples.id.description)
        ),
    ]

    @Test("A topic's name is written and read again", arguments: topics.indices)
    func roundTrip(index: Int) {
        let (name, topic) = Self.topics[index]
        #expect(topic.name == name)
        #expect(Topic(name: name) == topic)
        #expect(topic.vehicle == Samples.identity)
    }

    @Test(
        "Names that the contract does not know are refused",
        arguments: [
            "", "/", "fleet/v1/demo/truck-17", "fleet/v1/demo/truck-17/alert/x", "fleet/v2/demo/truck-17/alert",
            "fleet/v1//truck-17/alert",
            "fleet/v1/demo/truck 17/alert", "fleet/v1/+/truck-17/alert", "/fleet/v1/demo/truck-17/alert",
            "fleet/v1/demo/truck-17/snapshot",
            "fleet/v1/demo/truck-17/snapshot/", "fleet/v1/demo/truck-17/snapshot/a/b", "fleet/v1/demo/truck-17/snapshot/..%2f",
            "$SYS/broker/uptime",
        ])
    func refuses(name: String) { #expect(Topic(name: name) == nil) }

    @Test("A name has 1 to 64 letters, digits, underscores and hyphens")
    func names() {
        #expect(VehicleIdentity.isValid("A-z_09"))
        #expect(VehicleIdentity.isValid(String(repeating: "a", count: 64)))
        for bad in ["", String(repeating: "a", count: 65), "a b", "a/b", "a+b", "#", "ä", "a\u{0}", "a.b", "🚚"] {
            #expect(!VehicleIdentity.isValid(bad), "\(bad)")
        }
        #expect(VehicleIdentity(fleet: "a", vehicle: "b c") == nil)
        #expect(Samples.identity.description == "demo/truck-17")
        #expect(VehicleIdentity(fleet: "a", vehicle: "z")! < VehicleIdentity(fleet: "b", vehicle: "a")!)
    }

    @Test("An identity in JSON is checked like any other")
    func decoding() throws {
        let good = try WireCodec.decode(VehicleIdentity.self, from: Data(#"{"fleet":"demo","vehicle":"truck-17"}"#.utf8))
        #expect(good == Samples.identity)
        #expect(throws: WireCodec.Malformed.self) {
            try WireCodec.decode(VehicleIdentity.self, from: Data(#"{"fleet":"demo","vehicle":"../etc"}"#.utf8))
        }
    }

    @Test("Severities rise from info to critical")
    func severities() { #expect(Severity.allCases.sorted() == [.info, .caution, .warning, .critical]) }
}
