import FleetModel
import FleetRuntime

/// Which rows go to the broker and when, and what its answers change.
extension DurableOutbox {
    /// With a full window and no answer, one row is sent again after this many seconds, to learn whether the sync service is back.
    private static let probeAfterS = 60.0
    /// An answer after a silence of this many seconds makes everything due that the service cannot have seen.
    static let silenceS = 25.0
    /// Seconds after the start in which alerts that do not know the year wait for it; after that they go as they are.
    static let holdS = 120.0

    /// The rows to be sent now, marked as under way until their resend is due: critical alerts first, the newest of them before all; then the
    /// other alerts and gap events, the oldest first; then, when none of these waits, snapshots. `urgentOnly` leaves it at the first.
    public func handOver(nowS: Double, urgentOnly: Bool = false) -> [OutboxRow] {
        guard !flights.isSuspectOut else { return [] }
        do {
            var (chosen, damaged) = try attempt { try self.choose(nowS, urgentOnly) }
            while !damaged.isEmpty {
                try giveUp(damaged)
                let more = try attempt { try self.choose(nowS, urgentOnly) }
                chosen += more.rows
                damaged = more.damaged
            }
            return chosen
        } catch {
            log.error("rows cannot be read: \(error)")
            return []
        }
    }

    private func choose(_ nowS: Double, _ urgentOnly: Bool) throws -> (rows: [OutboxRow], damaged: [Int64]) {
        if nowS >= heldUntilS, try store.hasHeld() { try store.letHeldGo() }
        let alerts: Set<Lane> = [.urgent, .normal, .held]
        let underway = flights.underway(alerts, at: nowS)
        let probe = underway >= settings.window ? flights.oldest(silentForS: Self.probeAfterS, at: nowS) : nil
        var chosen = try choose(.urgent, room: settings.window + settings.urgentWindow - underway, probe: probe, nowS)
        if urgentOnly { return (chosen.rows, chosen.damaged) }
        if let number = flights.dueSuspect(at: nowS) {
            // It goes alone: once everything else is answered for.
            guard chosen.rows.isEmpty, !flights.isAnythingOut else { return (chosen.rows, chosen.damaged) }
            guard let lane = try store.lane(of: number) else {
                flights.end(number)
                return (chosen.rows, chosen.damaged)
            }
            let row = try store.row(number, attempt: flights.begin(number, lane, at: nowS))
            return (row.map { [$0] } ?? [], row == nil ? [number] : [])
        }
        chosen.add(
            try choose(.normal, room: settings.window - underway - chosen.rows.count, probe: probe, nowS))
        if chosen.isAtEnd {
            let room = settings.snapshotWindow - flights.underway([.snapshot], at: nowS)
            chosen.add(try choose(.snapshot, room: room, probe: nil, nowS))
        }
        return (chosen.rows, chosen.damaged)
    }

    private func choose(_ lane: Lane, room: Int, probe: Int64?, _ nowS: Double) throws -> OutboxStore.Chosen {
        var left = room
        return try store.choose(from: lane) { number in
            if number == probe { return .take(attempt: self.flights.begin(number, lane, at: nowS)) }
            guard !self.flights.isUnderway(number, at: nowS), !self.flights.isSuspect(number) else { return .skip }
            guard left > 0 else { return probe == nil ? .stop : .skip }
            left -= 1
            return .take(attempt: self.flights.begin(number, lane, at: nowS))
        }
    }

    /// Rows whose bytes are not what was stored are not sent: nobody knows what they said.
    private func giveUp(_ damaged: [Int64]) throws(OutboxFailure) {
        log.error("\(damaged.count) rows of the outbox are damaged and given up")
        try attempt {
            try self.store.transaction {
                try self.forget(
                    try damaged.map { OutboxStore.Dropped(number: $0, seq: try self.store.delete(number: $0)) }, .corrupted)
            }
        }
    }

    // MARK: the broker's answers

    /// The broker has acknowledged a row. It stays until its receipt comes.
    public func acknowledged(_ row: OutboxRow) { flights.acknowledge(row.number) }

    /// A row was not sent after all.
    public func returned(_ row: OutboxRow) { flights.cancel(row.number) }

    /// A row was not sent, because the present connection does not carry it. It waits for the next one, and holds up nothing.
    public func held(_ row: OutboxRow) { flights.hold(row.number) }

    /// Why a connection ended.
    public enum ConnectionLoss: Sendable {
        /// The broker says that a message was at fault.
        case message
        /// Nobody says why: the network, or a broker that hangs up.
        case unknown
        /// Something else was at fault.
        case other
    }

    /// The connection is lost: what was not acknowledged is due again. A row on which the connection breaks every time it is sent alone is
    /// moved aside; returns the ids of such.
    @discardableResult
    public func connectionLost(_ loss: ConnectionLoss = .unknown) -> [AlertID] {
        let kind: Flights.Loss =
            switch loss {
            case .message: .message
            case .unknown: .unknown
            case .other: .other
            }
        let convicted = flights.loseConnection(
            kind, at: clock.monotonicS(), refusalLimit: settings.refusalLimit, silentLossLimit: settings.silentLossLimit)
        return convicted.compactMap { number in
            guard let row = try? store.row(number, attempt: 0) else { return nil }
            let reason = loss == .message ? "the broker ends the connection over it" : "the connection ends each time it is sent"
            return setAside(row, reason: reason) ? row.id : nil
        }
    }

    /// The broker refused a row. A message that it will never take (`isPermanent`) is moved aside after `refusalLimit` refusals, so
    /// that it is not sent for ever; anything else stays on its schedule. Returns whether it was moved aside.
    public func refused(_ row: OutboxRow, isPermanent: Bool, reason: String) -> Bool {
        let count = flights.refuse(row.number)
        guard isPermanent, count >= settings.refusalLimit else { return false }
        return setAside(row, reason: reason)
    }

    /// Moves a row to the table of rejected ones.
    @discardableResult
    public func setAside(_ row: OutboxRow, reason: String) -> Bool {
        take([Receipt(id: row.id, revision: row.revision, result: .rejected, reason: reason)]).rejected == 1
    }
}
