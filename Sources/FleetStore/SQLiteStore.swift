import FleetModel
import FleetRuntime
import SQLite

/// The embedded store: one SQLite file, one writer, and readers beside it that never wait for the writer (write-ahead log).
///
/// Each of them is an actor on a queue of its own because SQLite blocks: nothing that waits for the disk runs on the cooperative pool.
public struct SQLiteStore: AlertStore {
    /// How the store behaves.
    public struct Settings: Sendable {
        /// Seconds after which an arriving alert counts as late.
        public var lateAfterS = 60.0
        /// Bound on the bytes in quarantine; the oldest go.
        public var quarantineBytes: Int64 = 64 << 20
        /// Only read; the file must exist.
        public var isReadOnly = false
        /// The one service on this store: a second one would not hear of what the first takes in. Others may still read and write a row.
        public var isSole = false

        /// The values above.
        public init() {}
    }

    /// Held as long as the store is open.
    private let lock: StoreLock?
    /// Nil in a store that is only read.
    private let writer: SQLiteWriter?
    private let reader: SQLiteReader
    /// For what reads a great many rows: lists need not wait for it.
    private let counter: SQLiteReader
    private let path: String
    /// See `AlertStore`.
    public var shareKey: String { reader.shareKey }

    /// Opens or makes the store at `path` and brings its tables up to date. Throws `UserError` in one line.
    public init(path: String, settings: Settings = Settings()) throws {
        self.path = path
        lock = settings.isSole ? try Self.takeLock(path) : nil
        do {
            writer = settings.isReadOnly ? nil : try SQLiteWriter(path: path, settings: settings)
            reader = try SQLiteReader(path: path)
            counter = try SQLiteReader(path: path)
        } catch let error as SQLiteReader.OldSchema {
            throw UserError(
                .unavailable, "\(path): a store of an older version (schema \(error.version)); start this fleet-sync on it once")
        } catch let error as SQLiteError {
            throw Self.userError(error)
        }
    }

    private static func takeLock(_ path: String) throws -> StoreLock {
        do throws(StoreLock.Failure) { return try StoreLock(path: path + ".lock") } catch {
            if error.isTaken { throw UserError(.unavailable, "\(path): another fleet-sync serves this store; stop it first") }
            throw UserError(.ioError, "\(error.path): cannot be made (\(error.message)); check folder and permissions")
        }
    }

    static func userError(_ error: SQLiteError) -> UserError {
        if error.isBusy { return UserError(.unavailable, "\(error.path): another program holds the store; stop it first") }
        if error.isCorruption || error.isForeign {
            return UserError(
                .badData,
                "\(error.path): not a store of fleet-sync, or damaged (\(error.message)); restore a backup or move the file aside")
        }
        if error.code.primary == .cannotOpen {
            return UserError(.noInput, "\(error.path): cannot be opened (\(error.message)); check path and permissions")
        }
        return UserError(.ioError, error.description)
    }

    private var theWriter: SQLiteWriter {
        get throws {
            guard let writer else { throw UserError(.software, "\(path): the store was opened for reading only") }
            return writer
        }
    }

    /// See `AlertStore`.
    public func store(_ batch: [IncomingItem]) async throws -> [StoreOutcome] { try await theWriter.store(batch) }
    /// See `AlertStore`.
    public func alerts(_ query: AlertQuery) async throws -> AlertPage { try await reader.alerts(query) }
    /// See `AlertStore`.
    public func changes(after cursor: Int64, _ query: AlertQuery) async throws -> AlertPage {
        try await reader.changes(after: cursor, query)
    }
    /// See `AlertStore`.
    public func history(of id: AlertID) async throws -> [StoredAlert] { try await reader.history(of: id) }
    /// See `AlertStore`.
    public func vehicles() async throws -> [VehicleRecord] { try await counter.vehicles() }
    /// See `AlertStore`.
    public func vehicle(_ identity: VehicleIdentity) async throws -> VehicleRecord? { try await reader.vehicle(identity) }
    /// See `AlertStore`.
    public func track(of identity: VehicleIdentity, since: Timestamp, until: Timestamp) async throws -> VehicleTrack {
        try await counter.track(of: identity, since: since, until: until)
    }
    /// See `AlertStore`.
    public func statistics(_ query: StatisticsQuery) async throws -> [StatisticsRow] { try await counter.statistics(query) }
    /// See `AlertStore`.
    public func add(_ review: AlertReview) async throws -> AlertReview? { try await theWriter.add(review) }
    /// See `AlertStore`.
    public func reviews(of id: AlertID) async throws -> [AlertReview] { try await reader.reviews(of: id) }
    /// See `AlertStore`.
    public func reviews(after number: Int64, limit: Int) async throws -> [AlertReview] {
        try await reader.reviews(after: number, limit: limit)
    }
    /// See `AlertStore`.
    public func latestReview() async throws -> Int64 { try await reader.latestReview() }
    /// See `AlertStore`.
    public func latestCursor() async throws -> Int64 { try await reader.latestCursor() }
    /// See `AlertStore`.
    public func totals() async throws -> StoreTotals { try await reader.totals() }
    /// See `AlertStore`.
    public func decommission(_ identity: VehicleIdentity) async throws -> Bool { try await theWriter.decommission(identity) }
    /// See `AlertStore`.
    public func trim(_ retention: Retention, now: Timestamp) async throws -> Int { try await theWriter.trim(retention, now: now) }
    /// See `AlertStore`.
    public func trimTracks(before oldest: Timestamp) async throws -> Int { try await theWriter.trimTracks(before: oldest) }
    /// See `AlertStore`.
    public func backup(to path: String) async throws {
        do { try await counter.backup(to: path) } catch let error as SQLiteError { throw Self.userError(error) }
    }
    /// See `AlertStore`.
    public func forget(_ identity: VehicleIdentity, before: Timestamp?) async throws -> Int {
        try await theWriter.forget(identity, before: before)
    }
}

extension SQLiteStore {
    /// See `AuditLog`.
    public func record(_ entry: AuditEntry) async throws { try await theWriter.record(entry) }
    /// See `AuditLog`.
    public func auditEntries(before: Int64?, limit: Int) async throws -> AuditList {
        try await reader.auditEntries(before: before, limit: limit)
    }
    /// See `AuditLog`.
    public func removeAuditEntries(before oldest: Timestamp) async throws -> Int {
        try await theWriter.removeAuditEntries(before: oldest)
    }

    /// See `WebhookQueue`.
    public func webhookCursor(of rule: String) async throws -> Int64 { try await theWriter.webhookCursor(of: rule) }
    /// See `WebhookQueue`.
    public func enqueue(
        _ alerts: [(alert: Alert, dueAt: Timestamp)], rule: String, upTo cursor: Int64, now: Timestamp
    ) async throws -> Int { try await theWriter.enqueue(alerts, rule: rule, upTo: cursor, now: now) }
    /// See `WebhookQueue`.
    public func claim(rule: String, now: Timestamp, leaseS: Double, limit: Int) async throws -> [WebhookDelivery] {
        try await theWriter.claim(rule: rule, now: now, leaseS: leaseS, limit: limit)
    }
    /// See `WebhookQueue`.
    public func settle(_ delivery: WebhookDelivery) async throws { try await theWriter.settle(delivery) }
    /// See `WebhookQueue`.
    public func webhookDeliveries(before: Int64?, limit: Int) async throws -> WebhookDeliveryList {
        try await reader.webhookDeliveries(before: before, limit: limit)
    }
    /// See `WebhookQueue`.
    public func removeWebhookDeliveries(before oldest: Timestamp) async throws -> Int {
        try await theWriter.removeWebhookDeliveries(before: oldest)
    }
}
