import Foundation
import Testing

@testable import Imaging

@Suite struct InspectionTests {
    @Test("Equal pictures have one digest, and one changed sample another")
    func digests() throws {
        let a = try ScaleChangeTests.picture(scale: 1)
        let b = try ScaleChangeTests.picture(scale: 1)
        var c = try ScaleChangeTests.picture(scale: 1)
        try c.obscure(x: 40, y: 40, width: 8, height: 8)
        #expect(a.digest == b.digest)
        #expect(a.digest != c.digest)
    }

    @Test("A plain picture has no structure, a pattern has it everywhere")
    func structure() throws {
        let plain = try TestPicture.plain(width: 320, height: 180, grey: 120).look()
        #expect(plain.flatShare == 1)
        #expect(abs(plain.mean - 120) < 1)
        let pattern = try ScaleChangeTests.picture(scale: 1).look()
        #expect(pattern.flatShare < 0.05)
    }

    @Test("Sensor noise on a covered lens is no structure")
    func noise() throws {
        var dark = try TestPicture.plain(width: 640, height: 360, grey: 100)
        var noise = try TestPicture.plain(width: 700, height: 400, grey: 0)
        try noise.fillWithNoise(seed: 7, sigma: 4)
        try dark.addNoise(noise, x: 3, y: 5)
        #expect(try dark.look().flatShare > 0.97)
    }

    @Test("A picture that grows about a point has its focus of expansion there; one that is shifted has none inside")
    func focus() throws {
        let before = try ScaleChangeTests.picture(scale: 1)
        let grown = try #require(try ScaleChangeTests.picture(scale: 1.04).drift(since: before))
        #expect(grown.expanding > 0.9)
        #expect(abs(grown.focusX - 0.5) < 0.05 && abs(grown.focusY - 0.5) < 0.05, "\(grown)")
        if let shifted = try ScaleChangeTests.picture(scale: 1, shiftX: 4).drift(since: before) {
            #expect(!(0.1...0.9).contains(shifted.focusX) || !(0.1...0.9).contains(shifted.focusY) || shifted.expanding < 0.5)
        }
        #expect(try before.drift(since: before) == nil)
    }

    @Test("A row of dark characters on a bright plate is a candidate; a plain wall is not")
    func plates() throws {
        let wall = try TestPicture.plain(width: 320, height: 180, grey: 110)
        #expect(try wall.plateCandidates().isEmpty)
        let car = try TestPicture.make(width: 320, height: 180) { x, y in
            guard (120..<200).contains(x), (90..<110).contains(y) else { return (90, 90, 90) }
            let isInk = (94..<106).contains(y) && (x - 124) % 10 < 5 && x >= 124 && x < 196
            return isInk ? (20, 20, 20) : (235, 235, 235)
        }
        let found = try car.plateCandidates()
        #expect(found.contains { $0.x < 160 && $0.x + $0.width > 160 && $0.y < 100 && $0.y + $0.height > 100 }, "\(found)")
    }
}
