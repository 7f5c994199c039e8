import FleetStore
import Synchronization

/// What was taken in since start, for the metrics. Safe from every thread.
final class IngestCounters: Sendable {
    struct Values: Sendable {
        var stored = 0
        var duplicates = 0
        var conflicts = 0
        var quarantined = 0
        var heartbeats = 0
        var gaps = 0
        var snapshots = 0
        var storeFailures = 0
        var receiptMessages = 0
        /// Whether the last attempt to store a batch failed.
        var isStoreFailing = false
    }

    private let values = Mutex(Values())

    func count(_ batch: [(IncomingItem, StoreOutcome)]) {
        values.withLock { values in
            for (item, outcome) in batch {
                switch (item, outcome) {
                case (.alert, .stored): values.stored += 1
                case (.alert, .duplicate): values.duplicates += 1
                case (.alert, .conflict): values.conflicts += 1
                case (.gap, .stored): values.gaps += 1
                case (.heartbeat, _): values.heartbeats += 1
                case (.quarantine, _): values.quarantined += 1
                default: break
                }
            }
        }
    }

    func update(_ change: (inout Values) -> Void) { values.withLock { change(&$0) } }
    var current: Values { values.withLock { $0 } }
}
