import FleetModel
import FleetStore
import FoundationEssentials

/// Where the commands read from: a fleet server, or a store's file. Everything throws `UserError`.
protocol FleetSource: Sendable {
    /// One page of alerts, newest change first.
    func alerts(_ query: AlertQuery) async throws -> AlertPage
    /// All revisions of one alert, lowest first; empty when there is none.
    func history(of id: AlertID) async throws -> [StoredAlert]
    /// What people said of one alert, the oldest first.
    func reviews(of id: AlertID) async throws -> [AlertReview]
    /// The picture of an alert, a JPEG.
    func snapshot(of id: AlertID) async throws -> Data
    /// Every vehicle, by name.
    func vehicles() async throws -> VehicleList
    /// Counts since `since`.
    func statistics(since: Timestamp, by grouping: StatisticsGrouping) async throws -> StatisticsList
    /// Hands over the alerts of `query` as a file, piece by piece, however many.
    func export(_ query: AlertQuery, as format: AlertFile, _ write: @escaping @Sendable (UnsafeRawBufferPointer) -> Void)
        async throws
    /// Alerts that change after `cursor`, in the store's order, without end: nothing is left out, nothing comes twice.
    func changes(after cursor: Int64, _ query: AlertQuery) -> AsyncThrowingStream<StoredAlert, any Error>
}

extension FleetSource {
    /// Up to `count` alerts, page after page, and where changes after them begin.
    func alerts(_ query: AlertQuery, count: Int) async throws -> (alerts: [StoredAlert], cursor: Int64, areThereMore: Bool) {
        var query = query
        query.limit = min(count, AlertQuery.maximumLimit)
        var page = try await alerts(query)
        var all = page.alerts
        // Changes count from the first page on: what changes while later ones are read is shown as a change.
        let cursor = page.nextCursor
        while let before = page.nextBefore, all.count < count {
            query.before = before
            query.limit = min(count - all.count, AlertQuery.maximumLimit)
            page = try await alerts(query)
            all += page.alerts
        }
        return (all, cursor, page.nextBefore != nil)
    }
}
