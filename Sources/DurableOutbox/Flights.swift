/// Which rows are under way: handed over, without a receipt, not yet due again. In memory only; after a restart every row is due.
struct Flights {
    private struct Flight {
        var attempt = 0
        var handedOverAtS = 0.0
        var dueS = 0.0
        var isAcknowledged = false
        var refusals = 0
    }

    private var flights: [Int64: Flight] = [:]

    /// Rows under way at `nowS`.
    func underway(at nowS: Double) -> Int { flights.values.count { $0.dueS > nowS } }

    func isUnderway(_ row: Int64, at nowS: Double) -> Bool { flights[row].map { $0.dueS > nowS } ?? false }

    /// Notes that `row` is handed over; returns the number of this attempt.
    mutating func begin(_ row: Int64, at nowS: Double) -> Int {
        var flight = flights[row] ?? Flight()
        flight.attempt += 1
        flight.isAcknowledged = false
        flight.handedOverAtS = nowS
        flight.dueS = nowS + ResendSchedule.delayS(afterAttempt: flight.attempt)
        flights[row] = flight
        return flight.attempt
    }

    /// The oldest row that is due again later, when nothing at all was handed over for `afterS` seconds.
    func oldest(silentForS afterS: Double, at nowS: Double) -> Int64? {
        guard flights.values.allSatisfy({ nowS - $0.handedOverAtS >= afterS }) else { return nil }
        return flights.filter { $0.value.dueS > nowS }.keys.min()
    }

    /// Makes due what was handed over more than `afterS` seconds ago.
    mutating func hasten(silentForS afterS: Double, at nowS: Double) {
        for (row, flight) in flights where nowS - flight.handedOverAtS >= afterS { flights[row]?.dueS = min(flight.dueS, nowS) }
    }

    /// The broker has it; the receipt is still to come.
    mutating func acknowledge(_ row: Int64) { flights[row]?.isAcknowledged = true }

    /// The broker refused it; returns how often so far. It stays on its schedule.
    mutating func refuse(_ row: Int64) -> Int {
        flights[row]?.refusals += 1
        return flights[row]?.refusals ?? 0
    }

    /// It was not sent after all, and the attempt does not count.
    mutating func cancel(_ row: Int64) {
        guard var flight = flights[row] else { return }
        flight.attempt -= 1
        flight.dueS = 0
        flights[row] = flight
    }

    /// The connection is gone: what the broker has not acknowledged is due at once, what it has stays on its schedule.
    mutating func loseConnection() {
        for (row, flight) in flights where !flight.isAcknowledged { flights[row]?.dueS = min(flight.dueS, 0) }
    }

    mutating func end(_ row: Int64) { flights[row] = nil }
    mutating func removeAll() { flights = [:] }
}
