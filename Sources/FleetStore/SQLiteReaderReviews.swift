import FleetModel
import FoundationEssentials
import SQLite

/// What is read besides lists of alerts: reviews, tracks and counts.
extension SQLiteReader {
    private static let reviewColumns = "number, id, fleet, vehicle, state, note, name, at_ms"

    func reviews(of id: AlertID) throws -> [AlertReview] {
        try database.query(
            "SELECT \(Self.reviewColumns) FROM reviews WHERE id=? ORDER BY number", [.text(id.description)], Self.review
        ).compactMap(\.self)
    }

    func reviews(after number: Int64, limit: Int) throws -> [AlertReview] {
        try database.query(
            "SELECT \(Self.reviewColumns) FROM reviews WHERE number > ? ORDER BY number LIMIT ?",
            [.integer(number), .integer(limit)],
            Self.review
        ).compactMap(\.self)
    }

    func latestReview() throws -> Int64 { try database.first("SELECT coalesce(max(number), 0) FROM reviews") { $0.int64(0) } ?? 0 }

    private static func review(_ row: borrowing Row) -> AlertReview? {
        guard let id = AlertID(row.string(1)), let who = VehicleIdentity(fleet: row.string(2), vehicle: row.string(3)) else {
            return nil
        }
        var review = AlertReview(
            of: id, by: who, state: ReviewState(number: row.int64(4)), note: row.string(5), name: row.string(6),
            at: Timestamp(millisecondsSinceEpoch: row.int64(7)))
        review.number = row.int64(0)
        return review
    }

    func track(of who: VehicleIdentity, since: Timestamp, until: Timestamp) throws -> VehicleTrack {
        let (from, to) = (since.millisecondsSinceEpoch, until.millisecondsSinceEpoch)
        let key: [SQLiteValue] = [.text(who.fleet), .text(who.vehicle)]
        let newest = try database.query(
            """
            SELECT at_ms, lat_e7, lon_e7, speed_mmps FROM track WHERE fleet=? AND vehicle=? AND at_ms >= ? AND at_ms < ?
            ORDER BY at_ms DESC LIMIT \(VehicleTrack.maximumPoints)
            """, key + [.integer(from), .integer(to)]
        ) { TrackPoint(atMs: $0.int64(0), latE7: $0.int64(1), lonE7: $0.int64(2), speedMmps: $0.int64IfPresent(3)) }
        let days = from / Whereabouts.dayMs...max(from, to - 1) / Whereabouts.dayMs
        let distance = try database.first(
            "SELECT sum(distance_mm) FROM mileage WHERE fleet=? AND vehicle=? AND day BETWEEN ? AND ?",
            key + [.integer(days.lowerBound), .integer(days.upperBound)]
        ) { $0.int64IfPresent(0) }
        return VehicleTrack(points: newest.reversed(), distanceM: distance.flatMap(\.self).map { Double($0) / 1000 })
    }

    func statistics(_ query: StatisticsQuery) throws -> [StatisticsRow] {
        let group =
            switch query.grouping {
            case .vehicle: "fleet || '/' || vehicle"
            case .kind: "kind"
            case .day: "strftime('%Y-%m-%d', started_ms / 1000, 'unixepoch')"
            }
        let (who, names) = query.who
        let values: [SQLiteValue] = names.map { .text($0) }
        let rows = try database.query(
            """
            SELECT \(group) AS g, count(*), sum(severity=0), sum(severity=1), sum(severity=2), sum(severity=3),
                sum(review=1), sum(review=2), sum(review=3)
            FROM alerts WHERE started_ms >= $1\(who) AND origin = 'live' GROUP BY g ORDER BY g
            """, [.integer(query.since.millisecondsSinceEpoch)] + values
        ) {
            StatisticsRow(
                group: $0.string(0), alerts: $0.int(1), info: $0.int(2), caution: $0.int(3), warning: $0.int(4),
                critical: $0.int(5),
                confirmed: $0.int(6), falseAlarm: $0.int(7), coached: $0.int(8))
        }
        let distances = try database.query(
            """
            SELECT \(query.grouping == .day ? "date(day * 86400, 'unixepoch')" : "fleet || '/' || vehicle") AS g, sum(distance_mm)
            FROM mileage WHERE day >= $1\(who) GROUP BY g
            """, [.integer(query.since.millisecondsSinceEpoch / Whereabouts.dayMs)] + values
        ) { ($0.string(0), $0.int64(1)) }
        return query.rows(rows, distancesMm: Dictionary(distances) { first, _ in first })
    }
}
