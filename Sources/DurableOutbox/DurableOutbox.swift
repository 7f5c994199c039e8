import FleetModel
import FleetRuntime
import Foundation
import SQLite

/// What waits for the sync service's receipt: on disk before anybody is told, gone on a receipt, never on the broker's acknowledgement.
///
/// SQLite with a write-ahead log and full sync: what `append` has returned for survives `kill -9` and a power cut. One process owns the
/// file (`PATH.lock`). Sequence numbers are given in the transaction that stores the row, are never reset and never given twice, even
/// when the database is lost (`PATH.seq`). All time comes in as a value.
public actor DurableOutbox {
    private let executor = BlockingExecutor(label: "outbox")
    /// Disk work runs on a thread of its own.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Rings when a row was added or settled; several rings may come as one. One listener.
    public nonisolated let changes: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    /// With a full window and no answer, one row is sent again after this many seconds, to learn whether the sync service is back.
    private static let probeAfterS = 60.0
    /// An answer after a silence of this many seconds makes everything due that the service cannot have seen.
    private static let silenceS = 25.0

    private let settings: OutboxSettings
    private let lock: StoreLock
    private let clock: any FleetClock
    private let log = Log("outbox")
    private var store: OutboxStore
    private var reserve: SequenceReserve
    private var flights = Flights()
    /// When the sync service answered last, on the monotonic clock.
    private var answeredAtS = -Double.infinity
    private var droppedSinceStart = 0
    private var isFull = false
    /// What storing failed with last; nil while it works.
    private var trouble: OutboxFailure?
    /// Alerts that could not be stored since then: they get numbers, and a gap event, when storing works again.
    private var lostToTrouble: Int64 = 0

    /// Opens the outbox, or makes it. Throws `UserError`: another process has it (69), or the file cannot be used (74).
    ///
    /// A broken file is moved aside (`PATH.corrupt-TIME`), a gap event tells of it, and the work goes on with a new one.
    public init(settings: OutboxSettings, clock: any FleetClock = SystemClock()) throws {
        self.settings = settings
        self.clock = clock
        (changes, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        lock = try Self.takeLock(settings.path)
        var reserve = SequenceReserve(path: settings.path + ".seq")
        let opened: OutboxStore
        do { opened = try Self.open(settings, &reserve, clock.wallTime(), log) } catch let error as SQLiteError {
            throw UserError(.ioError, "outbox \(error)")
        }
        self.reserve = reserve
        isFull = opened.alerts.rows >= settings.maximumRows || opened.alerts.bytes >= settings.maximumBytes
        store = opened
    }

    // MARK: storing

    /// Stores `alert` under the next sequence number; on disk when this returns.
    public func append(_ alert: Alert) -> AppendResult { append([alert])[0] }

    /// Stores several alerts in one commit, in their order; a revision that waits already keeps its number.
    public func append(_ alerts: [Alert]) -> [AppendResult] {
        guard !alerts.isEmpty else { return [] }
        do {
            let results = try attempt { try self.appendAll(alerts) }
            lostToTrouble = 0
            if let told = trouble { log.info("storing works again (\(told))") }
            trouble = nil
            bell.yield()
            return results
        } catch {
            if trouble == nil { log.error("alerts cannot be stored: \(error)") }
            trouble = error
            lostToTrouble += Int64(alerts.count)
            return alerts.map { _ in .failed(error) }
        }
    }

    private func appendAll(_ alerts: [Alert]) throws -> [AppendResult] {
        try store.transaction {
            var seq = try store.counter("seq")
            if lostToTrouble > 0 {
                try insertGap(seq + 1...seq + lostToTrouble, .diskFull)
                seq += lostToTrouble
            }
            let results = try alerts.map { alert -> AppendResult in
                if let known = try store.seq(of: alert.id, revision: alert.revision) { return .stored(seq: known) }
                var numbered = alert
                numbered.seq = seq + 1
                let payload = try WireCodec.encode(numbered)
                guard payload.count <= WireCodec.maximumPayloadBytes else { return .failed(.tooLarge(bytes: payload.count)) }
                try reserve.cover(seq + 1)
                try store.insert(numbered, payload: payload)
                seq += 1
                return .stored(seq: seq)
            }
            try store.setCounter("seq", seq)
            try makeRoom()
            return results
        }
    }

    /// Ends every episode that has no end, as happens when the program was killed: `endReason` `interrupted`. To be called once, before
    /// the first alert. `endedAt` is the last moment that is known of the episode. Returns the ends.
    public func endOpenEpisodes(boot: String, monotonicS: Double, clockState: ClockState) -> [Alert] {
        let now = clock.wallTime()
        let ends = ((try? store.openEpisodes()) ?? []).map { last in
            var end = last
            end.revision += 1
            end.phase = .end
            end.at = now
            end.endedAt = last.at
            end.endReason = .interrupted
            end.boot = boot
            end.monotonicS = monotonicS
            end.clock = clockState
            return end
        }
        let results = append(ends)
        return zip(ends, results).compactMap { end, result in
            guard case .stored(let seq) = result else { return nil }
            var numbered = end
            numbered.seq = seq
            return numbered
        }
    }

    // MARK: handing over

    /// The rows to be sent now, critical ones first, then the oldest; marks them as under way until their resend is due.
    public func handOver(nowS: Double) -> [OutboxRow] {
        var underway = flights.underway(at: nowS)
        let probe = underway >= settings.window ? flights.oldest(silentForS: Self.probeAfterS, at: nowS) : nil
        do {
            return try attempt {
                try self.store.forEachInOrder { number, isUrgent in
                    if number == probe { return .take(attempt: self.flights.begin(number, at: nowS)) }
                    let bound = self.settings.window + (isUrgent ? self.settings.urgentWindow : 0)
                    // Urgent rows come first: when one of them finds no room, no other does.
                    guard underway < bound else { return isUrgent || probe != nil ? .skip : .stop }
                    guard !self.flights.isUnderway(number, at: nowS) else { return .skip }
                    underway += 1
                    return .take(attempt: self.flights.begin(number, at: nowS))
                }
            }
        } catch {
            log.error("rows cannot be read: \(error)")
            return []
        }
    }

    /// The broker has acknowledged a row. It stays until its receipt comes.
    public func acknowledged(_ row: OutboxRow) { flights.acknowledge(row.number) }

    /// A row was not sent after all.
    public func returned(_ row: OutboxRow) { flights.cancel(row.number) }

    /// The connection is lost: what was not acknowledged is due again.
    public func connectionLost() { flights.loseConnection() }

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

    /// Takes receipts in: stored and duplicate rows go, rejected ones move to the table of rejected rows. Unknown ones are ignored.
    @discardableResult
    public func settle(_ message: ReceiptMessage) -> (delivered: Int, rejected: Int) {
        let nowS = clock.monotonicS()
        if nowS - answeredAtS >= Self.silenceS { flights.hasten(silentForS: Self.silenceS, at: nowS) }
        answeredAtS = nowS
        return take(message.receipts)
    }

    private func take(_ receipts: [Receipt]) -> (delivered: Int, rejected: Int) {
        do {
            let (delivered, rejected) = try attempt { try self.settleAll(receipts) }
            for number in delivered + rejected { flights.end(number) }
            isFull =
                isFull
                && (store.alerts.rows >= settings.maximumRows * 9 / 10 || store.alerts.bytes >= settings.maximumBytes / 10 * 9)
            if !delivered.isEmpty || !rejected.isEmpty { bell.yield() }
            return (delivered.count, rejected.count)
        } catch {
            // The rows stay; they are sent again, and their receipts come again.
            log.error("receipts cannot be taken in: \(error)")
            return (0, 0)
        }
    }

    private func settleAll(_ receipts: [Receipt]) throws -> (delivered: [Int64], rejected: [Int64]) {
        try store.transaction {
            var (delivered, rejected): ([Int64], [Int64]) = ([], [])
            for receipt in receipts {
                switch receipt.result {
                case .stored, .duplicate:
                    if let number = try store.delete(receipt.id, revision: receipt.revision) { delivered.append(number) }
                case .rejected:
                    let reason = receipt.reason ?? "no reason given"
                    let number = try store.reject(receipt.id, revision: receipt.revision, reason: reason, at: clock.wallTime())
                    if let number {
                        rejected.append(number)
                        log.error("alert \(receipt.id) revision \(receipt.revision) was rejected and is kept here: \(reason)")
                    }
                }
            }
            return (delivered, rejected)
        }
    }

    // MARK: counters

    /// Counts a connection and returns its number, which no earlier one had.
    public func nextSession() throws(OutboxFailure) -> Int64 {
        try attempt {
            try self.store.transaction {
                // Bounded whatever stands in the file: it has been outside this program's hands.
                let next = min(max(0, try self.store.counter("session")), VehicleStatus.sessionRange.upperBound - 1) + 1
                try self.store.setCounter("session", next)
                return next
            }
        }
    }

    /// Makes sure that the next connection's number is above `session`, which the broker has shown as this vehicle's, as far as
    /// `VehicleStatus.sessionRange` goes.
    public func raiseSession(above session: Int64) throws(OutboxFailure) {
        try attempt {
            try self.store.transaction {
                if try self.store.counter("session") < session { try self.store.setCounter("session", session) }
            }
        }
    }

    /// How the outbox stands.
    public func status() -> OutboxStatus {
        var status = OutboxStatus()
        status.rows = store.rows
        status.bytes = store.bytes
        status.rejected = (try? store.rejectedCount()) ?? 0
        status.dropped = droppedSinceStart
        status.isFull = isFull
        status.isDiskTroubled = trouble != nil
        return status
    }

    /// The newest rejected rows.
    public func rejected(limit: Int = 100) -> [RejectedRow] { (try? store.rejected(limit: limit)) ?? [] }

    // MARK: room

    /// Drops what matters least when the bound is passed, down to nine tenths of it, and tells by gap events. Within a transaction.
    private func makeRoom() throws {
        guard store.alerts.bytes > settings.maximumBytes || store.alerts.rows > settings.maximumRows else { return }
        let dropped = try store.drop(toBytes: settings.maximumBytes / 10 * 9, rows: settings.maximumRows * 9 / 10)
        guard !dropped.isEmpty else { return }
        for (number, _) in dropped { flights.end(number) }
        let ranges = GapRanges.ranges(of: dropped.map(\.seq))
        var told = ranges
        // Ranges that touch one which is not told yet become one event under a new id: at most one more event, never a wrong one.
        for (_, gap) in try store.gaps() where gap.reason == .outboxFull {
            guard ranges.contains(where: { $0.lowerBound - 1 <= gap.toSeq && gap.fromSeq <= $0.upperBound + 1 }) else { continue }
            told.append(gap.fromSeq...gap.toSeq)
            if let number = try store.delete(gap.id, revision: 1) { flights.end(number) }
        }
        for range in GapRanges.joined(told) { try insertGap(range, .outboxFull) }
        droppedSinceStart += dropped.count
        if !isFull { log.warning("the outbox is full: \(dropped.count) less important rows dropped") }
        isFull = true
    }

    private func insertGap(_ range: ClosedRange<Int64>, _ reason: GapEvent.Reason) throws {
        let now = clock.wallTime()
        let gap = GapEvent(
            identity: settings.identity, id: Self.newID(now), fromSeq: range.lowerBound, toSeq: range.upperBound, reason: reason,
            at: now)
        try store.insert(gap, payload: WireCodec.encode(gap))
    }

    // MARK: trouble

    /// Runs `body`; when the file turns out to be broken, puts a new one in its place and runs it again.
    private func attempt<T>(_ body: () throws -> T) throws(OutboxFailure) -> T {
        do { return try body() } catch let error as SQLiteError where error.isCorruption {
            do {
                store = try Self.replace(settings, &reserve, clock.wallTime(), because: error, log)
                flights.removeAll()
                return try body()
            } catch { throw Self.failure(error) }
        } catch { throw Self.failure(error) }
    }

    private static func failure(_ error: any Error) -> OutboxFailure {
        switch error {
        case let failure as OutboxFailure: failure
        case let error as SQLiteError where error.isDiskTrouble: .diskTrouble(error.description)
        default: .store("\(error)")
        }
    }

    private static func takeLock(_ path: String) throws -> StoreLock {
        do throws(StoreLock.Failure) { return try StoreLock(path: path + ".lock") } catch {
            if error.isTaken {
                throw UserError(.unavailable, "outbox \(path) is in use by another process; does another fleet-agent run here?")
            }
            throw UserError(.ioError, "outbox \(error.path): \(error.message)")
        }
    }

    private static func open(
        _ settings: OutboxSettings, _ reserve: inout SequenceReserve, _ now: Timestamp, _ log: Log
    ) throws -> OutboxStore {
        do {
            let store = try OutboxStore(path: settings.path)
            if try store.counter("seq") == 0, let bound = reserve.upperBound {
                // The database was removed by hand: its numbers may have been used.
                try store.setCounter("seq", bound)
            }
            return store
        } catch let error as SQLiteError where error.isCorruption {
            return try replace(settings, &reserve, now, because: error, log)
        }
    }

    /// Moves a broken database aside and makes a new one, which begins behind every number that may have been given out and with a gap
    /// event for the last block of them; what waited is in the file that was moved.
    private static func replace(
        _ settings: OutboxSettings, _ reserve: inout SequenceReserve, _ now: Timestamp, because error: SQLiteError, _ log: Log
    ) throws -> OutboxStore {
        let aside = "\(settings.path).corrupt-\(now.millisecondsSinceEpoch)"
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: settings.path + suffix) {
            try FileManager.default.moveItem(atPath: settings.path + suffix, toPath: aside + suffix)
        }
        log.error("the outbox is damaged (\(error.message)); kept as \(aside), going on with a new one")
        let last = reserve.continuation(now: now)
        let fresh = try OutboxStore(path: settings.path)
        let gap = GapEvent(
            identity: settings.identity, id: newID(now), fromSeq: max(1, last - SequenceReserve.block + 1), toSeq: max(1, last),
            reason: .corrupted, at: now)
        try fresh.transaction {
            try fresh.setCounter("seq", last)
            try fresh.insert(gap, payload: WireCodec.encode(gap))
        }
        try reserve.cover(last + 1)
        return fresh
    }

    private static func newID(_ now: Timestamp) -> AlertID {
        var generator = SystemRandomNumberGenerator()
        return AlertID.v7(at: now, using: &generator)
    }
}
