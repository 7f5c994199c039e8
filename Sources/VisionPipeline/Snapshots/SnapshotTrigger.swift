import FleetModel

/// Tells which revisions of alerts are worth a picture: the start of an episode, and every rise of its severity. A later picture takes
/// the place of the one before, so that the alert ends with that of its worst moment.
public struct SnapshotTrigger: Sendable {
    private var worst: [AlertID: Severity] = [:]

    /// No episode is open.
    public init() {}

    /// Whether `alert` is to get a picture of this moment. Every revision must be shown to it, in order.
    public mutating func wants(_ alert: Alert) -> Bool {
        guard alert.phase != .end else {
            worst[alert.id] = nil
            return false
        }
        defer { worst[alert.id] = max(alert.severity, worst[alert.id] ?? alert.severity) }
        guard let before = worst[alert.id] else { return true }
        return alert.severity > before
    }
}
