import Foundation
import Testing

@testable import FleetModel

/// The contract's own JSON reader, held against the RFC and against Foundation's.
@Suite struct JSONDocumentTests {
    /// SplitMix64, so that a failure can be repeated.
    struct Seeded: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    func isRead(_ text: String) -> Bool { (try? JSONDocument(Data(text.utf8))) != nil }

    @Test func `what RFC 8259 allows is read`() {
        for text in [
            "{}", "[]", " [ 1 , 2 ] ", "\"\"", "0", "-0", "-1.5e+10", "1E5", "true", "false", "null", "{\"a\":{\"b\":[null,{}]}}",
            #""\"\\\/\b\f\n\r\t\u0041\ud83d\ude00""#, "\"ä😀\u{7F}\"", "\t{\r\n\"a\" : 1 }\n", "[[[[[[[[]]]]]]]]",
        ] { #expect(isRead(text), "\(text)") }
    }

    @Test func `what RFC 8259 forbids is not`() {
        for text in [
            "", " ", "{", "}", "[", "]", "[1,]", "{\"a\":1,}", "{,}", "[,]", "{a:1}", "{'a':1}", "{\"a\"}", "{\"a\":}", "{\"a\" 1}",
            "[1 2]",
            "01", "+1", ".5", "1.", "1e", "1e+", "-", "--1", "0x10", "NaN", "Infinity", "-Infinity", "tru", "truex", "nul", "True",
            "\"", "\"a",
            "\"\n\"", "\"\u{0}\"", #""\x""#, #""\u12""#, #""\u123g""#, #""\ud83d""#, #""\ud83dx""#, #""\ud83d\u0041""#,
            #""\ude00""#, "[1]]",
            "{}{}", "1 2", "/* a */ 1", "[1]//", "\u{FEFF}{}", "{\"a\":1]", "[1}", "[\"a\":1]",
        ] { #expect(!isRead(text), "\(text)") }
    }

    @Test func `a key that stands twice, more than 512 members, more than 32 levels are refused in words`() {
        func problem(_ text: String) -> String? {
            do throws(JSONDocument.Problem) { _ = try JSONDocument(Data(text.utf8)) } catch {
                if case .structure(let words) = error { return words }
            }
            return nil
        }
        #expect(problem(#"{"a":1,"b":{"a":1},"\u0061":2}"#) == "a stands in it twice")
        #expect(problem(#"{"a":{"b":1},"c":{"b":1}}"#) == nil)
        func members(_ count: Int) -> String { "{" + (0..<count).map { "\"k\($0)\":0" }.joined(separator: ",") + "}" }
        #expect(problem(members(512)) == nil)
        #expect(problem(members(513)) == "more than 512 members in one object")
        #expect(problem(String(repeating: "[", count: 32) + String(repeating: "]", count: 32)) == nil)
        #expect(problem(String(repeating: "[", count: 33) + String(repeating: "]", count: 33)) == "nested deeper than 32 levels")
        #expect(problem(String(repeating: "[", count: 60_000)) == "nested deeper than 32 levels")
    }

    @Test func `numbers are the nearest doubles, whole numbers are exact`() throws {
        var random = Seeded(state: 7)
        var texts = [
            "0", "-0", "1e22", "1e23", "9007199254740993", "0.1", "123456789012345", "1234567890123456", "2.2250738585072011e-308",
            "5e-324",
        ]
        for _ in 0..<20_000 {
            let digits = String(random.next() >> UInt64.random(in: 0...63, using: &random))
            let point = Int.random(in: 0...digits.count, using: &random)
            let head = point == 0 ? "0" : String(digits.prefix(point))
            let tail = point == digits.count ? "" : "." + digits.dropFirst(point)
            let exponent = Bool.random(using: &random) ? "" : "e\(Int.random(in: -300...280, using: &random))"
            texts.append((Bool.random(using: &random) ? "-" : "") + head + tail + exponent)
        }
        for text in texts {
            let read = try #require(JSONNumber.double(ArraySlice(text.utf8)), "\(text)")
            #expect(read.bitPattern == Double(text)?.bitPattern, "\(text)")
        }
        #expect(JSONNumber.double(ArraySlice("1e400".utf8)) == nil)
        for (text, value) in [
            ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min), ("9223372036854775808", nil), ("1.0", 1),
            ("1e3", 1000),
            ("1.5", nil), ("1e40", nil),
        ] as [(String, Int64?)] {
            #expect(JSONNumber.integer(ArraySlice(text.utf8), as: Int64.self) == value, "\(text)")
        }
        #expect(JSONNumber.integer(ArraySlice("256".utf8), as: UInt8.self) == nil)
    }

    @Test func `texts are those that Foundation reads`() throws {
        for text in [#""a\u00e4\ud83d\ude00\/\"\\\n""#, "\"ä😀\"", #""\u0000""#, "\"\"", #""\\u0041""#] {
            let document = try JSONDocument(Data(text.utf8))
            #expect(document.text(document.nodes[0]) == (try JSONDecoder().decode(String.self, from: Data(text.utf8))))
        }
    }

    @Test("Alerts, heartbeats and statuses read as Foundation reads them, whatever bytes are changed in them")
    func differential() throws {
        var random = Seeded(state: 3)
        var accepted = 0
        for name in ["alert-overspeed-start", "alert-collision-update"] {
            let golden = Array(try Samples.golden(name))
            #expect(try WireCodec.decode(Alert.self, from: Data(golden)) == JSONDecoder().decode(Alert.self, from: Data(golden)))
            for _ in 0..<10_000 {
                var bytes = golden
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    switch Int.random(in: 0...3, using: &random) {
                    case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                    case 1: bytes.remove(at: place)
                    case 2: bytes.insert("0123456789-.eE,:{}[]\"\\ntu".utf8.randomElement(using: &random) ?? 0, at: place)
                    default: bytes[place] = "0123456789".utf8.randomElement(using: &random) ?? 0
                    }
                }
                guard let ours = try? WireCodec.decode(Alert.self, from: Data(bytes)) else { continue }
                accepted += 1
                let text = String(decoding: bytes, as: UTF8.self)
                #expect(throws: Never.self, "\(text)") {
                    #expect(try JSONDecoder().decode(Alert.self, from: Data(bytes)) == ours, "\(text)")
                }
            }
        }
        #expect(accepted > 2000)
    }

    @Test("What Foundation reads and this does not is refused for a reason of the contract")
    func refusals() throws {
        var random = Seeded(state: 4)
        let golden = Array(try Samples.golden("alert-overspeed-start"))
        for _ in 0..<10_000 {
            var bytes = golden
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0x20...0x7E, using: &random)
            guard (try? JSONDecoder().decode(Alert.self, from: Data(bytes))) != nil else { continue }
            do throws(WireCodec.Malformed) { _ = try WireCodec.decode(Alert.self, from: Data(bytes)) } catch {
                #expect(error.reason.hasSuffix("stands in it twice"), "\(error.reason): \(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }
}
