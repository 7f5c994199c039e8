import Foundation
import Testing

@testable import Imaging

@Suite struct LandmarkTemplateTests {
    /// A sign of 120 × 80 that nothing else looks like.
    static func sign() throws -> Frame {
        try TestPicture.make(width: 120, height: 80) { x, y in
            let ring = hypot(Double(x) - 40, Double(y) - 40)
            if (14..<26).contains(ring) { return (30, 40, 200) }
            if (70..<110).contains(x), (20..<30).contains(y) || (48..<62).contains(y) { return (20, 20, 20) }
            if x < 4 || y < 4 || x >= 116 || y >= 76 { return (10, 90, 10) }
            return (220, 225, 230)
        }
    }

    /// A street with the sign in it: its middle at `x`, `y`, `scale` times its size, turned by `angleDeg`.
    static func street(x: Double, y: Double, scale: Double, angleDeg: Double, withSign: Bool = true) throws -> Frame {
        var frame = try Frame.black(width: 1280, height: 720)
        try frame.fillWithNoise(seed: 3, sigma: 60)
        try frame.blur(sigma: 9)
        for i in 0..<40 {
            let (left, top) = (Double((i * 211) % 1200), Double((i * 97) % 660))
            try frame.fill(
                [(left, top), (left + 60, top + 4), (left + 55, top + 70), (left + 5, top + 60)].map {
                    CanvasPoint(x: $0.0, y: $0.1)
                }, .grey(Double((i * 53) % 256), alpha: 0.6))
        }
        guard withSign else { return frame }
        let file = FileManager.default.temporaryDirectory.appending(path: "sign-\(UUID().uuidString).png").path()
        defer { try? FileManager.default.removeItem(atPath: file) }
        try sign().write(path: file)
        let layer = try CanvasLayer(contentsOf: file)
        let (c, s) = (cos(angleDeg * .pi / 180), sin(angleDeg * .pi / 180))
        let (w, h) = (60 * scale, 40 * scale)
        let corners = [(-w, -h), (w, -h), (w, h), (-w, h)].map {
            CanvasPoint(x: x + $0.0 * c - $0.1 * s, y: y + $0.0 * s + $0.1 * c)
        }
        try frame.draw(layer, corners: corners)
        return frame
    }

    @Test(
        "A sign is found where it is, at half to twice its size and turned either way",
        arguments: [(1.0, 0.0), (0.55, 0.0), (1.9, 0.0), (0.8, 7.0), (1.3, -6.5), (0.62, 3.2), (1.47, -1.9)])
    func found(scale: Double, angleDeg: Double) throws {
        let template = try LandmarkTemplate(Self.sign())
        let pyramid = try GreyPyramid(Self.street(x: 703.4, y: 311.2, scale: scale, angleDeg: angleDeg))
        let sighting = try #require(try template.find(in: pyramid, leastScore: 0.9, thoroughly: true))
        #expect(abs(sighting.box.x + sighting.box.width / 2 - 703.4) < 3, "\(sighting)")
        #expect(abs(sighting.box.y + sighting.box.height / 2 - 311.2) < 3, "\(sighting)")
        #expect(abs(log(sighting.scale / scale)) < 0.06, "\(sighting)")
        #expect(abs(sighting.angleDeg - angleDeg) < 3, "\(sighting)")
    }

    @Test("A street without the sign has none")
    func absent() throws {
        let template = try LandmarkTemplate(Self.sign())
        let pyramid = try GreyPyramid(Self.street(x: 0, y: 0, scale: 1, angleDeg: 0, withSign: false))
        #expect(try template.find(in: pyramid, leastScore: 0.9, thoroughly: true) == nil)
    }

    @Test("A template that shows nothing is refused, and so is one that is too small")
    func refused() throws {
        let plainError = #expect(throws: ImagingError.self) {
            try LandmarkTemplate(TestPicture.plain(width: 100, height: 100, grey: 90))
        }
        #expect(plainError?.kind == .badArgument)
        let tinyError = #expect(throws: ImagingError.self) {
            try LandmarkTemplate(TestPicture.make(width: 12, height: 40) { x, _ in x % 2 == 0 ? (0, 0, 0) : (255, 255, 255) })
        }
        #expect(tinyError?.kind == .badArgument)
    }
}
