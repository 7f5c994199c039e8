import FleetModel

/// The statements behind a list of alerts, in the SQL that both engines speak.
///
/// Lists are ordered by cursor. The next few hundred alerts in that order hold most pages, the next few thousand nearly all: they are looked
/// at first. A page that they do not fill is of something rare, and then the index that knows it best is asked, so that no list reads the
/// whole table. A list of a span of time begins where the alerts of its days lie in that order (`bounds`), so that it does not matter how
/// long ago they were.
package struct AlertListSQL: Sendable {
    /// A statement with its values, `$1`, `$2` and so on in the order in which they stand.
    package struct Statement: Sendable {
        package var text: String
        package var values: [Value] = []

        /// Adds a value and returns its place.
        fileprivate mutating func bind(_ value: Value) -> String {
            values.append(value)
            return "$\(values.count)"
        }
    }

    /// What a place stands for.
    package enum Value: Hashable, Sendable {
        case integer(Int64)
        case text(String)
    }

    /// Alerts that are looked at first for each row of the page. An engine reads all that a look may see, also where the first rows fill the
    /// page: most of what people ask for is found in a short look.
    static let shortProbe: Int64 = 5
    /// Alerts that are looked at in the list's order before an index is asked. A page of 100 is full if 2 in 100 of them belong.
    static let probeRows: Int64 = 5000
    /// The same for a list of a span of time. The last alert of a span may have arrived days after the others: more is looked at before the
    /// whole span is sorted, which takes longer.
    static let spanProbeRows: Int64 = 50_000
    /// Alerts in a span of time up to which that span's own index is asked first.
    package static let smallSpan: Int64 = 50_000

    private var query: AlertQuery
    private let rows: Int64
    private var after: Int64?
    /// Where all that is asked for lies, as far as that is known.
    private var cursors: ClosedRange<Int64>?

    /// Newest first, before `query.before`; one row more than asked for tells that there is another page.
    package init(newest query: AlertQuery) {
        self.query = query
        rows = Int64(query.limit) + 1
        after = nil
    }

    /// Oldest first, after `cursor`.
    package init(after cursor: Int64, _ query: AlertQuery) {
        self.query = query
        rows = Int64(query.limit)
        after = cursor
    }

    /// Asks for the first and the last cursor of the days that are asked for, two nulls where nothing began; nil when no span is asked for.
    package var bounds: Statement? {
        guard query.since != nil || query.until != nil else { return nil }
        var statement = Statement(text: "")
        var conditions: [String] = []
        if let since = query.since { conditions.append("day >= \(statement.bind(.integer(since.daysSinceEpoch)))") }
        if let until = query.until {
            // Midnight belongs to the day that it ends.
            conditions.append("day <= \(statement.bind(.integer(until.advanced(bySeconds: -0.001).daysSinceEpoch)))")
        }
        statement.text = "SELECT min(first_cursor), max(last_cursor) FROM days WHERE \(conditions.joined(separator: " AND "))"
        return statement
    }

    /// The same list, which looks at nothing outside `cursors`.
    package func narrowed(to cursors: ClosedRange<Int64>) -> Self {
        var narrowed = self
        narrowed.cursors = cursors
        if let after {
            narrowed.after = max(after, cursors.lowerBound - 1)
        } else {
            narrowed.query.before = min(query.before ?? .max, cursors.upperBound + 1)
        }
        return narrowed
    }

    private var order: String { after == nil ? "DESC" : "ASC" }
    private var isFiltered: Bool {
        query.fleet != nil || query.vehicle != nil || query.kind != nil || severities != nil || query.since != nil
            || query.until != nil || query.late != nil || query.review != nil
    }
    /// The severities that are asked for; nil for all.
    private var severities: [Int]? {
        guard let least = query.severity.map(SeverityColumn.number), least > 0 else { return nil }
        return Array(least..<Severity.allCases.count)
    }

    /// Rows that make the answer complete: with fewer, `complete` has to be asked.
    package var fullCount: Int { isFiltered ? Int(rows) : 0 }

    /// Looks at the next alerts in the list's order, each one farther than the one before it.
    package var probes: [Statement] {
        guard isFiltered else { return [look(at: rows)] }
        let isSpan = query.since != nil || query.until != nil
        // Of a kind or a severity the index knows the rare ones: there is nothing to be sorted that a longer look would save.
        let longest = isSpan && query.kind == nil && severities == nil ? Self.spanProbeRows : Self.probeRows
        return [min(rows * Self.shortProbe, longest), longest].map(look)
    }

    private func look(at probed: Int64) -> Statement {
        var statement = Statement(text: "")
        let columns = "cursor, fleet, vehicle, id, revision, started_ms, kind, severity, late, review"
        let place = position(&statement).map { "WHERE \($0)" } ?? ""
        let bound = statement.bind(.integer(probed))
        var page = "SELECT \(columns) FROM alerts \(place) ORDER BY cursor \(order) LIMIT \(bound)"
        if isFiltered {
            let conditions = filters(&statement).joined(separator: " AND ")
            let limit = statement.bind(.integer(rows))
            page = "SELECT * FROM (\(page)) AS next WHERE \(conditions) ORDER BY cursor \(order) LIMIT \(limit)"
        }
        statement.text = "WITH page AS MATERIALIZED (\(page)) " + Self.payloads(of: "page", order)
        return statement
    }

    /// Counts the alerts of the span of time that is asked for, up to `smallSpan` and one more; nil when none is asked for.
    package var spanCount: Statement? {
        guard query.since != nil || query.until != nil, query.vehicle == nil else { return nil }
        var statement = Statement(text: "")
        let conditions = span(&statement).joined(separator: " AND ")
        let limit = statement.bind(.integer(Self.smallSpan + 1))
        statement.text = "SELECT count(*) FROM (SELECT 1 FROM alerts WHERE \(conditions) LIMIT \(limit)) AS span"
        return statement
    }

    /// The same page by way of the index that knows the rarest of what is asked for.
    package func complete(isSpanSmall: Bool) -> Statement {
        // Of a long span in which no index knows what is rare everything is looked at, in order, and nothing around it.
        if let cursors, !isSpanSmall, query.vehicle == nil, query.kind == nil, severities == nil {
            return look(at: Int64(cursors.count))
        }
        var statement = Statement(text: "")
        var head = ""
        let hits: String
        if query.vehicle != nil, query.fleet == nil {
            // An index begins with the fleet: each one is asked for the vehicle.
            head = """
                RECURSIVE fleets(fleet) AS (SELECT min(fleet) FROM alerts UNION ALL
                    SELECT (SELECT min(fleet) FROM alerts WHERE fleet > fleets.fleet) FROM fleets WHERE fleets.fleet IS NOT NULL),

                """
            hits = sorted(&statement, with: "fleet IN (SELECT fleet FROM fleets WHERE fleet IS NOT NULL)")
        } else if query.vehicle != nil || query.late == true || query.review.map({ $0 != .new }) == true {
            hits = ordered(&statement)
        } else if isSpanSmall {
            hits = sorted(&statement)
        } else if query.kind != nil || severities != nil {
            hits = grouped(&statement)
        } else {
            hits = sorted(&statement)
        }
        statement.text =
            "WITH \(head)hits AS MATERIALIZED (\(hits)), page AS MATERIALIZED "
            + "(SELECT a.cursor, a.fleet, a.vehicle, a.id, a.revision, a.review FROM hits JOIN alerts a ON a.cursor = hits.cursor) "
            + Self.payloads(of: "page", order)
        return statement
    }

    /// In the order that an index gives.
    private func ordered(_ statement: inout Statement) -> String {
        let conditions = ([position(&statement)].compactMap(\.self) + filters(&statement)).joined(separator: " AND ")
        return "SELECT cursor FROM alerts WHERE \(conditions) ORDER BY cursor \(order) LIMIT \(statement.bind(.integer(rows)))"
    }

    /// All that belong, then sorted: the sum keeps the engine from reading the whole table in the list's order.
    private func sorted(_ statement: inout Statement, with condition: String? = nil) -> String {
        let conditions = ([condition, position(&statement)].compactMap(\.self) + filters(&statement)).joined(separator: " AND ")
        return "SELECT cursor FROM alerts WHERE \(conditions) ORDER BY cursor + 0 \(order) LIMIT \(statement.bind(.integer(rows)))"
    }

    /// Each kind and severity in the order of its part of the index, then merged.
    private func grouped(_ statement: inout Statement) -> String {
        var parts: [String] = []
        for kind in query.kind.map({ [$0] }) ?? AlertKind.allCases {
            for severity in severities ?? Array(0..<Severity.allCases.count) {
                let group =
                    "kind = \(statement.bind(.text(kind.rawValue))) AND severity = \(statement.bind(.integer(Int64(severity))))"
                var rest = [position(&statement)].compactMap(\.self) + span(&statement)
                if let fleet = query.fleet { rest.append("fleet = \(statement.bind(.text(fleet)))") }
                rest += marks
                let conditions = ([group] + rest).joined(separator: " AND ")
                let limit = statement.bind(.integer(rows))
                parts.append(
                    "SELECT * FROM (SELECT cursor FROM alerts WHERE \(conditions) ORDER BY cursor \(order) LIMIT \(limit)) AS g\(parts.count)"
                )
            }
        }
        return "SELECT cursor FROM (\(parts.joined(separator: " UNION ALL "))) AS groups ORDER BY cursor \(order) LIMIT "
            + statement.bind(.integer(rows))
    }

    private func position(_ statement: inout Statement) -> String? {
        if let after { return "cursor > \(statement.bind(.integer(after)))" }
        guard let before = query.before else { return nil }
        let end = "cursor < \(statement.bind(.integer(before)))"
        return cursors.map { "\(end) AND cursor >= \(statement.bind(.integer($0.lowerBound)))" } ?? end
    }

    private func span(_ statement: inout Statement) -> [String] {
        var conditions: [String] = []
        if let since = query.since { conditions.append("started_ms >= \(statement.bind(.integer(since.millisecondsSinceEpoch)))") }
        if let until = query.until { conditions.append("started_ms < \(statement.bind(.integer(until.millisecondsSinceEpoch)))") }
        return conditions
    }

    private func filters(_ statement: inout Statement) -> [String] {
        var conditions = span(&statement)
        if let fleet = query.fleet { conditions.append("fleet = \(statement.bind(.text(fleet)))") }
        if let vehicle = query.vehicle { conditions.append("vehicle = \(statement.bind(.text(vehicle)))") }
        if let kind = query.kind { conditions.append("kind = \(statement.bind(.text(kind.rawValue)))") }
        if let least = severities?.first { conditions.append("severity >= \(statement.bind(.integer(Int64(least))))") }
        return conditions + marks
    }

    /// Lateness and review. Numbers of our own in the text, and in the very words of the partial indexes: only so SQLite uses those.
    private var marks: [String] {
        var conditions: [String] = []
        if let late = query.late { conditions.append(late ? "late = 1" : "late = 0") }
        if let review = query.review {
            conditions.append(review == .new ? "review = 0" : "review > 0 AND review = \(review.number)")
        }
        return conditions
    }

    private static func payloads(of page: String, _ order: String) -> String {
        """
        SELECT r.payload, r.received_ms, r.late, p.cursor, p.review FROM \(page) p JOIN revisions r
            ON r.fleet = p.fleet AND r.vehicle = p.vehicle AND r.id = p.id AND r.revision = p.revision ORDER BY p.cursor \(order)
        """
    }
}

extension Timestamp {
    /// Whole days of UTC since 1970, towards zero as SQL divides.
    package var daysSinceEpoch: Int64 { millisecondsSinceEpoch / 86_400_000 }
}

/// Severities as numbers that sort.
package enum SeverityColumn {
    package static func number(_ severity: Severity) -> Int { Severity.allCases.firstIndex(of: severity) ?? 0 }
}
