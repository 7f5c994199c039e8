import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Testing
import WorldModel

@testable import RoadMap
@testable import SpeedLimits

/// The yardstick of Euro NCAP's Safe Driving protocol for speed assistance: over what share of the distance is the limit that is told right?
///
/// Drives along the real roads of the extracts. In the simulated world every road has a limit: the tagged one, or one by its class. The vehicle's
/// map is older: of its roads 10 % have lost their limit and 3 % have another one. Signs stand where the limit changes and after every turn; 95 % of
/// them are adopted. Positions have 5 m of noise on each axis. A told limit is held against the true one at the place of the fix that it was told for.
@Suite(.enabled(if: SharedData.isPresent, "needs ../shared"))
struct LimitYardstickTests {
    struct Score {
        var metres = 0.0
        var right = 0.0
        var unknown = 0.0
        var wrong = 0.0
        var share: Double { right / max(1, metres) }
    }

    private static func trueLimit(_ way: MapWay) -> Speed {
        if let limit = way.limits.applied(.forward, at: nil).limit.speed { return limit }
        let kmh: Double =
            switch way.roadClass {
            case .motorway: 120
            case .trunk, .motorwayLink, .trunkLink: 100
            case .primary, .secondary, .primaryLink, .secondaryLink: 70
            case .residential, .livingStreet: 30
            case .service: 20
            default: 50
            }
        return Speed(kmh, .kilometresPerHour)
    }

    static func score(_ name: String, metres: Double, seed: UInt64, withSigns: Bool = true, outdated: Bool = true) throws -> Score {
        let extract = try Extract(name)
        var generator = SeededGenerator(seed: seed, purpose: "map")
        let truth = Dictionary(uniqueKeysWithValues: extract.ways.map { ($0.id, trueLimit($0)) })
        let old = extract.ways.map { way -> MapWay in
            var way = way
            let limit = truth[way.id]!
            let fate = generator.uniform(0...1)
            let unit = limit.unit == .milesPerHour ? " mph" : ""
            let other = limit.value + (fate < 0.115 ? 20 : limit.value > 20 ? -10 : 10)
            let value = outdated && fate < 0.1 ? nil : outdated && fate < 0.13 ? other : limit.value
            way.limits = RoadLimits(tags: value.map { ["maxspeed": "\(Int($0))\(unit)"] } ?? [:])
            return way
        }
        var driver = SimulatedDrive(extract.ways, seed: seed)
        var receiver = NoisyReceiver(sdM: 5, wanderS: 20, seed: seed)
        var score = Score()
        for _ in 0..<2000 where score.metres < metres {
            let moments = driver.drive(metres: 5000)
            guard moments.count >= 60 else { continue }
            var fusion = LimitFusion(roads: ListedRoads(old))
            var estimator = EgoStateEstimator()
            var last: SimulatedDrive.Moment?
            for (i, moment) in moments.enumerated() {
                estimator.update(receiver.fix(moment))
                let ego = estimator.state(at: moment.timeS)
                if withSigns, let last, let limit = truth[moment.wayID], moment.wayID != last.wayID {
                    let turned = abs((moment.headingDeg - last.headingDeg).remainder(dividingBy: 360)) > 30
                    if limit != truth[last.wayID] || turned, generator.uniform(0...1) < 0.95 {
                        let sign = AdoptedSign(
                            kind: .limit, limit: limit, confidence: 0.97, timeS: moment.timeS,
                            box: Box(x: 0, y: 0, width: 20, height: 20),
                            readings: 8)
                        fusion.observe(sign, ego: ego)
                    }
                }
                last = moment
                let told = fusion.limit(for: ego)
                // The first seconds belong to the receiver's warm-up.
                guard i > 5, let fixS = ego.fixTimeS, let place = moments.last(where: { $0.timeS <= fixS + 0.01 }) else { continue }
                score.metres += moment.speedMps
                guard let told else {
                    score.unknown += moment.speedMps
                    continue
                }
                let isRight = abs(told.limit.metresPerSecond - truth[place.wayID]!.metresPerSecond) < 0.05
                if isRight { score.right += moment.speedMps } else { score.wrong += moment.speedMps }
            }
        }
        return score
    }

    @Test(
        "On a few kilometres the limit is right for most of the distance",
        arguments: ["karlsruhe-kirchfeld.osm.pbf", "krems.osm.gz"])
    func short(name: String) throws {
        let score = try Self.score(name, metres: 8000, seed: 1)
        #expect(score.metres >= 8000)
        #expect(score.share >= 0.93, "\(score)")
    }

    @Test(
        "Over 200 km the limit is right for at least 95 % of the distance",
        .enabled(if: ProcessInfo.processInfo.environment["FLEET_LONG_TESTS"] != nil, "long; make test-long"))
    func long() throws {
        var total = Score()
        for name in Extract.all {
            let score = try Self.score(name, metres: 200_000 / Double(Extract.all.count), seed: 2)
            print("\(name): \(Int(score.metres)) m, right \(score.share), unknown \(score.unknown / score.metres)")
            total.metres += score.metres
            total.right += score.right
            total.unknown += score.unknown
            total.wrong += score.wrong
        }
        print(
            "limit right over \(Int(total.metres)) m: \(total.share), unknown \(total.unknown / total.metres), wrong \(total.wrong / total.metres)"
        )
        #expect(total.metres >= 200_000)
        #expect(total.share >= 0.95)
    }
}
