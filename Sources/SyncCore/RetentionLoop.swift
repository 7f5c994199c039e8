import FleetModel
import FleetRuntime
import FleetStore

/// Removes what the store no longer has to keep, a little at a time, so that nobody waits long behind it.
struct RetentionLoop: Sendable {
    /// Seconds between looks.
    static let intervalS = 60.0
    /// Seconds between two steps of one look: what is taken in goes first.
    static let pauseS = 0.05

    let store: any AlertStore
    let retention: Retention
    let clock: any FleetClock
    private let log = Log("retention")

    init(store: any AlertStore, retention: Retention, clock: any FleetClock) {
        self.store = store
        self.retention = retention
        self.clock = clock
    }

    /// Until it is cancelled.
    func run() async {
        var isFailing = false
        while !Task.isCancelled {
            do {
                var removed = 0
                while retention.isBounded, case let count = try await store.trim(retention, now: clock.wallTime()), count > 0,
                    !Task.isCancelled
                {
                    removed += count
                    try await Task.sleep(for: .seconds(Self.pauseS))
                }
                let oldest = clock.wallTime().advanced(bySeconds: -retention.trackAgeS)
                while try await store.trimTracks(before: oldest) > 0, !Task.isCancelled {
                    try await Task.sleep(for: .seconds(Self.pauseS))
                }
                if removed > 0 { log.info("removed the \(removed) alerts that changed longest ago") }
                isFailing = false
            } catch {
                if !isFailing, !Task.isCancelled { log.warning("old alerts cannot be removed: \(error)") }
                isFailing = true
            }
            try? await Task.sleep(for: .seconds(Self.intervalS))
        }
    }
}
