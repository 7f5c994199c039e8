import FleetModel
import FoundationEssentials

/// What the sync service keeps, whatever the engine below.
///
/// Every method is one transaction. Writes come in batches (group commit): when `store` returns, all of the batch is on disk.
public protocol AlertStore: AuditLog, WebhookQueue {
    /// Made at random with the store, the same for every service on it: see `Topic.sharedFilters`. A secret.
    var shareKey: String { get }
    /// Stores a batch in one transaction and says of each item, in order, what became of it.
    func store(_ batch: [IncomingItem]) async throws -> [StoreOutcome]
    /// One row an alert (its highest revision), newest change first.
    func alerts(_ query: AlertQuery) async throws -> AlertPage
    /// Alerts that changed after `cursor`, oldest change first: polling with the last cursor misses nothing and repeats nothing.
    func changes(after cursor: Int64, _ query: AlertQuery) async throws -> AlertPage
    /// All revisions of the alerts with this id, lowest revision first; empty when there is none. Ids are unique but for forgery.
    func history(of id: AlertID) async throws -> [StoredAlert]
    /// Every vehicle that was ever heard of, by name.
    func vehicles() async throws -> [VehicleRecord]
    /// One vehicle; nil when it was never heard of.
    func vehicle(_ identity: VehicleIdentity) async throws -> VehicleRecord?
    /// Where a vehicle was from `since` to before `until`, at most `VehicleTrack.maximumPoints` points, the newest of them.
    func track(of identity: VehicleIdentity, since: Timestamp, until: Timestamp) async throws -> VehicleTrack
    /// Counts of alerts with what was said of them and how far was driven; replays are left out.
    func statistics(_ query: StatisticsQuery) async throws -> [StatisticsRow]
    /// Adds a review to its alert's history, where the last one holds, and returns it with its number; nil when there is no such alert.
    func add(_ review: AlertReview) async throws -> AlertReview?
    /// All reviews of the alerts with this id, the oldest first.
    func reviews(of id: AlertID) async throws -> [AlertReview]
    /// Reviews with a higher number, the lowest first, at most `limit`.
    func reviews(after number: Int64, limit: Int) async throws -> [AlertReview]
    /// The highest number of a review; 0 when there is none.
    func latestReview() async throws -> Int64
    /// The highest cursor; 0 in an empty store. Cheap.
    func latestCursor() async throws -> Int64
    /// Sizes for the metrics. Cheap: alerts are counted along.
    func totals() async throws -> StoreTotals
    /// Forgets a vehicle's status and heartbeat, not its alerts; false when it is not known.
    func decommission(_ identity: VehicleIdentity) async throws -> Bool
    /// Erases what is known of a vehicle: its alerts that began before `before`, at most a few hundred a call, and once none of them is left
    /// its track from before then; with `before` nil everything that names it. Returns how many alerts went: 0 when nothing is left to do.
    func forget(_ identity: VehicleIdentity, before: Timestamp?) async throws -> Int
    /// Copies the store, while it is in use, into a new file at `path`.
    func backup(to path: String) async throws
    /// Removes some of what `retention` no longer keeps, at most a few hundred alerts with all their revisions, and returns how many
    /// they were: 0 when nothing is left to do.
    func trim(_ retention: Retention, now: Timestamp) async throws -> Int
    /// Removes some of the points of tracks that are older than `oldest`, and returns how many: 0 when none is left.
    func trimTracks(before oldest: Timestamp) async throws -> Int
    /// An element whenever another service on the same store may have changed it; ends when the store is given up. A hint only: readers ask
    /// by their own cursor.
    func changesElsewhere() -> AsyncStream<Void>
}

extension AlertStore {
    /// A store that has one service only hears of every change there.
    public func changesElsewhere() -> AsyncStream<Void> { AsyncStream { $0.finish() } }

    /// Counts of alerts that began since `since`.
    public func statistics(since: Timestamp, by grouping: StatisticsGrouping) async throws -> [StatisticsRow] {
        try await statistics(StatisticsQuery(since: since, by: grouping))
    }
}

/// Something that arrived and is to be kept.
public enum IncomingItem: Sendable {
    /// A revision that was decoded and checked; `payload` are its bytes as they came.
    case alert(Alert, payload: Data, receivedAt: Timestamp)
    /// A dropped range.
    case gap(GapEvent, payload: Data, receivedAt: Timestamp)
    /// A vehicle's connection.
    case status(VehicleStatus, receivedAt: Timestamp)
    /// A vehicle's retained status was taken off the broker: it left the fleet.
    case statusCleared(VehicleIdentity)
    /// A vehicle's heartbeat.
    case heartbeat(Heartbeat, payload: Data, receivedAt: Timestamp)
    /// What could not be read or does not belong where it came from.
    case quarantine(topic: String, payload: Data, reason: String, receivedAt: Timestamp)
}

/// What became of an item.
public enum StoreOutcome: Hashable, Sendable {
    /// Now in the store; of an alert with the cursor of the change.
    case stored(cursor: Int64)
    /// Was there already, byte for byte.
    case duplicate
    /// The same key was there with other bytes: the first stays, this one went into quarantine.
    case conflict
    /// Older than what is known (a status of an earlier session).
    case superseded
}
