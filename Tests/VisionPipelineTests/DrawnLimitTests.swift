import FleetModel
import FleetRuntime
import Foundation
import Imaging
import Perception
@testable import SimCore
import SpeedLimits
import Testing
@testable import VisionPipeline
import WorldModel

/// The yardstick of Euro NCAP's Safe Driving protocol for speed assistance on drawn roads: signs are found and read in rendered frames, there is
/// no map, and what is told is held against what holds at the place of the fix. The map drives of the same yardstick are `LimitYardstickTests`.
@Suite struct DrawnLimitTests {
    /// Metres driven by what was told there.
    struct Score {
        var (right, unknown, wrong) = (0.0, 0.0, 0.0)
        var metres: Double { right + unknown + wrong }
    }

    /// One road with a limit every few hundred metres; between them signs that set none, parked and oncoming vehicles.
    struct Road {
        static let limits = [30.0, 50, 60, 70, 80, 100].map { Speed($0, .kilometresPerHour) }

        let speedMps: Double
        private let drive: Scenario
        private let others: [(face: SignFace, atM: Double, lateralM: Double)]

        init(seed: UInt64, lengthM: Double) {
            var random = SeededGenerator(seed: seed, purpose: "drawn limits")
            speedMps = random.uniform(9...22)
            var traffic = Traffic(seed: seed)
            traffic.oncoming(speedMps: speedMps, everyM: 60, fromM: 40, untilS: lengthM / speedMps)
            var signs: [Scenario.LimitSign] = []
            var others: [(face: SignFace, atM: Double, lateralM: Double)] = []
            var atM = 50.0
            while atM < lengthM {
                let last = signs.last?.limit
                signs.append(Scenario.LimitSign(positionM: atM, limit: random.pick(Self.limits.filter { $0 != last })))
                for isLeft in [true, false] {
                    let face = random.pick(SignPass.european(random.pick(SignPass.kmh), &random))
                    let lateralM = isLeft ? -random.uniform(5...8) : random.uniform(4...5)
                    others.append((face, atM + random.uniform(30...120), lateralM))
                }
                traffic.parkedRow(atM + 40...atM + 70, gapM: 2...6)
                atM += random.uniform(160...450)
            }
            drive = Scenario(
                name: "limits", durationS: lengthM / speedMps, ego: MotionProfile(positionM: 0, speedMps: speedMps),
                actors: traffic.actors,
                signs: signs, crossingsM: [], initialLimit: Self.limits[1])
            self.others = others
        }

        /// The world at `t`, as far as a camera sees anything of it.
        func world(at t: Double) -> WorldSnapshot {
            var world = drive.snapshot(at: t)
            let travelled = world.ego.positionM
            world.signs += others.map { WorldSnapshot.Sign(face: $0.face, distanceM: $0.atM - travelled, lateralM: $0.lateralM) }
            world.signs.removeAll { !(1...150).contains($0.distanceM) }
            world.objects.removeAll { $0.distanceM > 150 }
            return world
        }

        /// What holds `metres` from the start on.
        func limit(at metres: Double) -> Speed { drive.signs.last { $0.positionM <= metres }?.limit ?? drive.initialLimit }

        /// Whether a sign has been passed by then: before, nothing can be known.
        func isKnowable(at metres: Double) -> Bool { drive.signs.first.map { $0.positionM <= metres } ?? false }

        /// How long it is, s.
        var durationS: Double { drive.durationS }
    }

    static func drive(seed: UInt64, lengthM: Double) throws -> Score {
        let road = Road(seed: seed, lengthM: lengthM)
        let camera = PinholeCamera(width: 1280, height: 720, hfovDeg: 60, heightM: 1.4)
        let renderer = try DriveRenderer(camera: camera, seed: seed)
        var settings = SignDetector.Settings()
        settings.profile = try #require(SignProfile(country: "DE"))
        var watch = SignWatch(detector: try SignDetector(reader: SignReader(), settings: settings), camera: camera.calibration)
        var fusion = LimitFusion()
        var score = Score()
        let framesPerSecond = 10.0
        for number in 0..<Int(road.durationS * framesPerSecond) {
            let t = Double(number) / framesPerSecond
            let world = road.world(at: t)
            var ego = EgoState(mode: 3, degraded: [])
            ego.speedMps = road.speedMps
            ego.fixTimeS = t.rounded(.down)
            let frame = try renderer.render(world, number: number)
            for sign in try watch.look(at: frame, detections: world.roadUsers(seenBy: camera), speedMps: road.speedMps, atS: t)
                .adopted
            {
                fusion.observe(sign, ego: ego)
            }
            let told = fusion.limit(for: ego)
            let place = road.speedMps * t.rounded(.down)
            guard road.isKnowable(at: place) else { continue }
            let metres = road.speedMps / framesPerSecond
            switch told {
            case nil: score.unknown += metres
            case let told? where told.limit == road.limit(at: place): score.right += metres
            default: score.wrong += metres
            }
        }
        return score
    }

    @Test("S12 On a drawn road with a sign every few hundred metres the limit is right for at least 95 % of the distance")
    func drawnRoads() throws {
        let isLong = ProcessInfo.processInfo.environment["FLEET_LONG_TESTS"] != nil
        var total = Score()
        for seed in 1...UInt64(isLong ? 12 : 1) {
            let score = try Self.drive(seed: seed, lengthM: isLong ? 1000 : 400)
            print("drawn road \(seed): \(score)")
            total.right += score.right
            total.unknown += score.unknown
            total.wrong += score.wrong
        }
        print(
            "limit right over \(Int(total.metres)) drawn m: \(total.right / total.metres), unknown \(total.unknown), wrong \(total.wrong) m"
        )
        #expect(total.metres > 200)
        #expect(total.right >= 0.95 * total.metres)
    }
}
