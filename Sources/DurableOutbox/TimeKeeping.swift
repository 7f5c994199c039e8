import FleetModel
import FleetRuntime

/// What the outbox does when the time becomes known, and as it passes.
extension DurableOutbox {
    /// Fills in the wall time of what was raised in `boot` before its clock was trusted, from its monotonic time, now and from now on.
    /// `now` is one moment on both clocks. What was handed over already stays as it was sent. Returns how many waiting rows were changed.
    @discardableResult
    public func fillInTimes(boot: String, now: VehicleClock.Reading) -> Int {
        let anchor = TimeAnchor(boot: boot, reading: now)
        self.anchor = anchor
        do {
            let changed = try attempt {
                try self.store.transaction {
                    try self.store.fillIn(boot: boot) { number, alert in
                        if let number, self.flights.isKnown(number) { nil } else { anchor.dated(alert) }
                    }
                }
            }
            heldUntilS = -.infinity
            if changed > 0 { log.info("the time of \(changed) waiting alerts is filled in (\(now.state.rawValue))") }
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

/// A moment of one boot on both clocks, from which others of that boot follow.
struct TimeAnchor {
    var boot: String
    var reading: VehicleClock.Reading

    /// `alert` with the times that its monotonic time stands for; nil when it was raised in another boot, or its clock was trusted.
    func dated(_ alert: Alert) -> Alert? {
        guard alert.clock == .unsynchronised, alert.boot == boot, alert.origin == .live else { return nil }
        var dated = alert
        dated.at = reading.at.advanced(bySeconds: alert.monotonicS - reading.monotonicS)
        dated.clock = reading.state
        // What an interrupted episode knows of its beginning and end comes from the run before.
        guard alert.endReason != .interrupted else { return dated }
        let correctionS = dated.at.seconds(since: alert.at)
        dated.startedAt = alert.startedAt.advanced(bySeconds: correctionS)
        dated.endedAt = alert.endedAt.map { $0.advanced(bySeconds: correctionS) }
        return dated
    }
}
