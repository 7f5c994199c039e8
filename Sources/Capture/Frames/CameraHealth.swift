import FleetModel

/// How a live camera does, told from what its thread has seen last; a value, judged at any time by anyone.
///
/// The thread itself may be stuck in a read that does not return; this judgement does not depend on it.
struct CameraHealth: Sendable {
    /// Age of the newest frame at which a running camera counts as stalled, s: a heartbeat a second later still tells it within three.
    static let stallAfterS = 2.0
    /// Time from opening to the first frame that slow cameras and streams are granted, s.
    static let startUpGraceS = 20.0

    /// Why the camera could not be opened at the last attempt; nil once it is open.
    var problem: String?
    /// When the camera was first asked for frames, or was opened after a failure.
    var waitingSinceS: Double
    /// When the newest frame came.
    var latestFrameS: Double?
    /// The file that stands in for a camera is over.
    var hasEnded = false

    /// Starts to wait at `nowS`.
    init(nowS: Double) { waitingSinceS = nowS }

    /// What is wrong at `nowS`.
    func degraded(at nowS: Double) -> [DegradedCode] {
        if hasEnded { return [] }
        if problem != nil { return [.cameraMissing] }
        if let latestFrameS { return nowS - latestFrameS > Self.stallAfterS ? [.cameraStalled] : [] }
        return nowS - waitingSinceS > Self.startUpGraceS ? [.cameraStalled] : []
    }
}
