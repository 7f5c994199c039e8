import Foundation
import Testing

@testable import Imaging

@Suite struct ScaleChangeTests {
    /// A picture of 320 × 240 with a smooth pattern, `scale` times as large about its middle and moved by `shiftX`, `shiftY`.
    static func picture(scale: Double, shiftX: Double = 0, shiftY: Double = 0) throws -> Frame {
        var bytes = Data("P5 320 240 255\n".utf8)
        for y in 0..<240 {
            for x in 0..<320 {
                let (u, v) = ((Double(x) - 160 - shiftX) / scale, (Double(y) - 120 - shiftY) / scale)
                let first = sin(u * 0.31 + sin(v * 0.23) * 2)
                let second = cos(v * 0.37 + cos(u * 0.19) * 2)
                bytes.append(UInt8(min(255, max(0, 128 + 40 * (first + second + sin((u + v) * 0.13))))))
            }
        }
        return try Frame.decode(bytes)
    }

    @Test(
        "Growth and shift of a picture are measured to a small part of a pixel",
        arguments: [
            (0.97, 0.0, 0.0), (1.0, 2.5, -1.5), (1.004, 0.3, 0.2), (1.03, -3, 2),
        ])
    func measured(scale: Double, shiftX: Double, shiftY: Double) throws {
        let meter = try #require(ScaleChange())
        #expect(try meter.offer(Self.picture(scale: 1), atS: 0))
        #expect(meter.measure(.init(x: 100, y: 70, width: 120, height: 100)) == nil)
        #expect(try meter.offer(Self.picture(scale: scale, shiftX: shiftX, shiftY: shiftY), atS: 0.04))
        let motion = try #require(meter.measure(.init(x: 100, y: 70, width: 120, height: 100)))
        #expect(abs(motion.logScale - log(scale)) < 0.002)
        #expect(abs(motion.shiftX - shiftX) < 0.15)
        #expect(abs(motion.shiftY - shiftY) < 0.15)
        #expect(motion.intervalS == 0.04)
        #expect(motion.logScaleSd < 0.005)
    }

    @Test("What something nearer covers is left out: the part that is seen tells the growth")
    func covered() throws {
        let meter = try #require(ScaleChange())
        // The right 60 % of the box show something else, which grows three times as fast.
        func picture(_ far: Double, _ near: Double) throws -> Frame {
            let a = try Self.picture(scale: far)
            let b = try Self.picture(scale: near)
            var bytes = Data("P5 320 240 255\n".utf8)
            for y in 0..<240 {
                for x in 0..<320 { bytes.append((x < 150 ? a.sample(x: x, y: y) : b.sample(x: x, y: y)) ?? 0) }
            }
            return try Frame.decode(bytes)
        }
        _ = try meter.offer(picture(1, 1), atS: 0)
        _ = try meter.offer(picture(1.01, 1.03), atS: 0.05)
        let box = ScaleChange.Rectangle(x: 90, y: 60, width: 150, height: 120)
        let mixed = try #require(meter.measure(box))
        let nearer = ScaleChange.Rectangle(x: 145, y: 50, width: 150, height: 160)
        let visible = try #require(meter.measure(.init(x: 60, y: 60, width: 120, height: 120), covers: [nearer]))
        #expect(abs(visible.logScale - log(1.01)) < 0.002)
        #expect(mixed.logScale > log(1.015))
        #expect(meter.measure(box, covers: [nearer]) == nil, "what is left is mostly the rim of the nearer thing")
        #expect(meter.measure(box, covers: [.init(x: 0, y: 0, width: 320, height: 240)]) == nil)
    }

    @Test("A repeated frame is not taken; the pictures around it count at their mean rate")
    func repeated() throws {
        let meter = try #require(ScaleChange())
        var taken: [Bool] = []
        var last: ScaleChange.Measurement?
        // 25 pictures a second in a file of 30 frames a second: every sixth frame repeats.
        for i in 0..<13 {
            let picture = Double(i - i / 6)
            taken.append(try meter.offer(Self.picture(scale: exp(0.01 * picture)), atS: Double(i) / 30))
            last = meter.measure(.init(x: 100, y: 70, width: 120, height: 100)) ?? last
        }
        #expect(taken.filter { !$0 }.count == 2)
        let motion = try #require(last)
        #expect(abs(motion.intervalS - 0.04) < 1e-9)
        #expect(abs(motion.logScale / motion.intervalS - 0.25) < 0.04)
    }

    @Test("An even surface and a box beside the frame give no measurement")
    func nothingToSee() throws {
        let meter = try #require(ScaleChange())
        _ = try meter.offer(Self.picture(scale: 1), atS: 0)
        _ = try meter.offer(Self.picture(scale: 1.01), atS: 0.1)
        #expect(meter.measure(.init(x: 900, y: 900, width: 50, height: 50)) == nil)
        #expect(meter.measure(.init(x: .nan, y: 0, width: 50, height: 50)) == nil)
        #expect(meter.measure(.init(x: 10, y: 10, width: 4, height: 4)) == nil)
        let flat = try #require(ScaleChange())
        let even = Data("P5 320 240 255\n".utf8) + Data(repeating: 90, count: 320 * 240)
        let brighter = Data("P5 320 240 255\n".utf8) + Data(repeating: 110, count: 320 * 240)
        _ = try flat.offer(Frame.decode(even), atS: 0)
        #expect(try flat.offer(Frame.decode(brighter), atS: 0.1))
        #expect(flat.measure(.init(x: 100, y: 70, width: 120, height: 100)) == nil)
    }
}
