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
    let bell: AsyncStream<Void>.Continuation

    let settings: OutboxSettings
    private let lock: StoreLock
    let clock: any FleetClock
    let log = Log("outbox")
    var store: OutboxStore
    private let sequence: SequenceFile
    private var reserve: DiskReserve
    var flights = Flights()
    /// When the sync service answered last, on the monotonic clock.
    var answeredAtS = -Double.infinity
    /// Until when alerts without a year wait for their time, on the monotonic clock.
    var heldUntilS: Double
    /// From when on times are known, and by what.
    var anchor: TimeAnchor?
    private var droppedSinceStart = 0
    private var refusedSinceStart = 0
    var isFull = false
    /// Whether the disk is too full for everything to be accepted.
    private var isShort = false
    /// What storing failed with last; nil while it works.
    var trouble: OutboxFailure?
    /// Alerts that could not be stored since then: they get numbers, and a gap event, when storing works again.
    private var lostToTrouble: Int64 = 0
    /// Receipts that could not be noted; they are tried again with the next ones.
    var unsettled: [Receipt] = []

    /// Opens the outbox, or makes it. Throws `UserError`: another process has it (69), or the file cannot be used (74).
    ///
    /// A broken file is moved aside (`PATH.corrupt-TIME`), what can be read of it is taken over, a gap event tells of the rest, and the work
    /// goes on with a new file.
    public init(settings: OutboxSettings, clock: any FleetClock = SystemClock()) throws {
        self.settings = settings
        self.clock = clock
        (changes, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        heldUntilS = clock.monotonicS() + Self.holdS
        lock = try Self.takeLock(settings.path)
        do throws(OutboxFailure) { sequence = try SequenceFile(path: settings.path + ".seq") } catch {
            throw UserError(.ioError, "outbox \(error)")
        }
        reserve = DiskReserve(settings)
        let repair = OutboxRepair(
            settings: settings, logBytes: reserve.logBytes, sequence: sequence, now: clock.wallTime(), log: log)
        do {
            do { store = try repair.open() } catch let error as SQLiteError
                where error.isDiskTrouble || error.code.primary == .cannotOpen
            {
                // Opening needs a little room, which a full disk does not have.
                reserve.release()
                store = try repair.open()
            }
            let load = store.bounded
            isFull = load.rows >= settings.maximumRows || load.bytes >= settings.maximumBytes
        } catch let error as SQLiteError {
            throw UserError(.ioError, "outbox \(error)")
        }
    }

    /// Another vehicle whose messages wait here, or whose episode is open, and how many rows wait; nil when all are this vehicle's. The sync service would reject
    /// each of them, because topic and payload name different vehicles.
    public func stranger() -> (identity: VehicleIdentity, rows: Int)? {
        guard let payload = try? store.anyAlertPayload(), let alert = try? WireCodec.decodeAlert(from: payload),
            alert.identity != settings.identity
        else { return nil }
        return (alert.identity, max(1, store.rows))
    }

    /// Throws `UserError` (78) where another vehicle's messages wait here.
    public func refuseStrangers() throws {
        guard let stranger = stranger() else { return }
        throw UserError(
            .configuration,
            "\(settings.path): holds \(stranger.rows) messages of \(stranger.identity); deliver them under that name, or move the file aside, before this is \(settings.identity)"
        )
    }

    // MARK: storing

    /// Stores `alert` under the next sequence number; on disk when this returns.
    public func append(_ alert: Alert) -> AppendResult { append([alert])[0] }

    /// Stores several alerts in one commit, in their order; a revision that waits already keeps its number. When the disk is nearly full the
    /// least important are refused first.
    public func append(_ alerts: [Alert]) -> [AppendResult] {
        guard !alerts.isEmpty else { return [] }
        do {
            let results = try attempt { try self.appendAll(alerts) }
            lostToTrouble = 0
            if trouble != nil, !results.allSatisfy({ $0 == .failed(.noRoom) }) { endTrouble() }
            bell.yield()
            return results
        } catch {
            begin(trouble: error)
            lostToTrouble += Int64(alerts.count)
            refusedSinceStart += alerts.count
            return alerts.map { _ in .failed(error) }
        }
    }

    /// Stores the JPEG of an alert, to be sent when no alert waits; a later one of the same alert takes its place. `takenAt` is nil where the
    /// clock is not trusted. Throws when it is not accepted: no alert is ever given up for a picture.
    public func append(snapshot jpeg: Data, of id: AlertID, takenAt: Timestamp?) throws(OutboxFailure) {
        guard jpeg.count <= SnapshotLimits.maximumBytes else {
            throw .tooLarge(bytes: jpeg.count, limit: SnapshotLimits.maximumBytes)
        }
        do throws(OutboxFailure) { try add(snapshot: jpeg, of: id, takenAt: takenAt) } catch {
            refusedSinceStart += 1
            throw error
        }
        bell.yield()
    }

    private func add(snapshot jpeg: Data, of id: AlertID, takenAt: Timestamp?) throws(OutboxFailure) {
        guard try attempt({ try self.freeBytes() }) >= minimumFree(Importance.snapshot) else {
            beginShortage()
            throw .noRoom
        }
        let isKept = try attempt {
            try self.store.transaction {
                try self.store.insert(snapshot: jpeg, of: id, takenAt: takenAt)
                try self.makeRoom()
                return try self.store.find(id, revision: 0) != nil
            }
        }
        if !isKept { throw .noRoom }
    }

    private func appendAll(_ alerts: [Alert]) throws -> [AppendResult] {
        var free = try freeBytes()
        var seq: Int64 = 0
        var refused: [Int64] = []
        let results = try store.transaction {
            seq = try store.counter("seq")
            if !reserve.isHeld, free < reserve.bytes / 2 {
                try shed(for: alerts)
                free = try freeBytes()
            }
            if lostToTrouble > 0 {
                try tell([seq + 1...seq + lostToTrouble], .diskFull)
                seq += lostToTrouble
            }
            let results = try alerts.map { alert -> AppendResult in
                if let known = try store.find(alert.id, revision: alert.revision)?.seq { return .stored(seq: known) }
                guard free >= minimumFree(Importance.of(alert.severity, alert.phase)) else {
                    seq += 1
                    refused.append(seq)
                    return .failed(.noRoom)
                }
                var numbered = anchor?.dated(alert) ?? alert
                numbered.seq = seq + 1
                let payload = try WireCodec.encode(numbered)
                guard payload.count <= WireCodec.maximumPayloadBytes else {
                    return .failed(.tooLarge(bytes: payload.count, limit: WireCodec.maximumPayloadBytes))
                }
                try store.insert(numbered, payload: payload)
                seq += 1
                return .stored(seq: seq)
            }
            try tell(GapRanges.ranges(of: refused), .diskFull)
            try sequence.cover(seq)
            try store.setCounter("seq", seq)
            try makeRoom()
            return results
        }
        sequence.note(seq)
        refusedSinceStart += refused.count
        if !refused.isEmpty { beginShortage() }
        return results
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

    /// How the outbox stands. Also looks whether a disk that was full has room again.
    public func status() -> OutboxStatus {
        lookForRoom()
        var status = OutboxStatus()
        status.rows = store.rows
        status.bytes = store.bytes
        status.rejected = (try? store.rejectedCount()) ?? 0
        status.dropped = droppedSinceStart
        status.refused = refusedSinceStart
        status.isFull = isFull
        status.isDiskTroubled = trouble != nil || isShort
        return status
    }

    /// The newest rejected rows.
    public func rejected(limit: Int = 100) -> [RejectedRow] { (try? store.rejected(limit: limit)) ?? [] }

    /// Makes what was rejected wait again, to be sent to a server or broker that has been put right since; what this version cannot read
    /// stays. Returns how many rows.
    public func retryRejected() throws(OutboxFailure) -> Int {
        let count = try attempt { try self.store.transaction { try self.store.restoreRejected() } }
        bell.yield()
        return count
    }

    // MARK: room

    /// Drops what matters least when the bound is passed, down to nine tenths of it, and tells by gap events. Within a transaction.
    private func makeRoom() throws {
        guard store.bounded.bytes > settings.maximumBytes || store.bounded.rows > settings.maximumRows else { return }
        let dropped = try store.drop(toBytes: settings.maximumBytes / 10 * 9, rows: settings.maximumRows * 9 / 10)
        guard !dropped.isEmpty else { return }
        try forget(dropped, .outboxFull)
        if !isFull { log.warning("the outbox is full: \(dropped.count) less important rows dropped") }
        isFull = true
    }

    /// On a full disk, with the reserve half used up: drops rows that matter less than the most important of `alerts`, about half a
    /// reserve of them, so that the file does not grow. Within a transaction.
    private func shed(for alerts: [Alert]) throws {
        let importance = alerts.map { Importance.of($0.severity, $0.phase) }.max() ?? 0
        let left = max(0, store.bounded.bytes - reserve.bytes / 2)
        try forget(try store.drop(toBytes: left, rows: .max, below: importance), .diskFull)
    }

    /// Counts dropped rows and tells of their numbers. Within a transaction.
    func forget(_ dropped: [OutboxStore.Dropped], _ reason: GapEvent.Reason) throws {
        for row in dropped { flights.end(row.number) }
        droppedSinceStart += dropped.count
        try tell(GapRanges.ranges(of: dropped.compactMap(\.seq)), reason)
    }

    /// Stores gap events for `ranges`. Ranges that touch one of the same reason which is not told yet become one event under a new id: at
    /// most one more event, never a wrong one. Within a transaction.
    func tell(_ ranges: [ClosedRange<Int64>], _ reason: GapEvent.Reason) throws {
        guard settings.tellsGaps, !ranges.isEmpty else { return }
        var told = ranges
        for (number, gap) in try store.gaps() where gap.reason == reason {
            guard ranges.contains(where: { $0.lowerBound - 1 <= gap.toSeq && gap.fromSeq <= $0.upperBound + 1 }) else { continue }
            told.append(gap.fromSeq...gap.toSeq)
            _ = try store.delete(number: number)
            flights.end(number)
        }
        let now = clock.wallTime()
        for range in GapRanges.joined(told) {
            let gap = GapEvent.new(settings.identity, range, reason, at: now)
            try store.insert(gap, payload: WireCodec.encode(gap))
        }
    }

    private func freeBytes() throws -> Int64 { reserve.freeBytes + (try store.reusableBytes()) }
    /// Once the reserve is given up its last quarter is for receipts: without room for the log not even a deletion could be noted.
    private func minimumFree(_ importance: Int) -> Int64 {
        max(Importance.minimumFreeBytes(importance, reserve: reserve.bytes), reserve.isHeld ? 0 : reserve.bytes / 4)
    }

    // MARK: trouble

    func begin(trouble error: OutboxFailure) {
        if trouble == nil { log.error("alerts and receipts cannot be stored: \(error)") }
        trouble = error
    }

    /// On a disk that stays full one row may find room and the next one not: it is over when there is plenty.
    func endTrouble() {
        guard reserve.hasPlenty else { return }
        if let told = trouble { log.info("storing works again (\(told))") }
        trouble = nil
    }

    private func beginShortage() {
        if !isShort { log.error("the disk is nearly full: the less important alerts and snapshots are not accepted") }
        isShort = true
    }

    /// Takes the reserve again, notes what could not be noted, and says so, once there is plenty of room.
    private func lookForRoom() {
        guard isShort || trouble != nil, reserve.hasPlenty, reserve.take() else { return }
        if isShort { log.info("the disk has room again: every alert is accepted") }
        isShort = false
        guard trouble != nil else { return }
        if lostToTrouble > 0 {
            guard (try? attempt({ try self.appendAll([]) })) != nil else { return }
            lostToTrouble = 0
        }
        _ = take([])
    }

    /// Runs `body`; gives the reserve up and runs it again when the disk is full; when the file turns out to be broken, puts a new one in its
    /// place and runs it again.
    func attempt<T>(_ body: () throws -> T) throws(OutboxFailure) -> T {
        do {
            do { return try body() } catch let error as SQLiteError where error.isDiskTrouble {
                reserve.release()
                store.moveLog()
                try store.recount()
                return try body()
            }
        } catch let error as SQLiteError where error.isDamage {
            do {
                let repair = OutboxRepair(
                    settings: settings, logBytes: reserve.logBytes, sequence: sequence, now: clock.wallTime(), log: log)
                store = try repair.replace(because: error.message)
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

    /// Whether another process has the outbox at `path`.
    public static func isInUse(path: String) -> Bool {
        guard FileManager.default.fileExists(atPath: path + ".lock") else { return false }
        do throws(StoreLock.Failure) { _ = try StoreLock(path: path + ".lock") } catch { return error.isTaken }
        return false
    }

    private static func takeLock(_ path: String) throws -> StoreLock {
        do throws(StoreLock.Failure) { return try StoreLock(path: path + ".lock") } catch {
            if error.isTaken {
                throw UserError(.unavailable, "outbox \(path) is in use by another process; does another fleet-agent run here?")
            }
            throw UserError(.ioError, "outbox \(error.path): \(error.message)")
        }
    }
}
