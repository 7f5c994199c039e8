import FleetModel
import Imaging

/// Whether the camera's pictures are worth looking at, told from the pictures themselves: one that repeats, shows nothing, is blurred, or
/// looks another way than the vehicle drives.
///
/// Plain state; time and speed come in as values. Every state must last before it is told, so that a tunnel's mouth or a wiper is none.
public struct PictureHealth: ~Copyable {
    /// Seconds that one and the same picture may stay. Even a parked camera's sensor noise changes every picture.
    static let frozenAfterS = 5.0
    /// Seconds of seeing nothing after which the camera counts as covered.
    static let coveredAfterS = 1.5
    /// Seconds of blurred pictures after which the picture counts as blurred: rain on the lens and motion pass sooner.
    static let blurredAfterS = 8.0
    /// Seconds between two looks at a whole picture.
    static let lookEveryS = 0.5
    /// A picture of which this share has no structure shows nothing: a lens cap, a hand, a wall of fog. Drives at night stay below 0.9.
    static let coveredShare = 0.95
    /// Sharpness below which a picture is blurred; docs/camera.md has the measured values.
    static let blurredBelow = 2.0
    /// A mean grey level below which a picture is black, whatever noise is in it.
    static let blackBelow = 6.0

    private var lastDigest: UInt64?
    private var sameSinceS = 0.0
    private var nextLookS = -Double.infinity
    private var coveredSinceS: Double?
    private var blurredSinceS: Double?
    private var direction = DrivingDirection()
    /// The picture that the next one is compared with, to see which way the camera looks.
    private var earlier: Frame?
    /// What was told last.
    public private(set) var degraded: [DegradedCode] = []

    /// Nothing seen yet.
    public init() {}

    /// Looks at `frame`, taken at `timeS`, while the vehicle drives at `speedMps` (nil: unknown). Frames come in the order of their times.
    public mutating func see(_ frame: borrowing Frame, atS timeS: Double, speedMps: Double?) {
        let digest = frame.digest
        if digest != lastDigest {
            lastDigest = digest
            sameSinceS = timeS
        }
        if let before = earlier.take() {
            // A picture that repeats tells nothing of the direction.
            if sameSinceS == timeS, let drift = try? frame.drift(since: before) { direction.add(drift) }
        }
        if timeS >= nextLookS {
            nextLookS = timeS + Self.lookEveryS
            if let look = try? frame.look() { judge(look, atS: timeS) }
            if let speedMps, speedMps >= DrivingDirection.leastSpeedMps { earlier = frame.copy() }
        }
        degraded = codes(atS: timeS)
    }

    private mutating func judge(_ look: PictureLook, atS timeS: Double) {
        let isCovered = look.flatShare >= Self.coveredShare || look.mean < Self.blackBelow
        coveredSinceS = isCovered ? coveredSinceS ?? timeS : nil
        blurredSinceS = !isCovered && look.sharpness < Self.blurredBelow ? blurredSinceS ?? timeS : nil
    }

    private func codes(atS timeS: Double) -> [DegradedCode] {
        if let coveredSinceS, timeS - coveredSinceS >= Self.coveredAfterS { return [.cameraCovered] }
        if timeS - sameSinceS >= Self.frozenAfterS { return [.cameraFrozen] }
        var codes: [DegradedCode] = []
        if let blurredSinceS, timeS - blurredSinceS >= Self.blurredAfterS { codes.append(.cameraBlurred) }
        if direction.isWrong { codes.append(.cameraMisdirected) }
        return codes
    }
}
