/// What the sync service did with alert revisions and snapshots; several in one message after a group commit.
public struct ReceiptMessage: Codable, Hashable, Sendable {
    /// One a revision.
    public var receipts: [Receipt]
    /// Ids of the alerts whose snapshots are stored.
    public var snapshots: [AlertID]

    /// All members.
    public init(receipts: [Receipt], snapshots: [AlertID] = []) {
        self.receipts = receipts
        self.snapshots = snapshots
    }

    public init(from decoder: any Decoder) throws {
        let c = try decoder.container(keyedBy: CodingKeys.self)
        receipts = try c.decodeIfPresent([Receipt].self, forKey: .receipts) ?? []
        snapshots = try c.decodeIfPresent([AlertID].self, forKey: .snapshots) ?? []
    }
}

/// What became of one revision. An outbox row goes only on a receipt, never on the broker's acknowledgement.
public struct Receipt: Codable, Hashable, Sendable {
    /// What the sync service did.
    public enum Result: String, Codable, Hashable, Sendable {
        /// Now in the store.
        case stored
        /// Was in the store already.
        case duplicate
        /// In quarantine; the vehicle keeps it in its table of rejected rows.
        case rejected
    }

    /// The episode, or the gap event.
    public var id: AlertID
    /// The revision; 1 for a gap event.
    public var revision: Int
    /// What the sync service did.
    public var result: Result
    /// Why it was rejected; nil otherwise.
    public var reason: String?

    /// All members.
    public init(id: AlertID, revision: Int, result: Result, reason: String? = nil) {
        self.id = id
        self.revision = revision
        self.result = result
        self.reason = reason
    }

    /// Writes unknown as null.
    public func encode(to encoder: any Encoder) throws {
        var c = encoder.container(keyedBy: CodingKeys.self)
        try c.encode(id, forKey: .id)
        try c.encode(revision, forKey: .revision)
        try c.encode(result, forKey: .result)
        try c.encode(reason, forKey: .reason)
    }
}
