import FleetModel
import FleetRuntime

/// What the outbox does when the time becomes known, and as it passes.
extension DurableOutbox {
    /// Fills in the wall time of what was raised in `boot` before its clock was trusted, from its monotonic time: the moment `at` was
    /// `atMonotonicS`, as `clockState` says. What was handed over already stays as it was sent. Returns how many rows were changed.
    @discardableResult
    public func fillInTimes(boot: String, at: Timestamp, atMonotonicS: Double, clockState: ClockState) -> Int {
        let date = { (alert: Alert) -> Alert in
            var dated = alert
            dated.at = at.advanced(bySeconds: alert.monotonicS - atMonotonicS)
            dated.clock = clockState
            // What an interrupted episode knows of its beginning and end comes from the run before.
            guard alert.endReason != .interrupted else { return dated }
            let correctionS = dated.at.seconds(since: alert.at)
            dated.startedAt = alert.startedAt.advanced(bySeconds: correctionS)
            dated.endedAt = alert.endedAt.map { $0.advanced(bySeconds: correctionS) }
            return dated
        }
        do {
            let changed = try attempt {
                try self.store.transaction {
                    try self.store.fillIn(boot: boot) { number, alert in
                        if let number, self.flights.isKnown(number) { nil } else { date(alert) }
                    }
                }
            }
            heldUntilS = -.infinity
            if changed > 0 { log.info("the time of \(changed) waiting alerts is filled in (\(clockState.rawValue))") }
            bell.yield()
            return changed
        } catch {
            log.error("times cannot be filled in: \(error)")
            return 0
        }
    }

    /// Drops what has waited longer than the bound on age allows, except critical alerts, and tells by gap events. To be called now and then
    /// while the clock is trusted. Returns how many rows went.
    @discardableResult
    public func expire(now: Timestamp) -> Int {
        do {
            let dropped = try attempt {
                try self.store.transaction {
                    let dropped = try self.store.dropOlder(than: now.advanced(bySeconds: -self.settings.maximumAgeS))
                    try self.forget(dropped, .expired)
                    return dropped.count
                }
            }
            if dropped > 0 { log.warning("\(dropped) rows are dropped for their age") }
            return dropped
        } catch {
            log.error("old rows cannot be dropped: \(error)")
            return 0
        }
    }
}
