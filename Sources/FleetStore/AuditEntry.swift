import FleetModel

/// Something that somebody did with the fleet's data: a review, an export, a deletion.
public struct AuditEntry: Codable, Hashable, Sendable {
    /// Its place in the log; 0 until it is stored.
    public var number: Int64
    /// When.
    public var at: Timestamp
    /// Who: the name of a token, of a person whom the proxy has signed in, or of a user of the machine.
    public var name: String
    /// What they were allowed.
    public var role: String
    /// The address that they asked from; `console` for a command on the machine.
    public var client: String
    /// What was done, e.g. `export` or `POST /api/v1/alerts/0197.../review`.
    public var action: String
    /// What it was done with, e.g. the filters of an export.
    public var detail: String

    /// All members.
    public init(number: Int64 = 0, at: Timestamp, name: String, role: String, client: String, action: String, detail: String) {
        self.number = number
        self.at = at
        self.name = name
        self.role = role
        self.client = client
        self.action = action
        self.detail = detail
    }
}

/// The answer of `/api/v1/audit`.
public struct AuditList: Codable, Hashable, Sendable {
    /// The newest first.
    public var entries: [AuditEntry]
    /// Give this as `before` for the next page; nil on the last one.
    public var nextBefore: Int64?

    /// All members.
    public init(entries: [AuditEntry], nextBefore: Int64?) {
        self.entries = entries
        self.nextBefore = nextBefore
    }
}

/// The log of who did what. Nothing in it is ever changed; entries go when they are older than the policy says.
public protocol AuditLog: Sendable {
    /// Adds an entry; it is on disk when this returns.
    func record(_ entry: AuditEntry) async throws
    /// The newest entries before `before`, at most `limit`.
    func auditEntries(before: Int64?, limit: Int) async throws -> AuditList
    /// Removes entries from before `oldest` and returns how many.
    func removeAuditEntries(before oldest: Timestamp) async throws -> Int
}
