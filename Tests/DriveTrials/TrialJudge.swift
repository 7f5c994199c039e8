import FleetModel
import SimCore
import WorldModel

/// Holds what is told on a simulated drive against the truth about it.
public struct TrialJudge: Sendable {
    /// One collision warning (severity warning or critical) as it began.
    public struct Warning: Sendable {
        /// Seconds since the drive began.
        public var timeS: Double
        public var severity: Severity
        public var details: CollisionDetails
        /// True time to collision of what is warned of; nil when it does not close.
        public var trueTtcS: Double?
    }

    /// The first strong event of every collision episode.
    public private(set) var warnings: [Warning] = []
    /// How many collision episodes began, cautions among them.
    public private(set) var collisionCount = 0
    /// Headway alerts that began.
    public private(set) var headways: [HeadwayDetails] = []
    /// Relative errors of the time to collision of the nearest thing in the path while it is below 6 s.
    public private(set) var ttcErrors: [Double] = []

    private var told: Set<Int> = []

    init() {}

    /// Whether the first warning came while the true time to collision was 2.1 to 3.5 s: what a warning is for.
    public var isInTime: Bool { warnings.first?.trueTtcS.map { (2.1...3.5).contains($0) } ?? false }

    /// Takes in what is believed in the frame that `truth` describes.
    mutating func note(_ world: WorldState, _ truth: TruthLine) {
        guard let lead = truth.objects.filter(\.inPath).min(by: { $0.distanceM < $1.distanceM }), let trueS = lead.ttcS, trueS < 6
        else { return }
        let seen = world.objects.filter { $0.box.iou(lead.box) >= 0.4 }.max { $0.box.iou(lead.box) < $1.box.iou(lead.box) }
        if let ttcS = seen?.timeToCollision?.seconds { ttcErrors.append(abs(ttcS / trueS - 1)) }
    }

    /// Takes in what is told of a collision.
    mutating func note(
        _ details: CollisionDetails, _ phase: AlertPhase, _ severity: Severity, _ truth: TruthLine, _ frame: FrameSize,
        atS timeS: Double
    ) {
        if phase == .start { collisionCount += 1 }
        guard phase != .end, severity >= .warning, told.insert(details.track).inserted else { return }
        let box = details.box.scaled(x: frame.width, y: frame.height)
        let meant = truth.objects.max { $0.box.iou(box) < $1.box.iou(box) }
        warnings.append(Warning(timeS: timeS, severity: severity, details: details, trueTtcS: meant?.ttcS))
    }

    /// Takes in that somebody is followed too closely.
    mutating func note(_ details: HeadwayDetails, _ phase: AlertPhase) {
        if phase == .start { headways.append(details) }
    }
}
