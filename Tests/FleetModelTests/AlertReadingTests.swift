import Foundation
import Testing

@testable import FleetModel

@Suite("Reading alerts without the general decoder")
struct AlertReadingTests {
    /// Valid alerts of every kind, as the codec writes them.
    private static func payloads() throws -> [Data] {
        var update = Samples.overspeedStart
        update.revision = 3
        update.phase = .end
        update.endedAt = Samples.at
        update.endReason = .limitChanged
        update.sessionTimeS = 12.25
        update.model = nil
        update.speedMps = nil
        update.position = nil
        return try [Samples.overspeedStart, Samples.collisionStart, Samples.headwayStart, Samples.landmarkStart, update].map {
            try WireCodec.encode($0)
        }
    }

    @Test("every kind of alert that the codec writes is read as the general decoder reads it")
    func same() throws {
        for payload in try Self.payloads() {
            #expect(try Alert(examined: payload) == JSONDecoder().decode(Alert.self, from: payload))
        }
    }

    @Test("20,000 damaged alerts are read as the general decoder reads them, or left to it")
    func damaged() throws {
        var random = SplitMix(state: 7)
        let payloads = try Self.payloads()
        let pieces = [
            "\"", "0", "9", ".5", "-", "e3", "null", "true", "{", "}", "[", "]", ",", ":", " ", "\\", "\\u0041", "é", "1e400", "00",
            "123456789012345678901",
        ]
        var read = 0
        for _ in 0..<20_000 {
            var bytes = Array(payloads[Int(random.next() % UInt64(payloads.count))])
            for _ in 0...(random.next() % 2) {
                let at = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 3 {
                case 0: bytes[at] = UInt8(truncatingIfNeeded: random.next() % 128)
                case 1: bytes.remove(at: at)
                default: bytes.insert(contentsOf: Array(pieces[Int(random.next() % UInt64(pieces.count))].utf8), at: at)
                }
            }
            let payload = Data(bytes)
            guard (try? WireCodec.decode([String: Ignored].self, from: payload)) != nil, let alert = Alert(examined: payload) else {
                continue
            }
            read += 1
            let general = try? JSONDecoder().decode(Alert.self, from: payload)
            #expect(alert == general, "\(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(read > 1000)
    }

    @Test(
        "numbers come out to the last bit as the C library reads them",
        arguments: [
            "0", "-0", "0.1", "1e2", "123456.789012345", "999999999999999", "0.000000000000001", "48.1372841", "-11.5755000",
            "1.7976931348623157",
        ])
    func numbers(text: String) throws {
        let bytes = Array(text.utf8)
        let value = bytes.withUnsafeBufferPointer { buffer -> Double? in
            var cursor = JSONCursor(buffer)
            return try? cursor.double()
        }
        guard let value else { return #expect(text.contains("e") || text.count > 15) }
        #expect(value.bitPattern == Double(text)?.bitPattern)
    }

    private struct Ignored: Decodable { init(from decoder: any Decoder) throws {} }

    /// D. Lea et al., "Fast splittable pseudorandom number generators", OOPSLA 2014.
    private struct SplitMix {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }
}
