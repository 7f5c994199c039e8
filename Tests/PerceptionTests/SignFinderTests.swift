import Foundation
import Imaging
import Testing

/// A street scene of a few colours with one sign in it.
private struct DrawnScene {
    var width = 640
    var height = 360
    /// Middle and size of the sign, pixels.
    var sign: (x: Double, y: Double, size: Double)? = (420, 150, 48)
    var isPlate = false
    /// A white plate under the sign: its width and height, and the gap, in sizes of the sign.
    var annex: (width: Double, height: Double, gap: Double)?
    var annexColour = CanvasColour.grey(235)

    func frame() throws -> Frame {
        let layer = try CanvasLayer(width: width, height: height)
        let (w, h) = (Double(width), Double(height))
        func box(_ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double) -> [CanvasPoint] {
            [(x0, y0), (x1, y0), (x1, y1), (x0, y1)].map { CanvasPoint(x: $0.0, y: $0.1) }
        }
        func disc(_ x: Double, _ y: Double, _ r: Double) -> [CanvasPoint] {
            (0..<72).map { CanvasPoint(x: x + r * cos(Double($0) * .pi / 36), y: y + r * sin(Double($0) * .pi / 36)) }
        }
        try layer.fill(box(0, 0, w, h * 0.4), top: CanvasColour(red: 150, green: 170, blue: 190))
        try layer.fill(box(0, h * 0.25, w, h * 0.7), top: CanvasColour(red: 70, green: 95, blue: 60))
        try layer.fill(box(0, h * 0.7, w, h), top: .grey(95))
        if let sign {
            let r = sign.size / 2
            try layer.fill(box(sign.x - 2, sign.y, sign.x + 2, h * 0.72), top: .grey(130))
            if isPlate {
                try layer.fill(box(sign.x - r * 0.8, sign.y - r, sign.x + r * 0.8, sign.y + r), top: .grey(240))
                try layer.fill(box(sign.x - r * 0.75, sign.y - r * 0.95, sign.x + r * 0.75, sign.y + r * 0.95), top: .grey(20))
                try layer.fill(box(sign.x - r * 0.7, sign.y - r * 0.9, sign.x + r * 0.7, sign.y + r * 0.9), top: .grey(240))
            } else {
                try layer.fill(disc(sign.x, sign.y, r), top: CanvasColour(red: 190, green: 25, blue: 35))
                try layer.fill(disc(sign.x, sign.y, r * 0.78), top: .grey(240))
            }
            try layer.write(
                "50", centre: CanvasPoint(x: sign.x, y: sign.y + (isPlate ? r * 0.4 : 0)), capHeight: sign.size * 0.36,
                stroke: sign.size * 0.06, colour: .grey(20))
            if let annex {
                let (half, top) = (annex.width * sign.size / 2, sign.y + r + annex.gap * sign.size)
                let bottom = top + annex.height * sign.size
                try layer.fill(box(sign.x - half, top, sign.x + half, bottom), top: annexColour)
                try layer.fill(
                    box(sign.x - half * 0.6, top + (bottom - top) * 0.35, sign.x + half * 0.5, bottom - (bottom - top) * 0.3),
                    top: .grey(25))
            }
        }
        var frame = try Frame.black(width: width, height: height)
        try frame.draw(layer, corners: box(0, 0, w, h))
        try frame.blur(sigma: 0.8)
        return frame
    }
}

@Suite struct SignFinderTests {
    private static func finder() throws -> SignFinder { try #require(SignFinder()) }

    @Test("A round sign is found within a tenth of its size, near and far", arguments: [20.0, 32, 48, 90])
    func round(size: Double) throws {
        let frame = try DrawnScene(sign: (420, 130, size)).frame()
        let best = try #require(try Self.finder().candidates(in: frame, rounds: 6, plates: 0, leastHeight: 14, rows: 0.8).first)
        #expect(!best.isPlate)
        #expect(abs(best.x + best.width / 2 - 420) < 0.1 * size && abs(best.y + best.height / 2 - 130) < 0.1 * size)
        #expect(abs(best.height - size) < 0.12 * size)
    }

    @Test("A plate is found, no side off by more than a sixth of its size", arguments: [30.0, 48, 90])
    func plate(size: Double) throws {
        let frame = try DrawnScene(sign: (420, 130, size), isPlate: true).frame()
        let found = try Self.finder().candidates(in: frame, rounds: 0, plates: 6, leastHeight: 14, rows: 0.8)
        let isThere = found.contains { plate in
            let off = [
                plate.x - (420 - size * 0.4), plate.x + plate.width - (420 + size * 0.4), plate.y - (130 - size / 2),
                plate.y + plate.height - (130 + size / 2),
            ]
            return plate.isPlate && off.allSatisfy { abs($0) <= size / 6 }
        }
        #expect(isThere, "\(found)")
    }

    @Test(
        "S12 No side of a plate's outline is off by more than an eighth of its height, whatever its box was, with a plate under it or none",
        arguments: [40.0, 60, 90], [(0.0, 0.0, 1.0), (0.08, -0.1, 1.15), (-0.1, 0.08, 0.9)])
    func outline(size: Double, off: (Double, Double, Double)) throws {
        for annex in [nil, (0.8, 0.3, 0.04)] {
            let frame = try DrawnScene(sign: (420, 165, size), isPlate: true, annex: annex).frame()
            let (width, height) = (size * 0.8 * off.2, size * off.2)
            let (x, y) = (420 + off.0 * size - width / 2, 165 + off.1 * size - height / 2)
            let found = SignFinder.Candidate(x: x, y: y, width: width, height: height, score: 0, isPlate: true)
            let outlined = try SignFinder.outlined(found, in: frame)
            let (right, bottom) = (outlined.x + outlined.width, outlined.y + outlined.height)
            let sides = [
                outlined.x - 420 + size * 0.4, right - 420 - size * 0.4, outlined.y - 165 + size / 2, bottom - 165 - size / 2,
            ]
            #expect(sides.allSatisfy { abs($0) <= size / 8 }, "\(sides)")
        }
    }

    @Test("Where no sides are seen a plate's box stays as it is; one that is no number is refused")
    func noOutline() throws {
        let plate = SignFinder.Candidate(x: 100, y: 20, width: 40, height: 50, score: 0, isPlate: true)
        let frame = try DrawnScene(sign: nil).frame()
        #expect(try SignFinder.outlined(plate, in: frame) == plate)
        var beside = plate
        beside.x = 5000
        #expect(try SignFinder.outlined(beside, in: frame) == beside)
        beside.y = .infinity
        #expect(throws: ImagingError.self) { try SignFinder.outlined(beside, in: frame) }
    }

    @Test("What is asked for is found and no more: shapes, number, size and rows")
    func asked() throws {
        let finder = try Self.finder()
        let frame = try DrawnScene().frame()
        #expect(try finder.candidates(in: frame, rounds: 0, plates: 0, leastHeight: 14, rows: 1).isEmpty)
        #expect(try finder.candidates(in: frame, rounds: 1, plates: 0, leastHeight: 14, rows: 1).count == 1)
        #expect(try finder.candidates(in: frame, rounds: 6, plates: 0, leastHeight: 200, rows: 1).isEmpty)
        // The sign's middle is at 150 of 360 rows.
        let above = try finder.candidates(in: frame, rounds: 6, plates: 0, leastHeight: 14, rows: 0.3)
        #expect(!above.contains { abs($0.x + $0.width / 2 - 420) < 5 && $0.height > 40 })
    }

    @Test("Flat and tiny pictures hold no sign; a grey one is refused", arguments: [(1, 1), (5, 300), (640, 360)])
    func nothing(width: Int, height: Int) throws {
        let finder = try Self.finder()
        let flat = try Frame.decode(Data("P6 1 1 255\n".utf8) + Data([90, 90, 90])).resized(width: width, height: height)
        #expect(try finder.candidates(in: flat, rounds: 6, plates: 6, leastHeight: 14, rows: 1).isEmpty)
        guard let grey = Frame(width: width, height: height, channels: 1) else { throw CancellationError() }
        #expect(throws: ImagingError.self) { try finder.candidates(in: grey, rounds: 6, plates: 6, leastHeight: 14, rows: 1) }
    }

    private static func hasAnnex(_ scene: DrawnScene, _ side: SignFinder.Side = .below) throws -> Bool {
        let sign = try #require(scene.sign)
        let width = sign.size * (scene.isPlate ? 0.8 : 1)
        return try finder().hasAnnex(
            side, ofSignAt: sign.x - width / 2, sign.y - sign.size / 2, width: width, height: sign.size, isPlate: scene.isPlate,
            in: scene.frame())
    }

    @Test(
        "S12 A plate right under a sign is seen, near and far, wide and high",
        arguments: [20.0, 30, 48, 90], [(1.0, 0.55, 0.05), (0.75, 0.35, 0.0), (1.3, 0.6, 0.15), (0.8, 0.8, 0.05)])
    func annex(size: Double, plate: (Double, Double, Double)) throws {
        #expect(try Self.hasAnnex(DrawnScene(sign: (420, 130, size), annex: plate)))
    }

    @Test("S12 A post, a board far below, a wide one and a blue one are no plate of the sign", arguments: [24.0, 48, 90])
    func noAnnex(size: Double) throws {
        let sign = (x: 420.0, y: 120.0, size: size)
        #expect(try !Self.hasAnnex(DrawnScene(sign: sign)))
        #expect(try !Self.hasAnnex(DrawnScene(sign: sign, annex: (1, 0.5, 0.8))))
        #expect(try !Self.hasAnnex(DrawnScene(sign: sign, annex: (2.4, 0.8, 0.05))))
        let blue = CanvasColour(red: 20, green: 70, blue: 170)
        #expect(try !Self.hasAnnex(DrawnScene(sign: sign, annex: (1, 0.6, 0.05), annexColour: blue)))
    }

    @Test("S12 A plate under a plate is seen where it is as wide; a narrow one is about parking")
    func annexOfPlate() throws {
        let sign = (x: 420.0, y: 120.0, size: 60.0)
        #expect(try Self.hasAnnex(DrawnScene(sign: sign, isPlate: true, annex: (0.8, 0.3, 0.02))))
        #expect(try !Self.hasAnnex(DrawnScene(sign: sign, isPlate: true, annex: (0.45, 0.4, 0.02))))
        #expect(try !Self.hasAnnex(DrawnScene(sign: sign, isPlate: true), .above))
    }

    @Test(
        "S12 A box that holds a plate and the one under it shows the second; one around a plate alone shows none",
        arguments: [40.0, 60, 90])
    func annexWithinBox(size: Double) throws {
        let sign = (x: 420.0, y: 120.0, size: size)
        for annex in [nil, (0.8, 0.3, 0.02)] {
            let frame = try DrawnScene(sign: sign, isPlate: true, annex: annex).frame()
            let isSeen = try Self.finder().hasAnnex(
                .below, ofSignAt: sign.x - size * 0.4, sign.y - size / 2, width: size * 0.8, height: size * 1.3, isPlate: true,
                in: frame)
            #expect(isSeen == (annex != nil))
        }
    }

    @Test("A large sign of which the picture's rim leaves a row or two has no plate, and is no error", arguments: 0...6)
    func annexAtTheRim(rows: Int) throws {
        let finder = try Self.finder()
        let frame = try DrawnScene().frame()
        let y = 360 - Double(rows) - 0.85 * 150
        for (side, isPlate) in [(SignFinder.Side.below, false), (.below, true), (.above, true)] {
            #expect(try !finder.hasAnnex(side, ofSignAt: 200, y, width: 150, height: 150, isPlate: isPlate, in: frame))
        }
        let plate = SignFinder.Candidate(
            x: 640 - Double(rows), y: 360 - Double(rows), width: 300, height: 380, score: 0, isPlate: true)
        #expect(try SignFinder.outlined(plate, in: frame) == plate)
    }

    @Test("A box beside the picture has no plate, and one that is no number is refused")
    func annexNowhere() throws {
        let finder = try Self.finder()
        let frame = try DrawnScene().frame()
        #expect(try !finder.hasAnnex(.below, ofSignAt: 5000, 5000, width: 40, height: 40, isPlate: false, in: frame))
        #expect(try !finder.hasAnnex(.below, ofSignAt: 620, 340, width: 40, height: 40, isPlate: false, in: frame))
        #expect(throws: ImagingError.self) {
            try finder.hasAnnex(.below, ofSignAt: .nan, 0, width: 40, height: 40, isPlate: false, in: frame)
        }
        #expect(throws: ImagingError.self) {
            try finder.hasAnnex(.below, ofSignAt: 0, 0, width: 40, height: 0, isPlate: false, in: frame)
        }
    }
}
