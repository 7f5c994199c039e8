import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Testing
import WorldModel

@testable import RoadMap

@Suite struct MapFileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    static func point(_ latitude: Double, _ longitude: Double) -> MapPoint {
        MapPoint(GeoPoint(latitude: latitude, longitude: longitude)!)
    }

    static func road(_ id: Int64, _ tags: [String: String], _ points: [(Double, Double)]) -> TaggedWay {
        TaggedWay(id: id, tags: tags.merging(["highway": "secondary"]) { own, _ in own }, shape: points.map { point($0.0, $0.1) })
    }

    private func map(_ ways: TaggedWay...) throws -> MapFile {
        let path = folder.path("map.db")
        let writer = try MapFileWriter(path: path)
        for way in ways { try writer.write(way) }
        try writer.finish(about: ["source": "test", "attribution": MapFile.attribution])
        return try MapFile(path: path)
    }

    @Test("What is written is found again, whole and with its limits")
    func roundTrip() throws {
        let file = try map(
            Self.road(
                7,
                [
                    "name": "Hauptstraße", "maxspeed": "70", "maxspeed:backward": "50", "oneway": "-1", "tunnel": "yes",
                    "foo": "bar",
                ],
                [(48, 11), (48.001, 11.002), (48.0005, 11.004)]),
            Self.road(8, ["highway": "footway"], [(48, 11), (48, 11.1)]), Self.road(9, [:], [(48, 11)]),
            Self.road(10, ["ref": "A 9", "highway": "motorway"], [(50, 11), (50, 11.1)]))
        let found = try file.ways(around: GeoPoint(latitude: 48.0005, longitude: 11.001)!, radiusM: 100)
        #expect(found.map(\.id) == [7])
        let way = try #require(found.first)
        #expect(way.name == "Hauptstraße")
        #expect(way.traffic == .backwardOnly)
        #expect(way.isTunnel && !way.isBridge)
        #expect(way.shape == [Self.point(48, 11), Self.point(48.001, 11.002), Self.point(48.0005, 11.004)])
        #expect(way.limits.applied(.forward, at: nil).limit.description == "70 km/h")
        #expect(way.limits.applied(.backward, at: nil).limit.description == "50 km/h")
        let motorway = try file.ways(around: GeoPoint(latitude: 50, longitude: 11.05)!, radiusM: 10)
        #expect(motorway.map(\.name) == ["A 9"])
        #expect(motorway.first?.traffic == .forwardOnly)
        #expect(try file.ways(around: GeoPoint(latitude: 49, longitude: 11)!, radiusM: 1000).isEmpty)
        #expect(try file.about()["ways"] == "2")
        #expect(try file.about()["attribution"]?.contains("OpenStreetMap") == true)
    }

    @Test("A place by the date line finds the roads on both of its sides")
    func dateLine() throws {
        let file = try map(
            Self.road(1, [:], [(-17, 179.9), (-17, 179.999)]), Self.road(2, [:], [(-17, -179.9), (-17, -179.999)]))
        let ids = try file.ways(around: GeoPoint(latitude: -17, longitude: 179.9999)!, radiusM: 2000).map(\.id)
        #expect(ids.sorted() == [1, 2])
    }

    @Test(
        "A file that is no map, an old map or a broken one is told in one line",
        arguments: ["text", "sqlite", "version", "missing"])
    func refused(kind: String) throws {
        let path = folder.path("bad.db")
        switch kind {
        case "text": try Data("hello".utf8).write(to: URL(filePath: path))
        case "sqlite", "version":
            _ = try map(Self.road(1, [:], [(1, 1), (2, 2)]))
            var bytes = try Data(contentsOf: URL(filePath: folder.path("map.db")))
            // SQLite's header: user version at 60, application id at 68.
            if kind == "sqlite" { bytes[70] = 0 } else { bytes[63] = 99 }
            try bytes.write(to: URL(filePath: path))
        default: break
        }
        let error = #expect(throws: UserError.self) { try MapFile(path: path) }
        #expect(error?.message.hasPrefix(path) == true)
        #expect(error?.code == (kind == "missing" ? .noInput : .badData))
    }

    @Test("Damaged rows are left out, damaged pages are an error and never a crash")
    func damaged() throws {
        _ = try map(Self.road(1, ["maxspeed": "50"], (0..<500).map { (48 + Double($0) / 1e5, 11) }))
        let good = try Data(contentsOf: URL(filePath: folder.path("map.db")))
        var generator = SeededGenerator(seed: 3, purpose: "damage")
        var (found, refused) = (0, 0)
        for _ in 0..<150 {
            var bytes = good
            for _ in 0..<20 {
                bytes[Int(generator.next() % UInt64(bytes.count - 100)) + 100] = UInt8(truncatingIfNeeded: generator.next())
            }
            let path = folder.path("damaged.db")
            try bytes.write(to: URL(filePath: path))
            do {
                found += try MapFile(path: path).ways(around: GeoPoint(latitude: 48.001, longitude: 11)!, radiusM: 100).count
            } catch {
                refused += 1
            }
        }
        #expect(found > 0)
        #expect(found + refused <= 150)
    }

    @Test("A writer that does not finish leaves the old map in its place and nothing beside it")
    func unfinished() throws {
        _ = try map(Self.road(1, [:], [(48, 11), (48, 11.1)]))
        do {
            let writer = try MapFileWriter(path: folder.path("map.db"))
            try writer.write(Self.road(2, [:], [(48, 11), (48, 11.1)]))
        }
        let again = try MapFile(path: folder.path("map.db"))
        #expect(try again.ways(around: GeoPoint(latitude: 48, longitude: 11.05)!, radiusM: 10).map(\.id) == [1])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path()) == ["map.db"])
    }
}

@Suite(.enabled(if: SharedData.isPresent, "needs ../shared"))
struct MapImportTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        "Every extract is imported: PBF, XML and XML with gzip, with all its drivable ways",
        arguments: [
            ("andorra.osm.pbf", 1179, 198), ("columbus.osm.pbf", 7075, 440), ("itinero-wechelderzande.osm.pbf", 231, 63),
            ("karlsruhe-kirchfeld.osm.pbf", 482, 243), ("krems.osm.gz", 570, 213), ("laufamholzstrasse.osm.xml", 27, 24),
            ("london-roads.osm.pbf", 6051, 4057), ("north-bayreuth.osm.gz", 883, 259),
        ])
    func extracts(name: String, drivable: Int, withNumber: Int) throws {
        var shares: [Double] = []
        let summary = try MapImport(source: SharedData.path("osm/" + name), destination: folder.path("map.db"))
            .run(importedAt: .epoch) { shares.append($0.share) }
        // A few of the drivable ways lie outside of the extract with all but one node.
        #expect((drivable - 5...drivable).contains(summary.ways), "\(summary.ways)")
        #expect(summary.ways + summary.withoutShape == drivable)
        #expect(summary.withLimit >= withNumber, "\(summary.withLimit), \(summary.notKnown)")
        #expect(shares.allSatisfy { (0...1).contains($0) })
        let file = try MapFile(path: folder.path("map.db"))
        #expect(try file.about()["source"] == name)
    }

    @Test("What is no OpenStreetMap file, or only part of one, is told in one line and leaves nothing behind")
    func refused() throws {
        let whole = try Data(contentsOf: URL(filePath: SharedData.path("osm/andorra.osm.pbf")))
        for (name, bytes) in [
            ("half.osm.pbf", whole.prefix(whole.count / 2)), ("empty.osm.pbf", Data()), ("text.osm.pbf", Data("hello".utf8)),
            ("text.osm", Data("hello".utf8)), ("other.txt", Data("hello".utf8)), ("text.osm.gz", Data("hello".utf8)),
        ] {
            let path = folder.path(name)
            try bytes.write(to: URL(filePath: path))
            let error = #expect(throws: UserError.self, "\(name)") {
                try MapImport(source: path, destination: folder.path("map.db")).run(importedAt: .epoch) { _ in }
            }
            #expect(error?.code == .badData, "\(name): \(error?.message ?? "")")
            #expect(error?.message.hasPrefix(path) == true)
            try FileManager.default.removeItem(atPath: path)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path()).isEmpty)
    }

    @Test("Damaged files end in an error or a map, never in a crash")
    func damaged() throws {
        let whole = try Data(contentsOf: URL(filePath: SharedData.path("osm/itinero-wechelderzande.osm.pbf")))
        var generator = SeededGenerator(seed: 5, purpose: "damage")
        var errors = 0
        for _ in 0..<40 {
            var bytes = whole
            for _ in 0..<3 { bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: generator.next()) }
            let path = folder.path("damaged.osm.pbf")
            try bytes.write(to: URL(filePath: path))
            do {
                _ = try MapImport(source: path, destination: folder.path("map.db")).run(importedAt: .epoch) { _ in }
            } catch is UserError {
                errors += 1
            }
        }
        #expect(errors > 20)
    }
}
