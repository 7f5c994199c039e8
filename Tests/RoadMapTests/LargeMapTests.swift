import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Glibc
import Testing
import WorldModel

@testable import RoadMap

/// A country's worth of roads.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["FLEET_LONG_TESTS"] != nil, "long; make test-long"))
struct LargeMapTests {
    static let columns = 2000

    /// Road `number` of a grid of streets of 150 m: eight places on a gentle curve.
    private static func road(_ number: Int) -> TaggedWay {
        let (row, column) = (number / 2 / columns, number / 2 % columns)
        let (x, y) = (Double(column) * 150, Double(row) * 150)
        let isEast = number.isMultiple(of: 2)
        let shape = (0..<8).map { i -> MapPoint in
            let (along, off) = (Double(i) / 7 * 150, Double(i * (7 - i)) / 4)
            return MapPoint(
                x: Int32(100_000_000 + (x + (isEast ? along : off)) / 0.0075),
                y: Int32(480_000_000 + (y + (isEast ? off : along)) / 0.0111))
        }
        return TaggedWay(
            id: Int64(number + 1),
            tags: ["highway": "residential", "maxspeed": ["30", "50", "DE:urban"][number % 3], "name": "Street \(row)"],
            shape: shape)
    }

    /// Processor time of this thread and of the process, s: what the clock on the wall shows depends on who else is at work.
    private static func threadS() -> Double { seconds(CLOCK_THREAD_CPUTIME_ID) }
    private static func processS() -> Double { seconds(CLOCK_PROCESS_CPUTIME_ID) }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Memory of this process that is no file's, in bytes.
    private static func anonymousBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        return line.flatMap { Int($0.split(whereSeparator: { $0 == " " || $0 == "\t" })[1]) }.map { $0 * 1024 } ?? 0
    }

    @Test("In a map of 3 million roads a look-up takes at most 1 ms at the 99th percentile, in bounded memory")
    func threeMillion() throws {
        let folder = try TemporaryFolder()
        let count = 3_000_000
        let before = try Self.anonymousBytes()
        let begun = MonotonicTime.now()
        let writer = try MapFileWriter(path: folder.path("map.db"))
        for number in 0..<count { try writer.write(Self.road(number)) }
        try writer.finish(about: [:])
        let writtenS = MonotonicTime.now() - begun
        let afterWriting = try Self.anonymousBytes() - before

        let file = try MapFile(path: folder.path("map.db"))
        var generator = SeededGenerator(seed: 1, purpose: "places")
        var times: [Double] = []
        var walls: [Double] = []
        var found = 0
        for _ in 0..<20_000 {
            let place = GeoPoint(latitude: generator.uniform(48.01...48.9), longitude: generator.uniform(10.01...12.2))!
            let (start, wallStart) = (Self.threadS(), MonotonicTime.now())
            found += try file.ways(around: place, radiusM: 50).count
            times.append((Self.threadS() - start) * 1000)
            walls.append((MonotonicTime.now() - wallStart) * 1000)
        }
        times.sort()
        walls.sort()
        let p99 = times[times.count * 99 / 100]
        let afterLooking = try Self.anonymousBytes() - before
        let size = try FileManager.default.attributesOfItem(atPath: folder.path("map.db"))[.size] as? Int ?? 0
        print(
            "\(count) roads written in \(writtenS) s, \(size >> 20) MiB; look-up p50 \(times[times.count / 2]) ms, p99 \(p99) ms of processor time, p99 \(walls[walls.count * 99 / 100]) ms by the clock, \(Double(found) / 20_000) roads each; memory +\(afterWriting >> 20) MiB writing, +\(afterLooking >> 20) MiB after looking"
        )
        #expect(found > 20_000)
        #expect(p99 <= 1)
        #expect(afterWriting < 300 << 20)
        #expect(afterLooking < 300 << 20)
    }

    @Test("300,000 roads are imported from OpenStreetMap's own form in bounded memory")
    func importing() throws {
        let folder = try TemporaryFolder()
        let count = 300_000
        let path = folder.path("region.osm")
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        func write(_ text: String) throws { try file.write(contentsOf: Data(text.utf8)) }
        try write("<osm version=\"0.6\">\n")
        for number in 0..<count {
            let nodes = Self.road(number).shape.enumerated().map { i, point in
                "<node id=\"\(number * 8 + i + 1)\" lat=\"\(point.latitude)\" lon=\"\(point.longitude)\"/>\n"
            }
            try write(nodes.joined())
        }
        for number in 0..<count {
            let refs = (0..<8).map { "<nd ref=\"\(number * 8 + $0 + 1)\"/>" }.joined()
            let tags = Self.road(number).tags.sorted { $0.key < $1.key }.map { "<tag k=\"\($0.key)\" v=\"\($0.value)\"/>" }.joined()
            try write("<way id=\"\(number + 1)\">\(refs)\(tags)</way>\n")
        }
        try write("</osm>\n")
        try file.close()
        let before = try Self.anonymousBytes()
        var most = 0
        let (begun, wallBegun) = (Self.processS(), MonotonicTime.now())
        let summary = try MapImport(source: path, destination: folder.path("map.db")).run(importedAt: .epoch) { progress in
            if progress.ways.isMultiple(of: 25_600) { most = max(most, try Self.anonymousBytes() - before) }
        }
        let seconds = Self.processS() - begun
        print(
            "\(summary.ways) roads imported from XML in \(seconds) s of processor time, \(MonotonicTime.now() - wallBegun) s by the clock: \(Int(Double(count) / seconds * 60)) a minute; memory at most +\(most >> 20) MiB"
        )
        #expect(summary.ways == count)
        #expect(summary.withLimit == count)
        #expect(most < 400 << 20)
    }
}
