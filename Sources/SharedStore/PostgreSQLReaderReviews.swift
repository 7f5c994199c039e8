import FleetModel
import FleetStore
import FoundationEssentials
import PostgreSQL

/// What is read besides lists of alerts: reviews, tracks and counts.
extension PostgreSQLReader {
    private static let reviewColumns = "number, id::text, fleet, vehicle, state, note, name, at_ms"

    func reviews(of id: AlertID) throws -> [AlertReview] {
        try reading { connection in
            Self.reviews(
                try connection.query(
                    "SELECT \(Self.reviewColumns) FROM reviews WHERE id = $1 ORDER BY number", [.uuid(id.bytes)]))
        }
    }

    func reviews(after number: Int64, limit: Int) throws -> [AlertReview] {
        try reading { connection in
            Self.reviews(
                try connection.query(
                    "SELECT \(Self.reviewColumns) FROM reviews WHERE number > $1 ORDER BY number LIMIT $2",
                    [.integer(number), .integer(Int64(limit))]))
        }
    }

    func latestReview() throws -> Int64 {
        try reading { try $0.query("SELECT coalesce(max(number), 0) FROM reviews").int64(0, 0) }
    }

    private static func reviews(_ rows: PostgreSQLResult) -> [AlertReview] {
        (0..<rows.count).compactMap { row in
            guard let id = AlertID(rows.string(row, 1)),
                let who = VehicleIdentity(fleet: rows.string(row, 2), vehicle: rows.string(row, 3))
            else { return nil }
            var review = AlertReview(
                of: id, by: who, state: ReviewState(number: rows.int64(row, 4)), note: rows.string(row, 5),
                name: rows.string(row, 6), at: Timestamp(millisecondsSinceEpoch: rows.int64(row, 7)))
            review.number = rows.int64(row, 0)
            return review
        }
    }

    func track(of who: VehicleIdentity, since: Timestamp, until: Timestamp) throws -> VehicleTrack {
        let (from, to) = (since.millisecondsSinceEpoch, until.millisecondsSinceEpoch)
        let key: [PostgreSQLValue] = [.text(who.fleet), .text(who.vehicle)]
        return try reading { connection in
            let rows = try connection.query(
                """
                SELECT at_ms, lat_e7, lon_e7, speed_mmps FROM track WHERE fleet = $1 AND vehicle = $2 AND at_ms >= $3 AND at_ms < $4
                ORDER BY at_ms DESC LIMIT \(VehicleTrack.maximumPoints)
                """, key + [.integer(from), .integer(to)])
            let points = (0..<rows.count).reversed().map {
                TrackPoint(
                    atMs: rows.int64($0, 0), latE7: rows.int64($0, 1), lonE7: rows.int64($0, 2),
                    speedMmps: rows.int64IfPresent($0, 3))
            }
            let sum = try connection.query(
                "SELECT sum(distance_mm)::bigint FROM mileage WHERE fleet = $1 AND vehicle = $2 AND day BETWEEN $3 AND $4",
                key + [.integer(from / Whereabouts.dayMs), .integer(max(from, to - 1) / Whereabouts.dayMs)])
            return VehicleTrack(points: points, distanceM: sum.int64IfPresent(0, 0).map { Double($0) / 1000 })
        }
    }

    func statistics(_ query: StatisticsQuery) throws -> [StatisticsRow] {
        let group =
            switch query.grouping {
            case .vehicle: "fleet || '/' || vehicle"
            case .kind: "kind"
            case .day: "to_char(to_timestamp(started_ms / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')"
            }
        func columns(_ conditions: [String]) -> String {
            conditions.map { "count(*) FILTER (WHERE \($0))" }.joined(separator: ", ")
        }
        let (who, names) = query.who
        let values: [PostgreSQLValue] = names.map { .text($0) }
        return try reading { connection in
            let counted = try connection.query(
                """
                SELECT \(group) COLLATE "C" AS g, count(*), \(columns((0...3).map { "severity = \($0)" })),
                    \(columns((1...3).map { "review = \($0)" }))
                FROM alerts WHERE started_ms >= $1\(who) AND origin = 'live' GROUP BY g ORDER BY g
                """, [.integer(query.since.millisecondsSinceEpoch)] + values)
            let rows = (0..<counted.count).map { row in
                func count(_ column: Int) -> Int { Int(counted.int64(row, column)) }
                return StatisticsRow(
                    group: counted.string(row, 0), alerts: count(1), info: count(2), caution: count(3), warning: count(4),
                    critical: count(5), confirmed: count(6), falseAlarm: count(7), coached: count(8))
            }
            let day = "to_char(to_timestamp(day * 86400) AT TIME ZONE 'UTC', 'YYYY-MM-DD')"
            let driven = try connection.query(
                """
                SELECT \(query.grouping == .day ? day : "fleet || '/' || vehicle") AS g, sum(distance_mm)::bigint
                FROM mileage WHERE day >= $1\(who) GROUP BY g
                """, [.integer(query.since.millisecondsSinceEpoch / Whereabouts.dayMs)] + values)
            let distances = (0..<driven.count).map { (driven.string($0, 0), driven.int64($0, 1)) }
            return query.rows(rows, distancesMm: Dictionary(distances) { first, _ in first })
        }
    }
}
