import FleetModel

/// Which alerts are wanted; nil does not narrow.
public struct AlertQuery: Hashable, Sendable {
    /// Largest page.
    public static let maximumLimit = 1000

    /// Began at or after.
    public var since: Timestamp?
    /// Began before.
    public var until: Timestamp?
    /// Of one fleet.
    public var fleet: String?
    /// Of one vehicle.
    public var vehicle: String?
    /// Of one kind.
    public var kind: AlertKind?
    /// At least this bad.
    public var severity: Severity?
    /// Arrived late, or did not.
    public var late: Bool?
    /// Reviewed as this; `new` for those that nobody has judged.
    public var review: ReviewState?
    /// At most so many, 1...1000.
    public var limit: Int
    /// For lists with the newest first: only changes before this cursor, to read on where the last page ended.
    public var before: Int64?

    /// The newest alerts, at most `limit`.
    public init(limit: Int = 100) { self.limit = min(max(1, limit), Self.maximumLimit) }
}

/// A list of alerts and how to go on.
public struct AlertPage: Codable, Hashable, Sendable {
    /// The alerts.
    public var alerts: [StoredAlert]
    /// Give this as `cursor` to get what changed later: of a list by cursor that of its last row, of a newest-first list the store's highest.
    public var nextCursor: Int64
    /// Give this as `before` for the next page of a newest-first list; nil on its last page.
    public var nextBefore: Int64?

    /// All members.
    public init(alerts: [StoredAlert], nextCursor: Int64, nextBefore: Int64? = nil) {
        self.alerts = alerts
        self.nextCursor = nextCursor
        self.nextBefore = nextBefore
    }
}
