import FleetModel
import FoundationEssentials
import SQLite

/// What the outbox gives up, and what it keeps apart.
extension OutboxStore {
    /// A row that was given up; `seq` only of alerts.
    struct Dropped {
        var number: Int64
        var seq: Int64?
    }

    /// The policy of `Importance`, as SQLite sorts it.
    private static let droppingOrder = """
        SELECT number, length(payload) FROM waiting AS w
        WHERE importance < ?
        ORDER BY CASE WHEN phase = 'update'
            AND EXISTS (SELECT 1 FROM waiting AS later WHERE later.id = w.id AND later.revision > w.revision)
            THEN \(Importance.supersededUpdate) ELSE importance END, number
        """

    /// Drops rows until at most `bytes` and `rows` of them wait; none whose importance is `importance` or above.
    func drop(toBytes byteBound: Int64, rows rowBound: Int, below importance: Int = Importance.gap) throws -> [Dropped] {
        var victims: [Int64] = []
        var left = bounded
        try database.forEach(Self.droppingOrder, [.integer(importance)]) { row in
            guard left.rows > rowBound || left.bytes > byteBound else { return false }
            victims.append(row.int64(0))
            left.add(row.int(1), sign: -1)
            return true
        }
        return try victims.map { Dropped(number: $0, seq: try delete(number: $0)) }
    }

    /// Drops what is older than `oldest` and not critical.
    func dropOlder(than oldest: Timestamp) throws -> [Dropped] {
        let old = try database.query(
            "SELECT number FROM waiting WHERE dated_ms < ? AND dated_ms > ? AND importance < ?",
            [
                .integer(oldest.millisecondsSinceEpoch),
                .integer(oldest.advanced(bySeconds: -Self.believableAgeS).millisecondsSinceEpoch), .integer(Importance.critical),
            ]
        ) { $0.int64(0) }
        return try old.map { Dropped(number: $0, seq: try delete(number: $0)) }
    }

    /// Gap events that wait, with the numbers of their rows.
    func gaps() throws -> [(number: Int64, gap: GapEvent)] {
        try database.query("SELECT number, payload FROM waiting WHERE content = 1 ORDER BY number") { ($0.int64(0), $0.data(1)) }
            .compactMap { number, payload in (try? WireCodec.decode(GapEvent.self, from: payload)).map { (number, $0) } }
    }

    /// Nothing waits for ten years: what seems to is dated by, or judged by, a clock that is wrong.
    private static let believableAgeS = 10 * 365.0 * 86_400

    // MARK: rejected rows

    /// Rows and bytes that are kept of the rejected ones; older ones go, they are counted and were reported.
    private static let keptRejected = 1000
    private static let keptRejectedBytes = 16 << 20

    /// Moves a row to the table of rejected ones; nil when it does not wait.
    func reject(_ id: AlertID, revision: Int, reason: String, at now: Timestamp) throws -> Dropped? {
        guard let number = try find(id, revision: revision)?.number else { return nil }
        try database.run(
            "INSERT INTO rejected(id, revision, payload, reason, at) SELECT id, revision, payload, ?, ? FROM waiting WHERE number=?",
            .text(reason), .text(now.description), .integer(number))
        try database.run("DELETE FROM rejected WHERE number <= (SELECT max(number) FROM rejected) - ?", .integer(Self.keptRejected))
        while try database.first(
            "SELECT total(length(payload)) > ? AND count(*) > 1 FROM rejected", [.integer(Self.keptRejectedBytes)],
            {
                $0.int(0) == 1
            }) == true
        {
            try database.run("DELETE FROM rejected WHERE number = (SELECT min(number) FROM rejected)")
        }
        return Dropped(number: number, seq: try delete(number: number))
    }

    func rejectedCount() throws -> Int { try database.first("SELECT count(*) FROM rejected") { $0.int(0) } ?? 0 }

    /// Puts rejected rows among those that wait; a revision that waits already stays as it is. What this version cannot read stays rejected.
    /// Returns how many left the table.
    func restoreRejected() throws -> Int {
        let rows = try database.query("SELECT number, id, revision, payload FROM rejected ORDER BY number") {
            (number: $0.int64(0), id: AlertID($0.string(1)), revision: $0.int(2), payload: $0.data(3))
        }
        var restored = 0
        for row in rows {
            guard let id = row.id else { continue }
            if try find(id, revision: row.revision) == nil {
                guard try restore(id, revision: row.revision, payload: row.payload) else { continue }
            }
            try database.run("DELETE FROM rejected WHERE number = ?", .integer(row.number))
            restored += 1
        }
        return restored
    }

    /// Lets one rejected row wait; false when it cannot be read.
    private func restore(_ id: AlertID, revision: Int, payload: Data) throws -> Bool {
        if revision == 0 {
            try insert(snapshot: payload, of: id, takenAt: nil)
        } else if let gap = try? WireCodec.decode(GapEvent.self, from: payload) {
            try insert(gap, payload: payload)
        } else if let alert = try? WireCodec.decodeAlert(from: payload) {
            try insert(alert, payload: payload)
        } else {
            return false
        }
        return true
    }

    /// The rejected rows, newest first.
    func rejected(limit: Int) throws -> [RejectedRow] {
        try database.query("SELECT id, revision, reason, at FROM rejected ORDER BY number DESC LIMIT ?", [.integer(limit)]) {
            RejectedRow(id: $0.string(0), revision: $0.int(1), reason: $0.string(2), at: $0.string(3))
        }
    }

    // MARK: times

    /// Asks `date` about every alert whose time was not known in `boot`, waiting or as the last state of an open episode; nil leaves it as it
    /// is. Either way it waits for its time no longer. Returns how many waiting ones were changed.
    func fillIn(boot: String, _ date: (_ number: Int64?, Alert) -> Alert?) throws -> Int {
        let unset = try database.query("SELECT number, payload FROM waiting WHERE unset_boot=?", [.text(boot)]) {
            ($0.int64(0), $0.data(1))
        }
        var changed = 0
        for (number, payload) in unset {
            if let alert = try? WireCodec.decode(Alert.self, from: payload), let dated = date(number, alert) {
                let bytes = try WireCodec.encode(dated)
                try database.run(
                    "UPDATE waiting SET payload=?, digest=?, dated_ms=? WHERE number=?", .blob(bytes),
                    .integer(RowDigest.of(.alert, dated.id.description, dated.revision, bytes)),
                    .integer(dated.at.millisecondsSinceEpoch), .integer(number))
                changed += 1
            }
            try database.run("UPDATE waiting SET unset_boot=NULL WHERE number=?", .integer(number))
        }
        for episode in try openEpisodes() where episode.clock == .unsynchronised && episode.boot == boot {
            if let dated = date(nil, episode) { try note(episode: dated, payload: WireCodec.encode(dated)) }
        }
        try letHeldGo()
        try recount()
        return changed
    }

    /// Lets the rows go that waited for their time.
    func letHeldGo() throws {
        try database.run(
            "UPDATE waiting SET lane=? WHERE lane=?", .integer(Lane.normal.rawValue), .integer(Lane.held.rawValue))
    }

    /// Whether rows wait for their time.
    func hasHeld() throws -> Bool {
        try database.first("SELECT 1 FROM waiting WHERE lane=? LIMIT 1", [.integer(Lane.held.rawValue)]) { _ in true } ?? false
    }
}

/// One entry of the table of rejected rows.
public struct RejectedRow: Hashable, Sendable {
    /// The alert's id.
    public var id: String
    /// Its revision; 0 for a snapshot.
    public var revision: Int
    /// Why it was rejected.
    public var reason: String
    /// When.
    public var at: String
}
