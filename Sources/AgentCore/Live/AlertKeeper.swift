import DurableOutbox
import FleetModel
import FleetRuntime
import VisionPipeline

/// Brings alerts and their pictures into the outbox, each alert complete with what is known of its picture.
actor AlertKeeper {
    private let outbox: DurableOutbox
    private let clock: any FleetClock
    private var book = SnapshotBook()
    private let log = Log("agent")

    init(outbox: DurableOutbox, clock: any FleetClock) {
        self.outbox = outbox
        self.clock = clock
    }

    /// Stores an alert.
    func keep(_ alert: Alert) async {
        let (complete, picture) = book.complete(alert)
        if case .failed(let failure) = await outbox.append(complete) {
            log.error("alert \(alert.id) is not stored: \(failure)")
        } else {
            // The alert's time is its frame's.
            let tookMs = (clock.monotonicS() - alert.monotonicS) * 1000
            log.debug("alert \(alert.id) revision \(alert.revision) stored \(tookMs.rounded(toPlaces: 2)) ms after its frame")
        }
        if let picture {
            await store(picture, of: alert.id, takenAt: alert.clock == .unsynchronised ? nil : alert.at)
        }
    }

    /// Stores a picture, or holds it until its alert names it.
    func keep(_ snapshot: Snapshot, _ order: SnapshotStudio.Order) async {
        if let now = book.add(snapshot, of: order.alert, isFirst: order.isFirst) {
            await store(now, of: order.alert, takenAt: order.takenAt)
        }
    }

    private func store(_ snapshot: Snapshot, of id: AlertID, takenAt: Timestamp?) async {
        do { try await outbox.append(snapshot: snapshot.jpeg, of: id, takenAt: takenAt) } catch {
            log.warning("the picture of alert \(id) is not stored: \(error)")
        }
    }
}
