import FleetModel

/// An alert on its way to a webhook: one a rule and alert, whatever number of revisions, attempts and instances there are.
public struct WebhookDelivery: Codable, Hashable, Sendable {
    /// Where it stands.
    public enum State: String, Codable, Hashable, Sendable, CaseIterable {
        /// To be sent when it is due.
        case waiting
        /// Taken by the other side.
        case delivered
        /// Given up.
        case failed
    }

    /// Its number.
    public var number: Int64
    /// Name of the rule that wants it.
    public var rule: String
    /// Whose alert.
    public var fleet: String
    public var vehicle: String
    /// Which alert.
    public var alert: AlertID
    /// When the rule found it.
    public var createdAt: Timestamp
    /// Where it stands.
    public var state: State
    /// Attempts so far.
    public var attempts: Int
    /// When it is sent next; of one that does not wait, when it was sent last.
    public var dueAt: Timestamp
    /// The HTTP status of the last answer; nil when there was none.
    public var status: Int?
    /// Why the last attempt failed; empty when it did not.
    public var detail: String

    /// All members.
    public init(
        number: Int64, rule: String, fleet: String, vehicle: String, alert: AlertID, createdAt: Timestamp, state: State,
        attempts: Int, dueAt: Timestamp, status: Int?, detail: String
    ) {
        self.number = number
        self.rule = rule
        self.fleet = fleet
        self.vehicle = vehicle
        self.alert = alert
        self.createdAt = createdAt
        self.state = state
        self.attempts = attempts
        self.dueAt = dueAt
        self.status = status
        self.detail = detail
    }
}

/// The answer of `/api/v1/webhooks`.
public struct WebhookDeliveryList: Codable, Hashable, Sendable {
    /// The newest first.
    public var deliveries: [WebhookDelivery]
    /// Give this as `before` for the next page; nil on the last one.
    public var nextBefore: Int64?

    /// All members.
    public init(deliveries: [WebhookDelivery], nextBefore: Int64?) {
        self.deliveries = deliveries
        self.nextBefore = nextBefore
    }
}

/// What webhooks have been told and are to be told; it survives restarts, and several instances share it without telling anything twice.
public protocol WebhookQueue: Sendable {
    /// The cursor up to which `rule` has looked; a new rule begins with what changes from now on.
    func webhookCursor(of rule: String) async throws -> Int64
    /// Puts alerts into the queue of `rule`, each due at its time, and notes that the rule has looked up to `cursor`: one transaction.
    /// Alerts that were put there before are left out. Returns how many are new.
    func enqueue(_ alerts: [(alert: Alert, dueAt: Timestamp)], rule: String, upTo cursor: Int64, now: Timestamp) async throws -> Int
    /// Takes what is due, at most `limit`, for `leaseS` seconds: nobody else gets it meanwhile, and it is due again if nothing is heard.
    func claim(rule: String, now: Timestamp, leaseS: Double, limit: Int) async throws -> [WebhookDelivery]
    /// Notes what came of an attempt: state, attempts, due time, status and detail of `delivery`.
    func settle(_ delivery: WebhookDelivery) async throws
    /// The newest before `before`, at most `limit`.
    func webhookDeliveries(before: Int64?, limit: Int) async throws -> WebhookDeliveryList
    /// Forgets what was put there before `oldest` and does not wait. Returns how many.
    func removeWebhookDeliveries(before oldest: Timestamp) async throws -> Int
}
