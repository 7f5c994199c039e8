import FleetModel
import FleetRuntime
import FleetStore
import PostgreSQL

/// The store that several instances of the sync service share: a PostgreSQL database, version 14 or later.
///
/// Three connections: one writes, one reads lists, one reads what takes long; a fourth listens while changes are followed. Each belongs to
/// an actor on a queue of its own because the client library blocks. A lost connection is made anew by the next call; the call that lost
/// it throws, and its caller decides whether to try again: storing again what was stored already is harmless.
public struct PostgreSQLStore: AlertStore {
    /// How the store behaves.
    public struct Settings: Sendable {
        /// Seconds after which an arriving alert counts as late.
        public var lateAfterS = 60.0
        /// Bound on the bytes in quarantine; the oldest go.
        public var quarantineBytes: Int64 = 64 << 20
        /// Seconds that the server has for one statement.
        public var timeoutS = 60.0

        /// The values above.
        public init() {}
    }

    /// First version of the server that knows sets of ranges (`int8multirange`).
    static let minimumVersion = 140_000

    private let writer: PostgreSQLWriter
    private let reader: PostgreSQLReader
    /// For what reads a great many rows: lists need not wait for it.
    private let counter: PostgreSQLReader
    private let address: PostgreSQLAddress
    private let password: String?
    /// See `AlertStore`.
    public let shareKey: String

    /// Connects to `url` and brings the tables up to date. Throws `UserError` in one line.
    public init(url: String, password: String?, settings: Settings = Settings()) throws {
        do throws(PostgreSQLAddress.Malformed) { address = try PostgreSQLAddress(url) } catch {
            throw UserError(.configuration, "the store's URL \(error.reason)")
        }
        self.password = password
        let (address, timeoutS) = (address, settings.timeoutS)
        @Sendable func connection(_ name: String, plansEachRun: Bool = false) -> PostgreSQLLink {
            PostgreSQLLink(
                address: address, password: password, name: "fleet-sync \(name)", timeoutS: timeoutS, plansEachRun: plansEachRun)
        }
        do {
            let setup = try PostgreSQLConnection(address, password: password, name: "fleet-sync setup", timeoutS: 3600)
            try Self.migrate(setup, address)
            shareKey = try setup.query("SELECT share_key FROM counters").string(0, 0)
        } catch let error as PostgreSQLError {
            throw Self.userError(error, address)
        }
        writer = PostgreSQLWriter(connection("writer"), settings)
        reader = PostgreSQLReader(connection("reader", plansEachRun: true))
        counter = PostgreSQLReader(connection("counter", plansEachRun: true))
    }

    /// Whether `text` looks like the URL of a PostgreSQL database.
    public static func isAddress(_ text: String) -> Bool { PostgreSQLAddress.isAddress(text) }

    /// Why `url` cannot be used, in words that hold no secret; nil when nothing speaks against it.
    public static func refusal(of url: String) -> String? {
        do throws(PostgreSQLAddress.Malformed) { _ = try PostgreSQLAddress(url) } catch { return error.reason }
        return nil
    }

    /// Brings the tables up to date; several instances that start at once wait for each other.
    private static func migrate(_ connection: PostgreSQLConnection, _ address: PostgreSQLAddress) throws {
        guard connection.serverVersion >= minimumVersion else {
            throw UserError(
                .unavailable,
                "\(words(address)): PostgreSQL \(connection.serverVersion / 10_000) is too old; it has to be 14 or later")
        }
        try connection.transaction {
            try connection.query("SELECT pg_advisory_xact_lock($1)", [.integer(PostgreSQLSchema.migrationLock)])
            try connection.execute("CREATE TABLE IF NOT EXISTS schema_version(version integer NOT NULL)")
            let found = try connection.query("SELECT version FROM schema_version")
            let version = found.count > 0 ? Int(found.int64(0, 0)) : 0
            let known = PostgreSQLSchema.steps.count
            guard version <= known else {
                throw UserError(
                    .unavailable,
                    "\(words(address)): made by a newer version of this program (schema \(version), known up to \(known)); update this one"
                )
            }
            guard version < known else { return }
            for step in PostgreSQLSchema.steps[version...] { try connection.execute(step) }
            try connection.execute("DELETE FROM schema_version; INSERT INTO schema_version VALUES(\(known))")
        }
    }

    private static func words(_ address: PostgreSQLAddress) -> String {
        "the database \(address.database ?? "of the user's name") at \(address.host ?? "this machine")"
    }

    private static func userError(_ error: PostgreSQLError, _ address: PostgreSQLAddress) -> UserError {
        // What stands in the way of a connection has no number, only words.
        if error.state?.hasPrefix("42") == true {
            return UserError(.configuration, "\(words(address)): \(error.message); the user must own the database or its schema")
        }
        return UserError(.unavailable, "\(words(address)) cannot be used: \(error.message)")
    }

    /// See `AlertStore`.
    public func store(_ batch: [IncomingItem]) async throws -> [StoreOutcome] { try await writer.store(batch) }
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
    public func add(_ review: AlertReview) async throws -> AlertReview? { try await writer.add(review) }
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
    public func decommission(_ identity: VehicleIdentity) async throws -> Bool { try await writer.decommission(identity) }
    /// See `AlertStore`.
    public func trim(_ retention: Retention, now: Timestamp) async throws -> Int { try await writer.trim(retention, now: now) }
    /// See `AlertStore`.
    public func trimTracks(before oldest: Timestamp) async throws -> Int { try await writer.trimTracks(before: oldest) }

    /// See `AlertStore`.
    public func forget(_ identity: VehicleIdentity, before: Timestamp?) async throws -> Int {
        try await writer.forget(identity, before: before)
    }

    /// See `AlertStore`; runs `pg_dump`, which has to be of the server's version or later. The file is for `pg_restore`.
    public func backup(to path: String) async throws {
        try await DatabaseDump(address: address, password: password).write(to: path)
    }

    /// See `AlertStore`. A notification that is lost costs at most `ChangeListener.pollS`.
    public func changesElsewhere() -> AsyncStream<Void> { ChangeListener(address: address, password: password).changes() }
}

extension PostgreSQLStore {
    /// See `AuditLog`.
    public func record(_ entry: AuditEntry) async throws { try await writer.record(entry) }
    /// See `AuditLog`.
    public func auditEntries(before: Int64?, limit: Int) async throws -> AuditList {
        try await reader.auditEntries(before: before, limit: limit)
    }
    /// See `AuditLog`.
    public func removeAuditEntries(before oldest: Timestamp) async throws -> Int {
        try await writer.removeAuditEntries(before: oldest)
    }

    /// See `WebhookQueue`.
    public func webhookCursor(of rule: String) async throws -> Int64 { try await writer.webhookCursor(of: rule) }
    /// See `WebhookQueue`.
    public func enqueue(
        _ alerts: [(alert: Alert, dueAt: Timestamp)], rule: String, upTo cursor: Int64, now: Timestamp
    ) async throws -> Int { try await writer.enqueue(alerts, rule: rule, upTo: cursor, now: now) }
    /// See `WebhookQueue`.
    public func claim(rule: String, now: Timestamp, leaseS: Double, limit: Int) async throws -> [WebhookDelivery] {
        try await writer.claim(rule: rule, now: now, leaseS: leaseS, limit: limit)
    }
    /// See `WebhookQueue`.
    public func settle(_ delivery: WebhookDelivery) async throws { try await writer.settle(delivery) }
    /// See `WebhookQueue`.
    public func webhookDeliveries(before: Int64?, limit: Int) async throws -> WebhookDeliveryList {
        try await reader.webhookDeliveries(before: before, limit: limit)
    }
    /// See `WebhookQueue`.
    public func removeWebhookDeliveries(before oldest: Timestamp) async throws -> Int {
        try await writer.removeWebhookDeliveries(before: oldest)
    }
}
