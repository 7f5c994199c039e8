/// Which rows are handed over before which.
enum Lane: Int, CaseIterable, Sendable {
    /// Critical alerts, the newest first: what happens now matters more than what happened while there was no network.
    case urgent = 0
    /// Other alerts and gap events, the oldest first.
    case normal = 1
    /// Snapshots, the oldest first, when no alert waits to be sent.
    case snapshot = 2
    /// Raised before the computer knew the year; waits a while for the time to be filled in.
    case held = 3
}
