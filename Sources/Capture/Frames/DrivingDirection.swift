import Imaging

/// Whether the camera looks where the vehicle drives: then the whole picture flows away from a point within it, the focus of expansion.
///
/// Looked at only while driving; curves and traffic disturb single looks, so that most of the last half minute must agree.
struct DrivingDirection: Sendable {
    /// Own speed below which too little flows, m/s.
    static let leastSpeedMps = 8.0
    /// Looks that are remembered: half a minute at two a second.
    static let memory = 60
    /// Looks that are needed before anything is said.
    static let enough = 40
    /// Share of the looks that must be forward for the direction to be right; a camera at the side has none, curves leave half.
    static let rightShare = 0.2
    /// Share of the moving corners that must flow away from the focus.
    static let expandingShare = 0.5
    /// The part of the frame in which the focus lies while the vehicle goes straight: a margin of a tenth is left off.
    static let inside = 0.1...0.9

    private var looks: [Bool] = []

    /// Takes note of one look.
    mutating func add(_ drift: PictureDrift) {
        let isForward =
            drift.expanding >= Self.expandingShare && Self.inside.contains(drift.focusX) && Self.inside.contains(drift.focusY)
        looks.append(isForward)
        if looks.count > Self.memory { looks.removeFirst() }
    }

    /// Whether the camera looks elsewhere for sure.
    var isWrong: Bool {
        looks.count >= Self.enough && Double(looks.count { $0 }) < Self.rightShare * Double(looks.count)
    }
}
