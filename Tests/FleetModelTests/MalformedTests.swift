import FleetModel
import Foundation
import Testing

/// What is thrown at a subscriber: the answer is always `Malformed` with one short line, never a crash.
@Suite("Payloads that nobody should send")
struct MalformedTests {
    private func reason(_ body: () throws(WireCodec.Malformed) -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return error.reason
        }
    }

    private func reasonForAlert(_ bytes: Data) -> String? {
        reason { () throws(WireCodec.Malformed) in _ = try WireCodec.decodeAlert(from: bytes) }
    }

    private func expectOneLine(_ reason: String?, _ comment: String) {
        guard let reason else {
            Issue.record("accepted: \(comment)")
            return
        }
        #expect(!reason.isEmpty && reason.count <= 300, "\(comment)")
        #expect(reason.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }, "\(comment): \(reason)")
    }

    static let texts: [String] = [
        "", " ", "null", "true", "0", "\"\"", "[]", "{}", "{", "}", "[1,2", "{\"a\"}", "{\"a\":}", "{'a':1}", "nan", "NaN",
        "Infinity",
        "-Infinity", "{\"schema\":\"fleet.alert/1\"}", "{\"schema\":\"fleet.alert/2\"}", "{\"schema\":null}", "{\"schema\":7}",
        "\u{FEFF}{}", "{\"a\":\"\\u0000\"}", "{\"a\":\"\\ud800\"}", "{\"a\":\"\\x\"}", "{\"\\u00", "{\"\\", "\"\\u12",
        "{\"schema\":\"fleet.alert/1\",\"schema\":\"fleet.alert/1\"}", "/*c*/{}", "{} {}", "{}garbage", "\u{0}\u{0}\u{0}",
        String(repeating: "[", count: 60_000), String(repeating: "{\"a\":", count: 12_000),
        String(repeating: "9", count: 60_000), "\"" + String(repeating: "\\u00e9", count: 10_000),
    ]

    @Test("Text that is no alert is refused", arguments: texts.indices)
    func notAnAlert(index: Int) {
        let bytes = Data(Self.texts[index].utf8)
        expectOneLine(reasonForAlert(bytes), "alert \(index)")
        expectOneLine(
            reason { () throws(WireCodec.Malformed) in _ = try WireCodec.decode(Heartbeat.self, from: bytes) }, "heartbeat \(index)"
        )
        expectOneLine(
            reason { () throws(WireCodec.Malformed) in _ = try WireCodec.decode(VehicleStatus.self, from: bytes) },
            "status \(index)")
        expectOneLine(
            reason { () throws(WireCodec.Malformed) in _ = try WireCodec.decode(GapEvent.self, from: bytes) }, "gap \(index)")
    }

    @Test("Bytes that are not UTF-8 are refused, UTF-16 and UTF-32 too")
    func encodings() throws {
        let text = String(decoding: try Samples.golden("alert-overspeed-start"), as: UTF8.self)
        expectOneLine(reasonForAlert(Data([0xFF, 0xFE])), "BOM alone")
        expectOneLine(reasonForAlert(try #require(text.data(using: .utf16))), "UTF-16")
        expectOneLine(reasonForAlert(try #require(text.data(using: .utf32))), "UTF-32")
        var broken = Array(text.utf8)
        broken[broken.count / 2] = 0xC3
        expectOneLine(reasonForAlert(Data(broken)), "half a character")
        expectOneLine(reasonForAlert(Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data(count: 100)), "a JPEG")
    }

    @Test("A payload over 64 KiB is refused before it is parsed")
    func oversized() {
        let payload = Data(String(repeating: " ", count: WireCodec.maximumPayloadBytes + 1).utf8)
        #expect(reasonForAlert(payload) == "payload of 65537 bytes is too large")
    }

    @Test("A key that stands twice is refused, however it is written")
    func duplicateKeys() throws {
        let text = String(decoding: try Samples.golden("alert-overspeed-start"), as: UTF8.self)
        for extra in [#""revision":2,"#, #""re\u0076ision":2,"#] {
            let doubled = Data((String(text.prefix(1)) + extra + text.dropFirst()).utf8)
            #expect(reasonForAlert(doubled) == "revision stands in it twice")
        }
        let inner = text.replacing(#""limit":{"#, with: #""limit":{"unit":"mph","#)
        #expect(reasonForAlert(Data(inner.utf8)) == "unit stands in it twice")
        // The same key in two objects, and a text that equals a key, are nobody's fault.
        #expect(reasonForAlert(Data(text.replacing(#""vehicle":"truck-17""#, with: #""vehicle":"vehicle""#).utf8)) == nil)
    }

    @Test("A wrong type, a null or a missing member is told by its path")
    func paths() throws {
        let table: [(changes: [String: Any?], reason: String)] = [
            (["revision": "1"], "revision has the wrong type"),
            (["severity": "fatal"], "severity is none of the words allowed"),
            (["monotonicS": 1e308], "monotonicS is negative or too large"),
            (["revision": 1.5], "not JSON, or a number does not fit its member"),
            (["revision": NSNull()], "revision is null"),
            (["revision": nil as Any?], "revision is missing"),
            (["id": "not-a-uuid"], "id: not a UUID"),
            (["id": 5], "id has the wrong type"),
            (["at": "yesterday"], "at: not an RFC 3339 time"),
            (["at": 1_772_352_000], "at has the wrong type"),
            (["kind": "meteor"], "kind is none of the words allowed"),
            (["phase": "middle"], "phase is none of the words allowed"),

            (["fleet": "de/mo"], "vehicle: fleet and vehicle are names"),
            (["vehicle": "truck 17"], "vehicle: fleet and vehicle are names"),
            (["vehicle": "#"], "vehicle: fleet and vehicle are names"),
            (["schema": "fleet.alert/2"], "schema: schema is not fleet.alert/1"),
            (["position": [48.1, 11.5]], "position has the wrong type"),
            (["position": ["lat": 48.1]], "position.lon is missing"),
            (["overspeed": ["limit": ["value": 50, "unit": "furlongs"]]], "overspeed.limit.unit is none of the words allowed"),
            (["overspeed": 5], "overspeed has the wrong type"),
            (["collision": ["class": "car", "box": [1, 2, 3]]], "collision."),
        ]
        for (changes, expected) in table {
            let reason = reasonForAlert(try Samples.json("alert-overspeed-start", changes))
            expectOneLine(reason, "\(changes)")
            #expect(reason?.hasPrefix(expected) == true, "\(changes): \(reason ?? "accepted")")
        }
    }

    @Test("Numbers that JSON can write and a Double cannot hold are refused")
    func hugeNumbers() throws {
        let text = String(decoding: try Samples.golden("alert-overspeed-start"), as: UTF8.self)
        for number in ["1e999", "-1e999", "1e400", "NaN", "Infinity", "-Infinity", "0x10", "1_0", "+1", ".5", "01"] {
            let bad = text.replacing(#""speedMps":18.2"#, with: #""speedMps":\#(number)"#)
            expectOneLine(reasonForAlert(Data(bad.utf8)), number)
        }
        for number in ["9223372036854775808", "1e30", "-1", "0.5"] {
            let bad = text.replacing(#""seq":4711"#, with: #""seq":\#(number)"#)
            expectOneLine(reasonForAlert(Data(bad.utf8)), number)
        }
    }

    @Test("An alert whose values cannot be meant is refused with the member's name")
    func implausible() {
        func check(_ expected: String, _ base: Alert = Samples.overspeedStart, _ change: (inout Alert) -> Void) {
            var alert = base
            change(&alert)
            #expect(alert.implausibility?.hasPrefix(expected) == true, "\(expected): \(alert.implausibility ?? "accepted")")
        }
        check("revision") { $0.revision = 0 }
        check("revision") { $0.revision = 1_000_001 }
        check("seq") { $0.seq = -1 }
        check("boot") { $0.boot = String(repeating: "b", count: 65) }
        check("boot") { $0.boot = "a\u{0}b" }
        check("software") { $0.software = "1.0\u{1B}[31m" }
        check("model") { $0.model = String(repeating: "m", count: 129) }
        check("monotonicS") { $0.monotonicS = -1 }
        check("monotonicS") { $0.monotonicS = .infinity }
        check("endedAt") { $0.endedAt = Samples.at }
        check("endedAt") { $0.phase = .end }
        check("endReason") { $0.endReason = .cleared }
        check("speedMps") { $0.speedMps = 200.1 }
        check("speedMps") { $0.speedMps = .nan }
        check("sessionTimeS") { $0.sessionTimeS = -0.1 }
        check("position is not on Earth") { $0.position = AlertPosition(lat: 90.1, lon: 0) }
        check("position is not on Earth") { $0.position = AlertPosition(lat: .nan, lon: 0) }
        check("headingDeg") { $0.position?.headingDeg = 361 }
        check("accuracyM") { $0.position?.accuracyM = -1 }
        check("overspeed without its details") { $0.overspeed = nil }
        check("overspeed.limit ") { $0.overspeed?.limit.value = -5 }
        check("overspeed.confidence") { $0.overspeed?.confidence = 1.1 }
        check("overspeed.maxSpeedMps") { $0.overspeed?.maxSpeedMps = 309 }
        check("overspeed.distanceM") { $0.overspeed?.distanceM = -1 }
        check("overspeed.durationS") { $0.overspeed?.durationS = .infinity }
        check("collision.box", Samples.collisionStart) { $0.collision?.box.width = 0.7 }
        check("collision.box", Samples.collisionStart) { $0.collision?.box.x = .nan }
        check("collision.gates", Samples.collisionStart) { $0.collision?.gates = Array(repeating: "g", count: 33) }
        check("collision.ttcSeries", Samples.collisionStart) { $0.collision?.ttcSeries = [[1]] }
        check("collision.ttcSeries", Samples.collisionStart) { $0.collision?.ttcSeries = Array(repeating: [0, 1], count: 601) }
        check("collision.ttcS", Samples.collisionStart) { $0.collision?.ttcS = .infinity }
        check("snapshot.sha256", Samples.collisionStart) { $0.snapshot?.sha256 = "ABC" }
        check("snapshot size", Samples.collisionStart) { $0.snapshot?.width = 0 }
        check("headway.timeHeadwayS", Samples.headwayStart) { $0.headway?.timeHeadwayS = -1 }
        check("landmark.name", Samples.landmarkStart) { $0.landmark?.name = "a\nb" }
        check("landmark.score", Samples.landmarkStart) { $0.landmark?.score = 7 }
    }

    @Test("S1 a limit of 60 mph whose metres per second are those of 60 km/h is refused")
    func unitMixUp() {
        var alert = Samples.overspeedStart
        alert.overspeed?.limit = Speed(60, .milesPerHour)
        alert.overspeed?.limitMps = 60 / 3.6
        #expect(alert.implausibility == "overspeed.limitMps is not 60 mph")
        alert.overspeed?.limitMps = 60 * 1609.344 / 3600
        #expect(alert.implausibility == nil)
    }

    @Test("Heartbeats, statuses and gaps with impossible values are refused")
    func otherImplausible() throws {
        let heartbeat: [[String: Any?]] = [
            ["intervalS": 0], ["uptimeS": -1], ["seq": -1], ["speedMps": -1], ["odometerM": -1],
            ["position": ["lat": 91, "lon": 0]],
            ["limit": ["value": 5000, "unit": "km/h"]], ["queue": ["alerts": -1, "bytes": 0]], ["gps": ["mode": 99]],
            ["suppressed": ["a\u{1B}b": 1]], ["suppressed": ["a": -1]], ["suppressed": [String(repeating: "k", count: 65): 1]],
            ["degraded": [["code": "Bad Code", "since": "2026-03-01T08:15:02Z"]]], ["degraded": [["code": "gps_stale"]]],
            ["boot": "x\ny"], ["camera": ["fps": -1, "dropped": 0]],
        ]
        for changes in heartbeat {
            let bytes = try Samples.json("heartbeat", changes)
            expectOneLine(
                reason { () throws(WireCodec.Malformed) in _ = try WireCodec.decode(Heartbeat.self, from: bytes) }, "\(changes)")
        }
        for changes in [["session": -1], ["state": "asleep"], ["reason": "bored"], ["boot": "\u{7}"]] as [[String: Any]] {
            let bytes = try Samples.json("status-online", changes)
            expectOneLine(
                reason { () throws(WireCodec.Malformed) in _ = try WireCodec.decode(VehicleStatus.self, from: bytes) }, "\(changes)"
            )
        }
        for changes in [["toSeq": 11], ["fromSeq": -1], ["reason": "x"], ["id": "x"]] as [[String: Any]] {
            let bytes = try Samples.json("gap", changes)
            expectOneLine(
                reason { () throws(WireCodec.Malformed) in _ = try WireCodec.decode(GapEvent.self, from: bytes) }, "\(changes)")
        }
    }

    @Test("A reason never carries control characters or more than 300 of the sender's")
    func reasonsArePrintable() {
        let malformed = WireCodec.Malformed(reason: "a\u{1B}[31m\r\n\u{202E}" + String(repeating: "x", count: 1000))
        #expect(malformed.reason.hasPrefix("a?[31m???x"))
        #expect(malformed.reason.count == 300)
    }

    @Test("20000 golden payloads with random bytes changed never crash the reader")
    func fuzz() throws {
        var generator = SplitMix64(seed: 7)
        for name in ["alert-collision-start", "alert-overspeed-end", "heartbeat", "receipt", "status-online"] {
            let golden = Array(try Samples.golden(name))
            for _ in 0..<4000 {
                var bytes = golden
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    switch Int.random(in: 0..<3, using: &generator) {
                    case 0: bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
                    case 1: bytes.remove(at: Int.random(in: bytes.indices, using: &generator))
                    default:
                        bytes.insert(
                            UInt8.random(in: 0...255, using: &generator), at: Int.random(in: bytes.indices, using: &generator))
                    }
                }
                let data = Data(bytes)
                let outcome = reason { () throws(WireCodec.Malformed) in
                    switch name {
                    case "heartbeat": _ = try WireCodec.decode(Heartbeat.self, from: data)
                    case "receipt": _ = try WireCodec.decode(ReceiptMessage.self, from: data)
                    case "status-online": _ = try WireCodec.decode(VehicleStatus.self, from: data)
                    default: _ = try WireCodec.decodeAlert(from: data)
                    }
                }
                if let outcome { #expect(!outcome.isEmpty && !outcome.contains("\n")) }
            }
        }
    }
}

/// A small seeded generator (Steele, Lea, Flood 2014), so that a failing case comes again.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
