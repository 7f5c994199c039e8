import FleetModel
import FleetRuntime
import Foundation
import Imaging
import Perception
@testable import SimCore
@testable import VisionPipeline
import WorldModel

/// One drawn pass: a sign at the road, other things that look like one, and what should be adopted.
struct SignPass {
    /// Whose signs stand there.
    enum Country: String { case germany = "DE", unitedStates = "US" }

    let country: Country
    let speedMps: Double
    /// The limit that holds for everybody; nil where none was passed.
    let wanted: Speed?
    /// A limit on the way that holds for some vehicles or at some times only.
    let restricted: Speed?
    /// Whether an end sign stands at the road: adopting it is right.
    let hasEnd: Bool
    private let signs: [(face: SignFace, atM: Double, lateralM: Double)]
    /// A lorry ahead with a number on its back, and how fast it goes; nil for none.
    private let lorry: (distanceM: Double, speedMps: Double, lateralM: Double, sticker: Int)?

    static let kmh = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130]
    static let mph = [15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75]
    static let framesPerSecond = 10.0

    /// The pass number `seed` in `country`: a limit for everybody in three of five, one that is restricted in one of five, an end sign or nothing
    /// in the others, and other signs in all.
    init(seed: UInt64, in country: Country) {
        var random = SeededGenerator(seed: seed, purpose: "sign pass")
        self.country = country
        speedMps = random.uniform(9...24)
        let isAmerican = country == .unitedStates
        let values = isAmerican ? Self.mph : Self.kmh
        let (value, number) = (random.pick(values), random.pick(values))
        let limit = Speed(Double(value), isAmerican ? .milesPerHour : .kilometresPerHour)
        let what = random.uniform(0...1)
        wanted = what < 0.6 ? limit : nil
        restricted = (0.6..<0.8).contains(what) ? limit : nil
        hasEnd = (0.8..<0.88).contains(what) && !isAmerican
        var signs: [(face: SignFace, atM: Double, lateralM: Double)] = []
        let aside = random.uniform(3...5)
        if wanted != nil {
            signs.append((isAmerican ? .plate(.limit(value)) : .limit(limit), 55, aside))
        } else if restricted != nil {
            let plate = random.pick([SignFace.Plate.schoolLimit(value), .truckLimit(value)])
            let annex = random.pick(SignFace.Annex.allCases)
            signs.append((isAmerican ? .plate(plate) : .restrictedLimit(limit, by: annex), 55, aside))
        } else if hasEnd {
            signs.append((.endOfLimit(value), 55, aside))
        }
        let others = isAmerican ? Self.american(number, &random) : Self.european(number, &random)
        signs.append((random.pick(others), random.uniform(52...60), -random.uniform(3...6)))
        signs.append((random.pick(others), random.uniform(38...48), random.uniform(3...5)))
        // A limit for a road beside ours: far aside.
        if random.uniform(0...1) < 0.3 {
            let other = Speed(Double(number), limit.unit)
            signs.append((isAmerican ? .plate(.limit(number)) : .limit(other), 55, -random.uniform(14...20)))
        }
        self.signs = signs
        lorry =
            random.uniform(0...1) < 0.4
            ? (random.uniform(14...30), speedMps - random.uniform(-1...3), random.uniform(-1...0.5), number) : nil
    }

    /// Signs that set no limit, Europe's.
    static func european(_ number: Int, _ random: inout SeededGenerator) -> [SignFace] {
        [
            .weight(tonnes: random.pick([5, 10, 12, 20, 30, 40])), .height(decimetres: Int(random.uniform(20...45))),
            .minimumSpeed(number), .roadNumber(number),
        ]
    }

    /// Signs that set no limit, the United States'.
    private static func american(_ number: Int, _ random: inout SeededGenerator) -> [SignFace] {
        [
            .plate(.minimum(number)), .plate(.advice(number, isRamp: true)), .plate(.advice(number, isRamp: false)),
            .plate(.routeShield(random.pick([5, 10, 15, 35, 55, 70, 80]))),
        ]
    }

    /// What a sign watch tells on the way, with the boxes of vehicles as they are.
    func adopted(by detector: SignDetector, seed: UInt64) throws -> (adopted: [AdoptedSign], frames: Int) {
        let camera = PinholeCamera(width: 1280, height: 720, hfovDeg: 60, heightM: 1.4)
        let renderer = try DriveRenderer(camera: camera, seed: seed)
        var watch = SignWatch(detector: detector, camera: camera.calibration)
        var adopted: [AdoptedSign] = []
        var index = 0
        while Double(index) / Self.framesPerSecond * speedMps < 58 + speedMps {
            let t = Double(index) / Self.framesPerSecond
            let world = world(at: t)
            let frame = try renderer.render(world, number: index)
            adopted += try watch.look(at: frame, detections: world.roadUsers(seenBy: camera), speedMps: speedMps, atS: t).adopted
            index += 1
        }
        return (adopted, index)
    }

    func world(at t: Double) -> WorldSnapshot {
        let travelled = speedMps * t
        var seen = signs.map { WorldSnapshot.Sign(face: $0.face, distanceM: $0.atM - travelled, lateralM: $0.lateralM) }
        seen.removeAll { $0.distanceM < 1 }
        var objects: [WorldSnapshot.Object] = []
        if let lorry {
            let distance = max(8, lorry.distanceM + (lorry.speedMps - speedMps) * t)
            objects.append(
                WorldSnapshot.Object(
                    id: 1, shape: .lorry(paint: 3), facing: .away, distanceM: distance, lateralM: lorry.lateralM,
                    fromPathM: lorry.lateralM,
                    closingMps: speedMps - lorry.speedMps, speedMps: lorry.speedMps, isBraking: false, acrossM: 0))
            seen.append(
                WorldSnapshot.Sign(face: .sticker(lorry.sticker), distanceM: distance - 0.01, lateralM: lorry.lateralM - 0.7))
        }
        return WorldSnapshot(
            timeS: t, ego: MotionProfile(positionM: travelled, speedMps: speedMps).state(at: 0), objects: objects, signs: seen,
            crossingsM: [], bridgesM: [], limit: Speed(50, .kilometresPerHour))
    }
}

extension WorldSnapshot {
    /// The road users' boxes as they are.
    func roadUsers(seenBy camera: PinholeCamera) -> [Detection] {
        objects.compactMap { object in
            camera.box(
                lateralM: object.lateralM, distanceM: object.distanceM, widthM: object.shape.sizeM.width,
                heightM: object.shape.sizeM.height, lengthM: object.shape.sizeM.length
            ).map { Detection(roadUser: object.shape.roadUserClass, score: 0.9, box: $0) }
        }
    }
}
