/// Sizes for the metrics.
public struct StoreTotals: Codable, Hashable, Sendable {
    /// Alerts, one an id.
    public var alerts: Int64
    /// Their revisions.
    public var revisions: Int64
    /// The revisions' bytes: payloads, and for each one a share for its columns and index entries.
    public var alertBytes: Int64
    /// Vehicles.
    public var vehicles: Int64
    /// Rows in quarantine, and their bytes.
    public var quarantined: Int64
    public var quarantinedBytes: Int64
    /// The highest cursor.
    public var cursor: Int64

    /// All members.
    public init(
        alerts: Int64, revisions: Int64, alertBytes: Int64, vehicles: Int64, quarantined: Int64, quarantinedBytes: Int64,
        cursor: Int64
    ) {
        self.alerts = alerts
        self.revisions = revisions
        self.alertBytes = alertBytes
        self.vehicles = vehicles
        self.quarantined = quarantined
        self.quarantinedBytes = quarantinedBytes
        self.cursor = cursor
    }
}
