import FleetTestSupport
import Foundation
import Imaging
import Testing

@Suite("Pictures in memory and in files")
struct FrameTests {
    private func gradient() throws -> Frame {
        try TestPicture.make(width: 8, height: 6) { x, y in (UInt8(x * 10), UInt8(y * 10), UInt8(x + y)) }
    }

    @Test("Samples are blue, green, red, and nil outside the picture")
    func samples() throws {
        let frame = try gradient()
        let samples = Samples(frame)
        #expect(samples.width == 8 && samples.height == 6 && samples.channels == 3)
        #expect(samples.at(3, 2) == [30, 20, 5])
        let outside = [frame.sample(x: 8, y: 0), frame.sample(x: 0, y: -1), frame.sample(x: 0, y: 0, channel: 3)]
        #expect(outside == [nil, nil, nil])
    }

    @Test("A picture of impossible size is not made", arguments: [(0, 5), (5, 0), (-1, 5), (40_000, 5), (Int.max, 5)])
    func impossibleSize(_ size: (width: Int, height: Int)) {
        let wasMade: Bool
        if let frame = Frame(width: size.width, height: size.height) { wasMade = frame.width >= 0 } else { wasMade = false }
        #expect(!wasMade)
    }

    @Test("A copy has its own samples")
    func copying() throws {
        let frame = try gradient()
        let before = Samples(frame)
        guard var copy = frame.copy() else {
            Issue.record("no copy")
            return
        }
        let same = Samples(copy)
        #expect(same == before)
        try copy.obscure(x: 0, y: 0, width: 4, height: 3)
        let (after, changed) = (Samples(frame), Samples(copy))
        #expect(after == before)
        #expect(changed != before)
    }

    @Test("Cropping gives the part asked for and refuses what lies outside")
    func cropping() throws {
        let frame = try gradient()
        let part = Samples(try frame.cropped(x: 2, y: 1, width: 3, height: 4))
        #expect(part.width == 3 && part.height == 4)
        #expect(part.at(0, 0) == [20, 10, 3])
        #expect(part.at(2, 3) == [40, 40, 8])
        for (x, y, width, height) in [(6, 0, 3, 2), (-1, 0, 3, 2), (0, 0, 0, 2), (0, 5, 1, 2), (Int.max, 0, 1, 1)] {
            #expect(throws: ImagingError.self) { _ = try frame.cropped(x: x, y: y, width: width, height: height) }
        }
    }

    @Test("Halving averages two by two samples; grey weighs 0.114 blue, 0.587 green, 0.299 red")
    func resizingAndGrey() throws {
        let checks = try TestPicture.make(width: 4, height: 4) { x, _ in x % 2 == 0 ? (100, 0, 0) : (200, 0, 0) }
        let half = Samples(try checks.resized(width: 2, height: 2))
        #expect(half.at(0, 0) == [150, 0, 0])
        let grey = Samples(try TestPicture.make(width: 1, height: 1) { _, _ in (100, 50, 200) }.grey())
        #expect(grey.channels == 1)
        // 11.4 + 29.35 + 59.8 = 100.55
        #expect(grey.at(0, 0) == [101])
        #expect(throws: ImagingError.self) { _ = try checks.resized(width: 0, height: 2) }
    }

    @Test("An obscured part loses its detail and the rest keeps every sample")
    func obscuring() throws {
        var stripes = try TestPicture.make(width: 64, height: 64) { x, _ in x % 2 == 0 ? (0, 0, 0) : (200, 200, 200) }
        try stripes.obscure(x: 16, y: 16, width: 36, height: 24)
        let once = Samples(stripes)
        for x in 17..<51 { #expect((85...115).contains(once.at(x, 20)[0])) }
        #expect(once.at(15, 20) == [200, 200, 200])
        #expect(once.at(16, 15) == [0, 0, 0])
        // Partly and wholly outside, and of no size: cut, nothing breaks.
        try stripes.obscure(x: -10, y: -10, width: 15, height: 15)
        try stripes.obscure(x: 100, y: 100, width: 15, height: 15)
        try stripes.obscure(x: 5, y: 5, width: 0, height: -3)
        try stripes.obscure(x: 60, y: 2, width: 1, height: 60)
        let end = Samples(stripes)
        #expect(end.at(62, 60) == [0, 0, 0])
    }

    @Test("PNG keeps every sample, JPEG nearly, and a lower quality gives fewer bytes")
    func files() throws {
        let folder = try TemporaryFolder()
        let frame = try TestPicture.make(width: 64, height: 48) { x, y in (UInt8(x * 3), UInt8(y * 4), UInt8((x * y) % 251)) }
        try frame.write(path: folder.path("a.png"))
        let (back, original) = (Samples(try Frame.read(path: folder.path("a.png"))), Samples(frame))
        #expect(back == original)
        let (good, poor) = (try frame.jpeg(quality: 95), try frame.jpeg(quality: 20))
        #expect(good.starts(with: [0xFF, 0xD8, 0xFF]))
        #expect(poor.count < good.count)
        let decoded = Samples(try Frame.decode(good))
        #expect(decoded.width == 64 && decoded.height == 48)
    }

    @Test("What is no picture is refused by kind, with the path and the reason")
    func unreadable() throws {
        let folder = try TemporaryFolder()
        try Data("not a picture".utf8).write(to: folder.url.appending(path: "text.jpg"))
        let whole = try TestPicture.plain(width: 32, height: 32, grey: 90).jpeg(quality: 90)
        try whole.dropLast(20).write(to: folder.url.appending(path: "cut.jpg"))
        try Data().write(to: folder.url.appending(path: "empty.jpg"))
        let cases: [(String, ImagingError.Kind)] = [
            ("missing.jpg", .notFound), ("text.jpg", .unreadable), ("cut.jpg", .unreadable), ("empty.jpg", .unreadable),
            ("", .unreadable),
        ]
        for (name, kind) in cases {
            let error = #expect(throws: ImagingError.self) { _ = try Frame.read(path: folder.path(name)) }
            #expect(error?.kind == kind, "\(name)")
            #expect(error?.description.contains(folder.path(name)) == true)
            #expect(error?.detail.isEmpty == false)
        }
        #expect(throws: ImagingError.self) { _ = try Frame.decode(Data()) }
        #expect(throws: ImagingError.self) { _ = try Frame.decode(whole.prefix(3)) }
        let frame = try TestPicture.plain(width: 2, height: 2, grey: 1)
        #expect(throws: ImagingError.self) { try frame.write(path: folder.path("no/such/folder.png")) }
        #expect(throws: ImagingError.self) { try frame.write(path: folder.path("unknown.ending")) }
    }

    @Test("A picture cut short anywhere is refused as such, whatever part is missing", arguments: ["jpg", "png"])
    func cutAnywhere(_ ending: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("whole." + ending)
        let frame = try TestPicture.make(width: 40, height: 30) { x, y in (UInt8(x * 6), UInt8(y * 8), UInt8((x * y) % 251)) }
        try frame.write(path: path)
        let whole = try Data(contentsOf: URL(filePath: path))
        for count in 9..<whole.count - (ending == "png" ? 0 : 1) {
            let error = #expect(throws: ImagingError.self) { _ = try Frame.decode(whole.prefix(count)) }
            #expect(error?.detail == "is cut short", "\(count) of \(whole.count) bytes")
        }
        // Bytes behind the end do no harm.
        let longer = Samples(try Frame.decode(whole + Data([1, 2, 3])))
        #expect(longer.width == 40)
    }

    @Test("A small file that claims gigapixels is refused before anything is decoded")
    func bombs() throws {
        let folder = try TemporaryFolder()
        let frame = try TestPicture.plain(width: 16, height: 16, grey: 7)
        try frame.write(path: folder.path("a.png"))
        var png = try Data(contentsOf: folder.url.appending(path: "a.png"))
        png.replaceSubrange(16..<24, with: [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30])  // 30,000 × 30,000
        var jpeg = try frame.jpeg(quality: 90)
        let header = try #require(jpeg.firstRange(of: Data([0xFF, 0xC0]))).lowerBound
        jpeg.replaceSubrange(header + 5..<header + 9, with: [0x75, 0x30, 0x75, 0x30])
        for bytes in [png, jpeg] {
            let error = #expect(throws: ImagingError.self) { _ = try Frame.decode(bytes) }
            #expect(error?.detail == "has more than 100 million pixels")
        }
    }
}
