import FleetModel
import FleetRuntime
import FleetStore

/// Looks after the pictures now and then: those that wait for their alert, and those that are too old to be kept.
struct SnapshotLoop: Sendable {
    /// Seconds between looks.
    static let intervalS = 600.0
    /// Seconds after which a picture without a name is nobody's.
    static let unnamedS = 3600.0

    let ingestor: SnapshotIngestor
    /// Seconds that a picture is kept; nil as long as there is room.
    let maximumAgeS: Double?
    let clock: any FleetClock
    private let log = Log("snapshots")

    init(ingestor: SnapshotIngestor, maximumAgeS: Double?, clock: any FleetClock) {
        self.ingestor = ingestor
        self.maximumAgeS = maximumAgeS
        self.clock = clock
    }

    /// Until it is cancelled.
    func run() async {
        var last: AlertID?
        while !Task.isCancelled {
            let now = clock.wallTime()
            do {
                let dropped = try await ingestor.lookAfterWaiting(now: now).dropped
                if dropped > 0 { log.warning("\(dropped) snapshots are dropped: their alerts have not come within a day") }
                let gone = try await ingestor.forgetGone(after: last)
                last = gone.last
                if gone.removed > 0 { log.info("removed the pictures of \(gone.removed) alerts that are gone") }
                _ = await ingestor.folder.removeUnnamed(before: now.advanced(bySeconds: -Self.unnamedS))
                if let age = maximumAgeS {
                    let removed = await ingestor.folder.removeOlder(than: now.advanced(bySeconds: -age))
                    if removed > 0 { log.info("removed \(removed) old snapshots") }
                }
            } catch {
                if !Task.isCancelled { log.warning("snapshots cannot be looked after: \(error)") }
            }
            try? await Task.sleep(for: .seconds(Self.intervalS))
        }
    }
}
