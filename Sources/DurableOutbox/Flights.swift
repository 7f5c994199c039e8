/// Which rows are under way: handed over, without a receipt, not yet due again. In memory only; after a restart every row is due.
///
/// A row that was on a connection each time it broke is a suspect: it is sent alone, at once and then on the schedule of resends, until the
/// broker has acknowledged it, so that a message which the broker answers by hanging up neither blocks the others nor comes every few seconds.
struct Flights {
    /// What is known of why a connection ended.
    enum Loss {
        /// The broker says that a message was at fault.
        case message
        /// Nobody says why.
        case unknown
        /// Something else was at fault.
        case other
    }

    private struct Flight {
        var lane: Lane
        var attempt = 0
        var handedOverAtS = 0.0
        var dueS = 0.0
        /// On the present connection and not answered by the broker.
        var isOut = false
        var isAcknowledged = false
        var refusals = 0
        /// Connections that broke while the row was out.
        var losses = 0
        /// Of these, the ones on which it was alone: by the broker's word, and in silence.
        var blamedLosses = 0
        var silentLosses = 0
        /// Acknowledgements of other rows that had come by the first silent loss.
        var acknowledgedBefore = 0
        /// Settled, but the disk did not take it: never handed over again.
        var isParked = false
        /// Not sent: the present connection does not carry it.
        var isHeld = false

        func isUnderway(at nowS: Double) -> Bool { isParked || dueS > nowS }
    }

    /// Losses after which a row is a suspect.
    private static let suspectAfter = 3
    /// A connection that ends later than this after a message was handed over did not end because of it, in s.
    private static let causeWithinS = 10.0

    private var flights: [Int64: Flight] = [:]
    /// Acknowledgements so far.
    private var acknowledgements = 0

    /// Rows under way at `nowS` on `lanes`.
    func underway(_ lanes: Set<Lane>, at nowS: Double) -> Int {
        flights.values.count { lanes.contains($0.lane) && !$0.isParked && !$0.isHeld && $0.dueS > nowS }
    }

    func isUnderway(_ row: Int64, at nowS: Double) -> Bool { flights[row]?.isUnderway(at: nowS) ?? false }
    /// Whether `row` was ever handed over since the program started.
    func isKnown(_ row: Int64) -> Bool { flights[row] != nil }
    func isSuspect(_ row: Int64) -> Bool { (flights[row]?.losses ?? 0) >= Self.suspectAfter }
    /// Whether the broker has yet to answer for something on this connection.
    var isAnythingOut: Bool { flights.values.contains { $0.isOut } }
    /// Whether that is a suspect: nothing goes beside it.
    var isSuspectOut: Bool { flights.values.contains { $0.isOut && $0.losses >= Self.suspectAfter } }

    /// The suspect to be sent next: the most urgent, then the oldest of those that are due.
    func dueSuspect(at nowS: Double) -> Int64? {
        flights.filter { $0.value.losses >= Self.suspectAfter && !$0.value.isUnderway(at: nowS) }
            .min { ($0.value.lane.rawValue, $0.key) < ($1.value.lane.rawValue, $1.key) }?.key
    }

    /// Notes that `row` is handed over; returns the number of this attempt.
    mutating func begin(_ row: Int64, _ lane: Lane, at nowS: Double) -> Int {
        var flight = flights[row] ?? Flight(lane: lane)
        flight.attempt += 1
        flight.isOut = true
        flight.isAcknowledged = false
        flight.isHeld = false
        flight.handedOverAtS = nowS
        flight.dueS = nowS + ResendSchedule.delayS(afterAttempt: flight.attempt)
        flights[row] = flight
        return flight.attempt
    }

    /// The oldest row that is due again later, when nothing at all was handed over for `afterS` seconds.
    func oldest(silentForS afterS: Double, at nowS: Double) -> Int64? {
        guard flights.values.allSatisfy({ nowS - $0.handedOverAtS >= afterS }) else { return nil }
        return flights.filter { !$0.value.isParked && $0.value.dueS > nowS }.keys.min()
    }

    /// Makes due what was handed over more than `afterS` seconds ago.
    mutating func hasten(silentForS afterS: Double, at nowS: Double) {
        for (row, flight) in flights where nowS - flight.handedOverAtS >= afterS { flights[row]?.dueS = min(flight.dueS, nowS) }
    }

    /// The broker has it; the receipt is still to come.
    mutating func acknowledge(_ row: Int64) {
        acknowledgements += 1
        flights[row]?.isOut = false
        flights[row]?.isAcknowledged = true
        flights[row]?.losses = 0
        flights[row]?.blamedLosses = 0
        flights[row]?.silentLosses = 0
    }

    /// The broker refused it; returns how often so far. It stays on its schedule.
    mutating func refuse(_ row: Int64) -> Int {
        flights[row]?.isOut = false
        flights[row]?.refusals += 1
        return flights[row]?.refusals ?? 0
    }

    /// It was not sent after all, and the attempt does not count.
    mutating func cancel(_ row: Int64) {
        guard var flight = flights[row] else { return }
        flight.attempt -= 1
        flight.isOut = false
        flight.dueS = 0
        flights[row] = flight
    }

    /// It was not sent, because the present connection does not carry it: due again on the next one, or on its schedule. Takes no room in
    /// the window meanwhile.
    mutating func hold(_ row: Int64) {
        flights[row]?.isOut = false
        flights[row]?.isHeld = true
    }

    /// Its receipt came but could not be noted: it is not sent again.
    mutating func park(_ row: Int64) {
        flights[row, default: Flight(lane: .normal)].isParked = true
        flights[row]?.isOut = false
    }

    /// The connection is gone: what the broker has not acknowledged is due at once, what it has stays on its schedule. Returns the rows
    /// that have broken the connection so often, each alone on it, that they must be moved aside.
    mutating func loseConnection(_ loss: Loss, at nowS: Double, refusalLimit: Int, silentLossLimit: Int) -> [Int64] {
        for (row, flight) in flights where flight.isHeld { flights[row]?.dueS = 0 }
        let out = flights.filter { $0.value.isOut }
        for (row, known) in out {
            var flight = known
            flight.isOut = false
            if loss == .message || loss == .unknown && nowS - flight.handedOverAtS < Self.causeWithinS {
                flight.losses += 1
                if out.count == 1, loss == .message { flight.blamedLosses += 1 }
                if out.count == 1, loss == .unknown {
                    if flight.silentLosses == 0 { flight.acknowledgedBefore = acknowledgements }
                    flight.silentLosses += 1
                }
            }
            // A suspect that was alone keeps the time of its resend; one that was not is sent alone at once, to be cleared.
            if flight.losses < Self.suspectAfter || out.count > 1 { flight.dueS = min(flight.dueS, 0) }
            flights[row] = flight
        }
        // Silence alone convicts only while others come through.
        return out.keys.filter { row in
            guard let flight = flights[row] else { return false }
            return flight.blamedLosses >= refusalLimit
                || flight.silentLosses >= silentLossLimit && acknowledgements > flight.acknowledgedBefore
        }
    }

    mutating func end(_ row: Int64) { flights[row] = nil }
    mutating func removeAll() { flights = [:] }
}
