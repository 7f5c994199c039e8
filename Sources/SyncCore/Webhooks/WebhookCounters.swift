import Synchronization

/// What webhooks were told since start, for the metrics. Safe from every thread.
final class WebhookCounters: Sendable {
    struct Values: Sendable {
        var delivered = 0
        var failedAttempts = 0
        var givenUp = 0
    }

    private let values = Mutex(Values())

    func update(_ change: (inout Values) -> Void) { values.withLock { change(&$0) } }
    var current: Values { values.withLock { $0 } }
}
