import FleetModel
import FleetRuntime
import FleetStore

/// Removes old entries of the audit log, and what webhooks were told long ago.
struct LogRetentionLoop: Sendable {
    /// Seconds between looks.
    static let intervalS = 3600.0
    /// Seconds that the log of deliveries is kept; no alert is news longer.
    static let deliveryAgeS = 90 * 86_400.0

    let store: any AlertStore
    let auditAgeS: Double
    let clock: any FleetClock
    private let log = Log("retention")

    init(store: any AlertStore, auditAgeS: Double, clock: any FleetClock) {
        self.store = store
        self.auditAgeS = auditAgeS
        self.clock = clock
    }

    /// Until it is cancelled.
    func run() async {
        while !Task.isCancelled {
            let now = clock.wallTime()
            do {
                let entries = try await store.removeAuditEntries(before: now.advanced(bySeconds: -auditAgeS))
                if entries > 0 { log.info("removed \(entries) old entries of the audit log") }
                _ = try await store.removeWebhookDeliveries(before: now.advanced(bySeconds: -Self.deliveryAgeS))
            } catch {
                if !Task.isCancelled { log.warning("old log entries cannot be removed: \(error)") }
            }
            try? await Task.sleep(for: .seconds(Self.intervalS))
        }
    }
}
