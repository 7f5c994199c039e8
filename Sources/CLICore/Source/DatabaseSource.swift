import FleetModel
import FleetRuntime
import FleetStore
import FoundationEssentials

/// Reads a store's file, also while the server writes it.
struct DatabaseSource: FleetSource {
    /// Seconds between looks at the file when changes are followed.
    private static let pollS = 1.0

    private let store: SQLiteStore
    /// Where a server keeps them unless it was told otherwise.
    private let snapshots: SnapshotFolder

    init(path: String) throws {
        var settings = SQLiteStore.Settings()
        settings.isReadOnly = true
        store = try SQLiteStore(path: path, settings: settings)
        snapshots = SnapshotFolder(path: path + ".snapshots")
    }

    func alerts(_ query: AlertQuery) async throws -> AlertPage { try await store.alerts(query) }

    func history(of id: AlertID) async throws -> [StoredAlert] { try await store.history(of: id) }

    func reviews(of id: AlertID) async throws -> [AlertReview] { try await store.reviews(of: id) }

    func snapshot(of id: AlertID) async throws -> Data {
        let found = try await store.history(of: id)
        let owner = found.min { $0.cursor < $1.cursor }?.alert.identity
        let digest = found.last { $0.alert.identity == owner && $0.alert.snapshot != nil }?.alert.snapshot?.sha256
        guard let owner, let jpeg = await snapshots.find(id, by: owner, digest: digest) else {
            throw UserError(.noInput, "the store has no picture of this alert")
        }
        return jpeg
    }

    func vehicles() async throws -> VehicleList {
        let now = WallClock.now()
        return VehicleList(vehicles: try await store.vehicles().map { VehicleView($0, at: now) }, at: now)
    }

    func statistics(since: Timestamp, by grouping: StatisticsGrouping) async throws -> StatisticsList {
        StatisticsList(since: since, by: grouping, rows: try await store.statistics(since: since, by: grouping))
    }

    func export(
        _ start: AlertQuery, as format: AlertFile, _ write: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
    ) async throws {
        var query = start
        query.limit = AlertQuery.maximumLimit
        func print(_ lines: [String]) { Data(lines.map { $0 + "\n" }.joined().utf8).withUnsafeBytes(write) }
        if !format.head.isEmpty { print([format.head]) }
        repeat {
            let page = try await store.alerts(query)
            print(page.alerts.compactMap(format.line))
            query.before = page.nextBefore
        } while query.before != nil
    }

    func changes(after start: Int64, _ query: AlertQuery) -> AsyncThrowingStream<StoredAlert, any Error> {
        var query = query
        (query.since, query.until, query.before, query.limit) = (nil, nil, nil, AlertQuery.maximumLimit)
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: StoredAlert.self)
        let task = Task { [query] in
            do {
                var cursor = start
                while true {
                    let page = try await store.changes(after: cursor, query)
                    for alert in page.alerts { continuation.yield(alert) }
                    cursor = page.nextCursor
                    if page.alerts.isEmpty { try await Task.sleep(for: .seconds(Self.pollS)) }
                }
            } catch { continuation.finish(throwing: error) }
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
