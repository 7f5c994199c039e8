import FleetModel
import Imaging
import WorldModel

/// What is kept from frame to frame about frames of one size: tracks, world, and the picture to compare the next one with.
struct Sight {
    let size: FrameSize
    var tracker: Tracker
    var builder: WorldStateBuilder
    private let scaleChange: ScaleChange?
    private var lastFieldS = -Double.infinity

    /// More tracks than this are not looked at in the image: the nearest (largest) matter, and time is short.
    private static let mostMeasured = 10
    /// Smaller boxes have too few corners, in pixels.
    private static let leastSidePx = 20.0
    /// The scene as a whole is looked at this often, in s: turning is slow against a frame, and time is short.
    private static let fieldEveryS = 0.09
    /// A box whose lower edge is below another's by this share of the other's height is of something nearer.
    private static let nearerBy = 0.05

    init(size: FrameSize, settings: Pipeline.Settings, aim: CameraAim?) {
        self.size = size
        tracker = Tracker(frame: size, settings: settings.tracker)
        let camera = settings.camera?.scaled(toWidth: Int(size.width), height: Int(size.height))
        builder = WorldStateBuilder(frame: size, camera: camera, bumperOffsetM: settings.bumperOffsetM, aim: aim)
        scaleChange = ScaleChange()
    }

    /// How the largest tracks grew and moved since the frame before, by number. The builder learns how the scene as a whole moved.
    mutating func motions(in frame: borrowing Frame, atS timeS: Double) throws -> [Int: ImageMotion] {
        guard let scaleChange, try scaleChange.offer(frame, atS: timeS) else { return [:] }
        let boxes = tracker.all.compactMap { track in
            track.box.clipped(width: size.width, height: size.height).map { (id: track.id, box: $0) }
        }
        if timeS - lastFieldS >= Self.fieldEveryS {
            lastFieldS = timeS
            if let field = scaleChange.field(covers: boxes.map { ScaleChange.Rectangle($0.box) }) {
                let points = field.flows.map { SceneFlow.Point(x: $0.x, y: $0.y, dx: $0.dx, dy: $0.dy) }
                builder.observe(SceneFlow(points: points, intervalS: field.intervalS))
            }
        }
        let candidates =
            boxes
            .filter { min($0.box.width, $0.box.height) >= Self.leastSidePx }
            .sorted { ($1.box.area, $0.id) < ($0.box.area, $1.id) }
        var motions: [Int: ImageMotion] = [:]
        for (id, box) in candidates.prefix(Self.mostMeasured) {
            // What reaches farther down stands nearer, and hides what is behind it.
            let covers = boxes.filter { $0.id != id && $0.box.maxY > box.maxY + Self.nearerBy * box.height && $0.box.iou(box) > 0 }
            let seen = scaleChange.measure(ScaleChange.Rectangle(box), covers: covers.map { ScaleChange.Rectangle($0.box) })
            guard let seen else { continue }
            motions[id] = ImageMotion(
                logScale: seen.logScale, logScaleSd: seen.logScaleSd, shiftX: seen.shiftX, shiftY: seen.shiftY,
                intervalS: seen.intervalS)
        }
        return motions
    }
}

extension ScaleChange.Rectangle {
    init(_ box: Box) { self.init(x: box.x, y: box.y, width: box.width, height: box.height) }
}
