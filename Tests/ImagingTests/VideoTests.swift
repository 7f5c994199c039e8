import FleetTestSupport
import Foundation
import Imaging
import Testing

@Suite("Video files")
struct VideoTests {
    /// A video of `count` frames; the grey value of frame n is 10 + 12 (n mod 20), so that every frame is known by its look.
    private func makeVideo(_ path: String, count: Int, framesPerSecond: Double, width: Int = 160, height: Int = 96) throws {
        let writer = try VideoWriter(path: path, width: width, height: height, framesPerSecond: framesPerSecond)
        for n in 0..<count {
            let frame = try TestPicture.plain(width: width, height: height, grey: UInt8(10 + 12 * (n % 20)))
            try writer.write(frame)
        }
    }

    private func read(_ reader: VideoReader) throws -> (times: [Double], greys: [Int]) {
        var (times, greys): ([Double], [Int]) = ([], [])
        while let next = try reader.next() {
            times.append(next.timeS)
            greys.append(Int(next.frame.sample(x: 80, y: 48) ?? 0))
        }
        return (times, greys)
    }

    @Test("Every frame comes once, in order, at its own time, the reordered last ones too", arguments: [10.0, 25, 30])
    func roundTrip(rate: Double) throws {
        let folder = try TemporaryFolder()
        try makeVideo(folder.path("v.mp4"), count: 40, framesPerSecond: rate)
        let reader = try VideoReader(.stream(folder.path("v.mp4")))
        #expect(reader.info.width == 160 && reader.info.height == 96)
        #expect(reader.info.frameCount == 40)
        #expect(abs((reader.info.framesPerSecond ?? 0) - rate) < 0.01)
        let (times, greys) = try read(reader)
        #expect(greys.count == 40)
        for n in 0..<40 {
            #expect(abs(times[n] - Double(n) / rate) < 0.0015, "frame \(n) at \(times[n])")
            #expect(abs(greys[n] - (10 + 12 * (n % 20))) <= 5, "frame \(n) looks like grey \(greys[n])")
        }
        let (more, _) = try read(reader)
        #expect(more.isEmpty)
    }

    @Test("V7 a video that is missing, empty, a folder or no video is refused by kind, with its path and why")
    func refusals() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: folder.url.appending(path: "empty.mp4"))
        try Data("text".utf8).write(to: folder.url.appending(path: "text.mp4"))
        try makeVideo(folder.path("v.mp4"), count: 30, framesPerSecond: 30)
        let whole = try Data(contentsOf: folder.url.appending(path: "v.mp4"))
        // The index stands at the end of this file: without it nothing can be read.
        try whole.prefix(whole.count / 2).write(to: folder.url.appending(path: "half.mp4"))
        let cases: [(String, ImagingError.Kind)] = [
            ("missing.mp4", .notFound), ("no/folder.mp4", .notFound), ("empty.mp4", .unreadable), ("text.mp4", .unreadable),
            ("half.mp4", .unreadable), ("", .unreadable),
        ]
        for (name, kind) in cases {
            let error = #expect(throws: ImagingError.self) { _ = try VideoReader(.stream(folder.path(name))) }
            #expect(error?.kind == kind, "\(name)")
            #expect(error?.description.contains(folder.path(name)) == true)
            #expect(error?.detail.isEmpty == false)
        }
    }

    @Test("A video cut short gives the frames it has and still says how many it had promised")
    func cutShort() throws {
        let folder = try TemporaryFolder()
        let reader = try VideoReader(.stream(try writeCutAVI(folder)))
        let (times, _) = try read(reader)
        #expect(times.count > 5 && times.count < 45)
        #expect(reader.info.frameCount == 60)
    }

    /// Motion JPEG in an AVI of 60 frames, whose beginning states the count and whose end is missing.
    private func writeCutAVI(_ folder: TemporaryFolder) throws -> String {
        let jpeg = try TestPicture.make(width: 64, height: 48) { x, y in (UInt8(x * 4), UInt8(y * 5), 80) }.jpeg(quality: 80)
        let avi = MotionJPEGFile.bytes(frames: Array(repeating: jpeg, count: 60), width: 64, height: 48, framesPerSecond: 20)
        let path = folder.path("cut.avi")
        try avi.prefix(avi.count * 6 / 10).write(to: URL(filePath: path))
        return path
    }

    @Test("V6 a camera that does not exist is not found, and a file is no camera")
    func noCamera() throws {
        let missing = #expect(throws: ImagingError.self) {
            _ = try VideoReader(.camera(device: "/dev/video987", width: 640, height: 480, framesPerSecond: 30))
        }
        #expect(missing?.kind == .notFound)
        #expect(missing?.description == "opening /dev/video987: No such file or directory")
        let folder = try TemporaryFolder()
        try Data("x".utf8).write(to: folder.url.appending(path: "f"))
        let file = #expect(throws: ImagingError.self) {
            _ = try VideoReader(.camera(device: folder.path("f"), width: nil, height: nil, framesPerSecond: nil))
        }
        #expect(file?.kind == .unreadable)
    }

    @Test("A stream that nobody serves is refused at once")
    func nobodyServes() {
        let error = #expect(throws: ImagingError.self) { _ = try VideoReader(.stream("http://127.0.0.1:9/video.mp4"), timeoutS: 2) }
        #expect(error?.kind == .unreadable)
    }

    @Test("The password in a stream's URL is not in the error")
    func noPassword() {
        let error = #expect(throws: ImagingError.self) {
            _ = try VideoReader(.stream("http://me:geheim@127.0.0.1:9/v.mp4"), timeoutS: 2)
        }
        #expect(error?.description == "opening the stream: does not answer with a video")
    }

    @Test("A writer refuses odd sizes, rates of nothing, missing folders and frames of another size")
    func writerRefusals() throws {
        let folder = try TemporaryFolder()
        for (width, height, rate) in [(161, 96, 30.0), (160, 95, 30), (0, 0, 30), (160, 96, 0), (160, 96, -1)] {
            #expect(throws: ImagingError.self) {
                _ = try VideoWriter(path: folder.path("x.mp4"), width: width, height: height, framesPerSecond: rate)
            }
        }
        #expect(throws: ImagingError.self) {
            _ = try VideoWriter(path: folder.path("no/x.mp4"), width: 160, height: 96, framesPerSecond: 30)
        }
        let writer = try VideoWriter(path: folder.path("y.mp4"), width: 160, height: 96, framesPerSecond: 30)
        let other = try TestPicture.plain(width: 80, height: 96, grey: 5)
        #expect(throws: ImagingError.self) { try writer.write(other) }
    }

    @Test(
        "Real clips: as many frames as counted, evenly spaced at the file's rate",
        .enabled(if: SharedData.isPresent, "needs ../shared/vision"),
        arguments: [
            ("clips/moped_reverses_into_ego.mp4", 326, 29.97), ("clips/motorway_dusk_overtaken.mp4", 296, 23.976),
            ("tracking/otb_car4.mp4", 659, 30),
        ])
    func realClips(_ name: String, _ count: Int, _ rate: Double) throws {
        let reader = try VideoReader(.stream(SharedData.path("vision/" + name)))
        let (times, _) = try read(reader)
        #expect(times.count == count)
        for (n, time) in times.enumerated() { #expect(abs(time - Double(n) / rate) < 0.004, "frame \(n) at \(time)") }
    }
}
