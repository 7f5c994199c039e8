import FleetModel
import Foundation

/// Binds pictures, which take longer to make than alerts may wait, to the later revisions of their alerts.
///
/// An alert goes out at once and without its picture. The first picture goes out as soon as it is made; the next revision names it. A second
/// one is held until a revision names it: the fleet server refuses a picture that differs from the one that the alert names.
public struct SnapshotBook: Sendable {
    private struct Page: Sendable {
        var reference: SnapshotReference?
        var isNamed = false
        /// Made, and held until a revision names it.
        var held: Snapshot?
    }

    private var pages: [AlertID: Page] = [:]

    /// No pictures.
    public init() {}

    /// Completes a revision that is about to be stored, and says which picture is to be stored right after it.
    public mutating func complete(_ alert: Alert) -> (alert: Alert, then: Snapshot?) {
        var page = pages[alert.id] ?? Page()
        var complete = alert
        let held = page.held
        if let held { page.reference = held.reference }
        complete.snapshot = page.reference ?? alert.snapshot
        page.isNamed = complete.snapshot != nil
        page.held = nil
        pages[alert.id] = alert.phase == .end ? nil : page
        return (complete, held)
    }

    /// Takes a picture that is ready; returns it when it is to be stored now. One that comes after its episode's end goes out unnamed when it is
    /// the only one, and nowhere otherwise.
    public mutating func add(_ snapshot: Snapshot, of id: AlertID, isFirst: Bool) -> Snapshot? {
        guard var page = pages[id] else { return isFirst ? snapshot : nil }
        if page.isNamed {
            page.held = snapshot
            pages[id] = page
            return nil
        }
        page.reference = snapshot.reference
        pages[id] = page
        return snapshot
    }
}
