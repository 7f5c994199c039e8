import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Testing
import WorldModel

@testable import RoadMap
@testable import SpeedLimits

/// An extract as a map file, and all its roads at hand.
struct Extract {
    let folder: TemporaryFolder
    let file: MapFile
    let ways: [MapWay]

    init(_ name: String) throws {
        folder = try TemporaryFolder()
        _ = try MapImport(source: SharedData.path("osm/" + name), destination: folder.path("map.db")).run(importedAt: .epoch) { _ in
        }
        file = try MapFile(path: folder.path("map.db"))
        let anywhere = GeoPoint(latitude: 48, longitude: 11)!
        // The square goes round the Earth, so that a way may come twice.
        let all = try file.ways(around: anywhere, radiusM: 15_000_000).sorted { $0.id < $1.id }
        ways = all.indices.filter { $0 == 0 || all[$0].id != all[$0 - 1].id }.map { all[$0] }
    }

    static let all = [
        "andorra.osm.pbf", "columbus.osm.pbf", "itinero-wechelderzande.osm.pbf", "karlsruhe-kirchfeld.osm.pbf", "krems.osm.gz",
        "london-roads.osm.pbf", "north-bayreuth.osm.gz",
    ]
}

@Suite(.enabled(if: SharedData.isPresent, "needs ../shared"))
struct MapMatchingTests {
    struct Score {
        var fixes = 0
        var right = 0
        var metres = 0.0
        var longestMs = 0.0
        var share: Double { Double(right) / Double(max(1, fixes)) }
    }

    static func score(_ extract: Extract, metres: Double, wanderS: Double, seed: UInt64) throws -> Score {
        var score = Score()
        var driver = SimulatedDrive(extract.ways, seed: seed)
        var receiver = NoisyReceiver(sdM: 5, wanderS: wanderS, seed: seed)
        var drives = 0
        while score.metres < metres, drives < 2000 {
            drives += 1
            let moments = driver.drive(metres: 5000)
            guard moments.count >= 30 else { continue }
            var matcher = MapMatcher(roads: extract.file)
            for moment in moments {
                let fix = receiver.fix(moment)
                let begun = MonotonicTime.now()
                let road = try matcher.update(
                    MapMatcher.Fix(
                        place: GeoPoint(latitude: fix.latitude!, longitude: fix.longitude!)!, timeS: fix.timeS,
                        speedMps: fix.speedMps,
                        headingDeg: fix.headingDeg, errorM: fix.positionErrorM))
                score.longestMs = max(score.longestMs, (MonotonicTime.now() - begun) * 1000)
                score.fixes += 1
                score.metres += moment.speedMps
                if road?.way.id == moment.wayID { score.right += 1 }
            }
        }
        return score
    }

    @Test("A track with 5 m of noise is on the right road", arguments: ["karlsruhe-kirchfeld.osm.pbf", "london-roads.osm.pbf"])
    func shortDrives(name: String) throws {
        let score = try Self.score(Extract(name), metres: 6000, wanderS: 0, seed: 1)
        #expect(score.fixes > 300)
        #expect(score.share >= 0.95, "\(score)")
    }

    @Test(
        "Over 100 km along real roads, noise 5 m on each axis at 1 Hz, at least 97 % of the fixes are on the right road",
        .enabled(if: ProcessInfo.processInfo.environment["FLEET_LONG_TESTS"] != nil, "long; make test-long"),
        arguments: [0.0, 30.0])
    func hundredKilometres(wanderS: Double) throws {
        var total = Score()
        for name in Extract.all {
            let score = try Self.score(Extract(name), metres: 100_000 / Double(Extract.all.count), wanderS: wanderS, seed: 2)
            print(
                "\(name): \(score.right) of \(score.fixes) fixes, \(Int(score.metres)) m, \(score.share), longest \(score.longestMs) ms"
            )
            total.fixes += score.fixes
            total.right += score.right
            total.metres += score.metres
        }
        print("noise wanders over \(wanderS) s: \(total.right) of \(total.fixes) fixes, \(Int(total.metres)) m: \(total.share)")
        #expect(total.metres >= 100_000)
        #expect(total.share >= 0.97)
    }
}
