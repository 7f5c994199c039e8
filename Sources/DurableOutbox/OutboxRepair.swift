import FleetModel
import FleetRuntime
import Foundation
import SQLite

/// Opens the outbox's file whatever state it is in: a sound one as it is, one that has lost its end with that end filled in, a broken one
/// anew with what could be saved of the old.
struct OutboxRepair {
    /// Broken files that are kept; older ones are deleted, because a dying disk brings one after the other.
    private static let keptBroken = 3
    /// More numbers than a log of the usual length holds rows.
    private static let logNumbers: Int64 = 10_000
    /// Longest log that is searched, in bytes; ours has about one MiB.
    private static let longestLog = 64 << 20

    let settings: OutboxSettings
    let logBytes: Int64
    let sequence: SequenceFile
    let now: Timestamp
    let log: Log

    private var path: String { settings.path }

    /// Throws `SQLiteError` when even a new file cannot be made.
    func open() throws -> OutboxStore {
        moveFoldersAside()
        let isThere = FileManager.default.fileExists(atPath: path)
        let isEmpty = isThere && (try? FilePieces.contents(of: path, limit: 1).isEmpty) == true
        // SQLite throws away the log of an empty database: what it holds is taken before that.
        let journal = (try? FilePieces.contents(of: path + "-wal", limit: Self.longestLog)) ?? Data()
        do {
            if isEmpty || !isThere, !journal.isEmpty {
                throw SQLiteError(code: .corrupt, operation: "open", message: "a log without its database", path: path)
            }
            let store = try OutboxStore(path: path, logBytes: logBytes)
            try checkCounter(of: store)
            if isThere { try fillEnd(of: store, journal) } else { try goOn(store) }
            return store
        } catch let error as SQLiteError where error.isDamage {
            return try replace(because: error.message)
        }
    }

    /// A counter that contradicts what is known from elsewhere cannot be right.
    private func checkCounter(of store: OutboxStore) throws {
        let seq = try store.counter("seq")
        let highest = try store.database.first("SELECT max(seq) FROM waiting") { $0.int64(0) } ?? 0
        guard SequenceNumber.range.contains(seq), seq >= highest, seq <= sequence.upperBound ?? .max else {
            throw SQLiteError(code: .corrupt, operation: "check", message: "the counter \(seq) cannot be right", path: path)
        }
    }

    /// A file that was made anew goes on behind every number that may have been used.
    private func goOn(_ store: OutboxStore) throws {
        guard let last = sequence.upperBound ?? sequence.last else { return }
        log.warning("the outbox \(path) is gone; a new one goes on behind number \(last)")
        try store.transaction {
            // Nobody waits for the numbers that are left out.
            if let known = sequence.last, known < last { try tell(known + 1...last, without: [], in: store) }
            try store.setCounter("seq", last)
        }
    }

    /// SQLite takes a broken log for one that ends where it breaks. When numbers beyond the end of the database are known, what the rest of
    /// the log holds is put back, and a gap event tells of what it does not.
    private func fillEnd(of store: OutboxStore, _ journal: Data) throws {
        let known = try store.counter("seq")
        guard let last = sequence.last ?? lastWithoutRecord, last > known else { return }
        let aside = freeName()
        if !journal.isEmpty { try? journal.write(to: URL(filePath: aside + "-wal")) }
        var found: [Int64: PayloadCarver.Found] = [:]
        for item in PayloadCarver.alerts(in: [UInt8](journal), of: settings.identity) { found[item.alert.seq] = item }
        let back = found.filter { known < $0.key && $0.key <= last }
        log.error(
            "the outbox's log is damaged; kept as \(aside)-wal, \(back.count) of \(last - known) lost alerts are put back")
        try store.transaction {
            try put(back.values.map { $0 }, into: store)
            try tell(known + 1...last, without: Set(back.keys), in: store)
            try store.setCounter("seq", last)
        }
        removeOldest()
    }

    /// The last number that may have been given out when there is no record of it: the bound where one was spoilt; else one whole block
    /// behind the bound, which is written before its block is used.
    private var lastWithoutRecord: Int64? {
        sequence.upperBound.map { sequence.isLastSpoilt ? $0 : $0 - SequenceFile.block - 1 }
    }

    /// A folder in the place of SQLite's own files, which a repaired file system may hold, would keep the database closed for ever.
    private func moveFoldersAside() {
        for suffix in ["-wal", "-shm"] {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path + suffix, isDirectory: &isFolder), isFolder.boolValue else {
                continue
            }
            let aside = freeName() + suffix
            guard rename(path + suffix, aside) == 0 else { continue }
            log.error("\(path + suffix) is a folder; kept as \(aside)")
        }
    }

    /// Moves a broken file aside and makes a new one with what could be read of it, which goes on behind every number that may have been
    /// given out. Throws `SQLiteError` when that fails.
    func replace(because reason: String) throws -> OutboxStore {
        let aside = freeName()
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.moveItem(atPath: path + suffix, toPath: aside + suffix)
        }
        let salvage = Salvage(path: aside, identity: settings.identity)
        let fresh = try OutboxStore(path: path, logBytes: logBytes)
        let highest = salvage.alerts.keys.max() ?? 0
        let last = max(
            sequence.last ?? sequence.upperBound ?? salvage.seq.map { $0 + Self.logNumbers } ?? sequence.continuation(now: now),
            highest,
            min(salvage.seq ?? 0, sequence.upperBound ?? .max))
        log.error(
            "the outbox is damaged (\(reason)); kept as \(aside), going on with a new one and \(salvage.alerts.count) alerts of the old"
        )
        try fresh.transaction {
            try put(salvage.alerts.values.map { $0 }, into: fresh)
            for gap in salvage.gaps { try fresh.insert(gap, payload: WireCodec.encode(gap)) }
            for (id, takenAt, jpeg) in salvage.snapshots { try fresh.insert(snapshot: jpeg, of: id, takenAt: takenAt) }
            for episode in salvage.episodes { try fresh.note(episode: episode, payload: WireCodec.encode(episode)) }
            // Without the counter it is not known how many were given: the last block of them is told.
            let first = salvage.isComplete ? salvage.seq.map { $0 + 1 } : nil
            let from = first ?? max(1, min(sequence.last ?? salvage.seq ?? last, last) - SequenceFile.block + 1)
            if from <= last { try tell(from...last, without: Set(salvage.alerts.keys), in: fresh) }
            try fresh.setCounter("seq", last)
            try fresh.setCounter("session", salvage.session ?? 0)
        }
        removeOldest()
        return fresh
    }

    private func put(_ found: [PayloadCarver.Found], into store: OutboxStore) throws {
        for (alert, payload) in found.sorted(by: { $0.alert.seq < $1.alert.seq })
        where try store.find(alert.id, revision: alert.revision) == nil {
            try store.insert(alert, payload: payload)
        }
    }

    private func tell(_ range: ClosedRange<Int64>, without known: Set<Int64>, in store: OutboxStore) throws {
        for hole in GapRanges.holes(in: range, of: known) {
            let gap = GapEvent.new(settings.identity, hole, .corrupted, at: now)
            try store.insert(gap, payload: WireCodec.encode(gap))
        }
    }

    // MARK: names

    private func freeName() -> String {
        let name = "\(path).corrupt-\(now.millisecondsSinceEpoch)"
        let taken = { (name: String) in ["", "-wal"].contains { FileManager.default.fileExists(atPath: name + $0) } }
        var number = 1
        while taken(number == 1 ? name : "\(name).\(number)") { number += 1 }
        return number == 1 ? name : "\(name).\(number)"
    }

    private func removeOldest() {
        let folder = FilePath.folder(of: path)
        let prefix = FilePath.name(of: path) + ".corrupt-"
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasPrefix(prefix) }
        let stems = Set(names.map { $0.replacing(/-(wal|shm)$/, with: "") }).sorted()
        for stem in stems.dropLast(Self.keptBroken) {
            for name in names where name.hasPrefix(stem) { try? FileManager.default.removeItem(atPath: folder + "/" + name) }
        }
    }
}

extension GapEvent {
    /// A gap event under a new id.
    static func new(_ identity: VehicleIdentity, _ range: ClosedRange<Int64>, _ reason: Reason, at now: Timestamp) -> GapEvent {
        var generator = SystemRandomNumberGenerator()
        return GapEvent(
            identity: identity, id: AlertID.v7(at: now, using: &generator), fromSeq: range.lowerBound, toSeq: range.upperBound,
            reason: reason, at: now)
    }
}

extension SQLiteError {
    /// Whether the file cannot be used as it is: broken, without its tables, or with the number of a version that is not known.
    var isDamage: Bool { isCorruption || isForeign || code.primary == .misuse && operation == "migrate" }
}
