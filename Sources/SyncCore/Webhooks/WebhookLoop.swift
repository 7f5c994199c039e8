import FleetModel
import FleetRuntime
import FleetStore
import FoundationEssentials

/// Looks for what a rule wants, and tells it, until it is cancelled. What is to be told is in the store before it is sent: a restart loses
/// nothing, and the store's own key keeps an alert from being told twice, whatever number of instances look.
///
/// A message is sent at least once: when the answer is lost, it is sent again under the same id.
struct WebhookLoop: Sendable {
    /// Seconds between looks when nothing changes: retries and ends of quiet hours are due then.
    static let lookS = 2.0
    /// Alerts that are read from the store at once.
    private static let page = 500
    /// Messages that are taken at once, and for how long they are ours.
    private static let claim = (limit: 10, leaseS: 180.0)
    /// Seconds until the second attempt, factor from one to the next, and the longest pause: about a day in all.
    static let retry = (firstS: 5.0, factor: 4.0, maximumS: 21_600.0)
    /// Attempts after which a message is given up.
    static let attempts = 11
    /// Seconds after which a rule's place is noted though it has found nothing.
    private static let noteS = 30.0

    let rule: WebhookRule
    let store: any AlertStore
    let clock: any FleetClock
    let counters: WebhookCounters
    private let sender: WebhookSender
    private let log = Log("webhook")

    init(rule: WebhookRule, store: any AlertStore, clock: any FleetClock, counters: WebhookCounters) {
        self.rule = rule
        self.store = store
        self.clock = clock
        self.counters = counters
        sender = WebhookSender(rule)
    }

    /// Runs with every element of `wakes`.
    func run(wakes: AsyncStream<Void>) async {
        var place: Place?
        var isFailing = false
        for await _ in wakes {
            guard !Task.isCancelled else { return }
            do {
                let current = if let place { place } else { Place(cursor: try await store.webhookCursor(of: rule.name)) }
                place = try await look(from: current)
                try await deliver()
                isFailing = false
            } catch {
                if !isFailing, !Task.isCancelled { log.warning("\(rule.name): the store does not answer: \(error)") }
                isFailing = true
            }
        }
    }

    /// How far the rule has looked, and how far the store knows of it.
    private struct Place {
        var cursor: Int64
        var noted: Int64
        var notedAtS = MonotonicTime.now()

        init(cursor: Int64) { (self.cursor, noted) = (cursor, cursor) }
    }

    /// Puts what the rule wants into its queue.
    private func look(from start: Place) async throws -> Place {
        var place = start
        // Before the rows: what is committed meanwhile is looked at next time.
        let highest = try await store.latestCursor()
        var query = AlertQuery(limit: Self.page)
        query.severity = rule.severity
        if rule.kinds.count == 1 { query.kind = rule.kinds.first }
        while place.cursor < highest {
            let page = try await store.changes(after: place.cursor, query)
            place.cursor = page.alerts.count < query.limit ? max(highest, page.nextCursor) : page.nextCursor
            let now = clock.wallTime()
            let wanted = page.alerts.filter(rule.wants).map { (alert: $0.alert, dueAt: rule.dueAt($0.alert, now: now)) }
            let isTimeToNote = MonotonicTime.now() - place.notedAtS > Self.noteS && place.cursor != place.noted
            guard !wanted.isEmpty || isTimeToNote else { continue }
            _ = try await store.enqueue(wanted, rule: rule.name, upTo: place.cursor, now: now)
            (place.noted, place.notedAtS) = (place.cursor, MonotonicTime.now())
        }
        return place
    }

    private func deliver() async throws {
        while !Task.isCancelled {
            let due = try await store.claim(
                rule: rule.name, now: clock.wallTime(), leaseS: Self.claim.leaseS, limit: Self.claim.limit)
            for delivery in due where !Task.isCancelled { try await store.settle(await attempt(delivery)) }
            if due.count < Self.claim.limit { return }
        }
    }

    /// Sends once, and says what has become of the message.
    private func attempt(_ waiting: WebhookDelivery) async throws -> WebhookDelivery {
        var delivery = waiting
        let history = try await store.history(of: delivery.alert)
        let alert = history.last { $0.alert.identity.fleet == delivery.fleet && $0.alert.identity.vehicle == delivery.vehicle }
        let now = clock.wallTime()
        delivery.dueAt = now
        guard let alert else {
            (delivery.state, delivery.detail) = (.failed, "the alert is no longer kept")
            return delivery
        }
        let outcome = await sender.send(alert, id: sender.id(of: delivery), at: now)
        delivery.attempts += 1
        (delivery.status, delivery.detail) = (outcome.status, outcome.failure ?? "")
        guard let failure = outcome.failure else {
            delivery.state = .delivered
            counters.update { $0.delivered += 1 }
            return delivery
        }
        counters.update { $0.failedAttempts += 1 }
        // 410 is the other side's word that nobody will ever want it there (RFC 9110, section 15.5.11).
        if delivery.attempts >= Self.attempts || outcome.status == 410 {
            delivery.state = .failed
            counters.update { $0.givenUp += 1 }
            log.error("\(rule.name): given up after \(delivery.attempts) attempts (\(failure)); alert \(delivery.alert)")
        } else {
            if delivery.attempts == 1 { log.warning("\(rule.name): \(failure); trying again for a day") }
            delivery.dueAt = now.advanced(bySeconds: Self.pauseS(after: delivery.attempts))
        }
        return delivery
    }

    /// Seconds from attempt number `attempt` to the next, with a fifth of jitter to either side.
    static func pauseS(after attempt: Int) -> Double {
        var pause = retry.firstS
        for _ in 1..<max(1, attempt) where pause < retry.maximumS { pause *= retry.factor }
        return min(pause, retry.maximumS) * Double.random(in: 0.8...1.2)
    }
}
