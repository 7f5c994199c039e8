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
    let speedMps: Double
    let wanted: Speed?
    private let signs: [(face: SignFace, atM: Double, lateralM: Double)]
    /// A lorry ahead with a number on its back, and how fast it goes; nil for none.
    private let lorry: (distanceM: Double, speedMps: Double, lateralM: Double, sticker: Int)?

    static let values = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130]
    static let framesPerSecond = 10.0

    /// The pass number `seed`: a limit in three of four, distractors in all.
    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed, purpose: "sign pass")
        speedMps = random.uniform(9...24)
        let limit = Speed(Double(random.pick(Self.values)), .kilometresPerHour)
        let number = random.pick(Self.values)
        wanted = random.uniform(0...1) < 0.75 ? limit : nil
        var signs: [(face: SignFace, atM: Double, lateralM: Double)] = []
        if wanted != nil { signs.append((.limit(limit), 55, random.uniform(3...5))) }
        let others: [SignFace] = [
            .weight(tonnes: random.pick([5, 10, 12, 20, 30, 40])),
            .height(decimetres: Int(random.uniform(20...45))), .minimumSpeed(number), .roadNumber(number),
        ]
        signs.append((random.pick(others), random.uniform(52...60), -random.uniform(3...6)))
        signs.append((random.pick(others), random.uniform(38...48), random.uniform(3...5)))
        // A limit for a road beside ours: far aside.
        if random.uniform(0...1) < 0.3 {
            signs.append((.limit(Speed(Double(number), .kilometresPerHour)), 55, -random.uniform(14...20)))
        }
        self.signs = signs
        lorry =
            random.uniform(0...1) < 0.4
            ? (random.uniform(14...30), speedMps - random.uniform(-1...3), random.uniform(-1...0.5), number) : nil
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
            let vehicles = world.objects.compactMap { object in
                camera.box(
                    lateralM: object.lateralM, distanceM: object.distanceM, widthM: object.shape.sizeM.width,
                    heightM: object.shape.sizeM.height, lengthM: object.shape.sizeM.length
                ).map { Detection(roadUser: object.shape.roadUserClass, score: 0.9, box: $0) }
            }
            let frame = try renderer.render(world, number: index)
            adopted += try watch.look(at: frame, detections: vehicles, speedMps: speedMps, atS: t).adopted
            index += 1
        }
        return (adopted, index)
    }

    private func world(at t: Double) -> WorldSnapshot {
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
