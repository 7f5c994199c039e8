import FleetRuntime
import Imaging

/// Renders the world as a camera would film it. Equal worlds and seeds give equal pixels. One thread at a time.
public final class DriveRenderer {
    /// Sharpness of the lens, and noise of the sensor in grey levels, of a cheap dashcam by day.
    private static let blurPx = 0.6
    private static let noiseLevels = 1.2
    /// How much larger than a frame the noise is; each frame takes another part of it.
    private static let noiseMargin = 128

    private let camera: PinholeCamera
    private let scenery: SceneryPainter
    private let painter: ActorPainter
    private let noise: Frame
    private let seed: UInt64

    /// Paints the textures for `seed`; `curvaturePerM` bends the road.
    public init(camera: PinholeCamera, seed: UInt64, curvaturePerM: Double = 0) throws(ImagingError) {
        self.camera = camera
        self.seed = seed
        scenery = try SceneryPainter(camera: camera, seed: seed, curvaturePerM: curvaturePerM)
        painter = ActorPainter(camera: camera, shelf: SpriteShelf())
        var noise = try Frame.black(width: camera.width + Self.noiseMargin, height: camera.height + Self.noiseMargin)
        try noise.fillWithNoise(seed: seed, sigma: Self.noiseLevels)
        self.noise = noise
    }

    /// Frame number `number`, showing `world`.
    public func render(_ world: WorldSnapshot, number: Int) throws(ImagingError) -> Frame {
        var frame = try scenery.frame(travelledM: world.ego.positionM)
        for distance in world.crossingsM { try scenery.paintCrossing(on: &frame, distanceM: distance) }
        for distance in world.bridgesM { try scenery.paintBridgeShadow(on: &frame, distanceM: distance) }
        for thing in Self.farthestFirst(world) {
            switch thing {
            case .object(let object): try painter.paint(object, on: &frame)
            case .sign(let sign): try painter.paint(sign, on: &frame)
            case .bridge(let distance): try scenery.paintBridge(on: &frame, distanceM: distance)
            }
        }
        try frame.blur(sigma: Self.blurPx)
        var random = SeededGenerator(seed: seed &+ UInt64(number), purpose: "sensor")
        let (x, y) = (random.next() % UInt64(Self.noiseMargin), random.next() % UInt64(Self.noiseMargin))
        try frame.addNoise(noise, x: Int(x), y: Int(y))
        return frame
    }

    private enum Thing {
        case object(WorldSnapshot.Object)
        case sign(WorldSnapshot.Sign)
        case bridge(Double)

        var distanceM: Double {
            switch self {
            case .object(let object): object.distanceM
            case .sign(let sign): sign.distanceM
            case .bridge(let distance): distance
            }
        }
    }

    private static func farthestFirst(_ world: WorldSnapshot) -> [Thing] {
        (world.objects.map(Thing.object) + world.signs.map(Thing.sign) + world.bridgesM.map(Thing.bridge)).sorted {
            $0.distanceM > $1.distanceM
        }
    }
}
