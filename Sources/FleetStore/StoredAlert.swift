import FleetModel

/// An alert as the store and the API give it: the vehicle's own words, when they arrived, and their place in the store's order.
public struct StoredAlert: Hashable, Sendable {
    /// What the vehicle said.
    public var alert: Alert
    /// When the sync service received this revision.
    public var receivedAt: Timestamp
    /// Whether it arrived long after it happened.
    public var late: Bool
    /// Grows with every change that the store commits.
    public var cursor: Int64
    /// What the last review says of it.
    public var review: ReviewState

    /// All members.
    public init(alert: Alert, receivedAt: Timestamp, late: Bool, cursor: Int64, review: ReviewState = .new) {
        self.alert = alert
        self.receivedAt = receivedAt
        self.late = late
        self.cursor = cursor
        self.review = review
    }
}

extension Alert {
    /// Whether an alert that arrives at `receivedAt` is no news any more: it happened more than `lateAfterS` before. Of a clock that nothing
    /// kept right neither direction is believed.
    package func isLate(receivedAt: Timestamp, afterS lateAfterS: Double) -> Bool {
        let ageS = receivedAt.seconds(since: at)
        return (clock == .unsynchronised ? abs(ageS) : ageS) > lateAfterS
    }
}

extension StoredAlert: Codable {
    private enum Key: String, CodingKey { case receivedAt, late, cursor, review }

    public init(from decoder: any Decoder) throws {
        alert = try Alert(from: decoder)
        let c = try decoder.container(keyedBy: Key.self)
        receivedAt = try c.decode(Timestamp.self, forKey: .receivedAt)
        late = try c.decode(Bool.self, forKey: .late)
        cursor = try c.decode(Int64.self, forKey: .cursor)
        // A server of before reviews does not tell.
        review = try c.decodeIfPresent(ReviewState.self, forKey: .review) ?? .new
    }

    public func encode(to encoder: any Encoder) throws {
        try alert.encode(to: encoder)
        var c = encoder.container(keyedBy: Key.self)
        try c.encode(receivedAt, forKey: .receivedAt)
        try c.encode(late, forKey: .late)
        try c.encode(cursor, forKey: .cursor)
        try c.encode(review, forKey: .review)
    }
}
