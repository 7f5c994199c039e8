import DurableOutbox
import FleetLoad
import FleetModel
import FleetRuntime
import FleetTestSupport

/// Raises episodes with start, updates and end, one or several rows at a time, some of them with a picture, and notes in the journal what
/// the outbox has confirmed.
struct AlertWriter {
    /// Share of episodes with a picture.
    private static let pictureShare = 0.2

    private let identity: VehicleIdentity
    private let outbox: DurableOutbox
    private let journal: Journal
    private let boot = BootID.current()
    private var open: [Alert] = []
    private var random = SystemRandomNumberGenerator()
    private var lastBurst = 1
    /// Pictures of the episodes that are about to be stored.
    private var pictures: [AlertID: SnapshotPicture] = [:]
    /// Rows that the outbox has confirmed, over all starts.
    private(set) var confirmed: Int

    init(identity: VehicleIdentity, outbox: DurableOutbox, journal: Journal, confirmed: Int) {
        self.identity = identity
        self.outbox = outbox
        self.journal = journal
        self.confirmed = confirmed
    }

    var hasOpenEpisodes: Bool { !open.isEmpty }

    /// Seconds until the next rows, so that there are `rate` a second.
    func pauseS(rate: Double) -> Double { Double(lastBurst) / rate }

    /// What a killed run left open is ended, as the agent does at its start.
    mutating func endInterruptedEpisodes(_ clock: any FleetClock) async throws {
        for end in await outbox.endOpenEpisodes(boot: boot, monotonicS: clock.monotonicS(), clockState: .ntp) { try confirm(end) }
    }

    /// Raises the next row or rows; once `wanted` are confirmed, only ends what is open.
    mutating func write(wanted: Int, _ clock: any FleetClock) async throws {
        let isLast = confirmed >= wanted
        let size = isLast ? open.count : random.next() % 8 == 0 ? Int(random.next() % 10) + 1 : 1
        lastBurst = max(1, size)
        var alerts: [Alert] = []
        for _ in 0..<size { alerts.append(next(clock, endsAll: isLast)) }
        for (alert, result) in zip(alerts, await outbox.append(alerts)) {
            switch result {
            case .stored(let seq):
                var numbered = alert
                numbered.seq = seq
                try confirm(numbered)
            case .failed: try journal.refused()
            }
        }
        // As the agent does: the alert first, its picture when that is safe.
        for (id, picture) in pictures where open.contains(where: { $0.id == id }) { try await keep(picture, of: id, clock) }
        pictures = [:]
    }

    private func keep(_ picture: SnapshotPicture, of id: AlertID, _ clock: any FleetClock) async throws {
        do { try await outbox.append(snapshot: picture.jpeg, of: id, takenAt: clock.wallTime()) } catch {
            return try journal.refused()
        }
        try journal.stored(picture: picture.reference.sha256, of: id)
    }

    private mutating func confirm(_ alert: Alert) throws {
        try journal.stored(alert)
        confirmed += 1
    }

    private mutating func next(_ clock: any FleetClock, endsAll: Bool) -> Alert {
        let now = clock.wallTime()
        let index = open.isEmpty ? nil : Int(random.next() % UInt64(open.count))
        guard let index, endsAll || open.count >= 5 || random.next() % 4 > 0 else {
            var alert = SampleAlerts.alert(
                1, severity: Severity.allCases.randomElement(using: &random) ?? .info, identity: identity, at: now)
            alert.id = AlertID.v7(at: now, using: &random)
            alert.boot = boot
            alert.monotonicS = clock.monotonicS()
            if Double.random(in: 0...1, using: &random) < Self.pictureShare {
                var seeded = SeededGenerator(seed: random.next(), purpose: "picture")
                let picture = SnapshotPicture(using: &seeded)
                alert.snapshot = picture.reference
                pictures[alert.id] = picture
            }
            open.append(alert)
            return alert
        }
        var alert = open[index]
        alert.revision += 1
        alert.at = now
        alert.monotonicS = clock.monotonicS()
        alert.phase = .update
        open[index] = alert
        if endsAll || random.next() % 3 == 0 {
            alert.phase = .end
            alert.endedAt = now
            alert.endReason = .cleared
            open.remove(at: index)
        }
        return alert
    }
}
