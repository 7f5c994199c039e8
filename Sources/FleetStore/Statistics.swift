import FleetModel

/// What alerts are counted by.
public enum StatisticsGrouping: String, Codable, Hashable, Sendable, CaseIterable {
    case vehicle, kind, day
}

/// Which alerts are counted; nil does not narrow.
public struct StatisticsQuery: Hashable, Sendable {
    /// Began at or after.
    public var since: Timestamp
    /// What the rows are.
    public var grouping: StatisticsGrouping
    /// Of one fleet.
    public var fleet: String?
    /// Of one vehicle.
    public var vehicle: String?

    /// Of all vehicles.
    public init(since: Timestamp, by grouping: StatisticsGrouping) {
        self.since = since
        self.grouping = grouping
    }
}

/// Alerts of one group.
public struct StatisticsRow: Codable, Hashable, Sendable {
    /// `fleet/vehicle`, the kind, or the UTC day `2026-03-01`.
    public var group: String
    /// All alerts.
    public var alerts: Int
    /// Of these by severity.
    public var info: Int
    public var caution: Int
    public var warning: Int
    public var critical: Int
    /// Of these by their last review; the rest is not reviewed.
    public var confirmed: Int
    public var falseAlarm: Int
    public var coached: Int
    /// Metres driven since the query's first UTC day: of the vehicle, on the day, or of all counted vehicles; nil when nothing was told.
    public var distanceM: Double?

    /// All members.
    public init(
        group: String, alerts: Int, info: Int, caution: Int, warning: Int, critical: Int, confirmed: Int = 0, falseAlarm: Int = 0,
        coached: Int = 0, distanceM: Double? = nil
    ) {
        self.group = group
        self.alerts = alerts
        self.info = info
        self.caution = caution
        self.warning = warning
        self.critical = critical
        self.confirmed = confirmed
        self.falseAlarm = falseAlarm
        self.coached = coached
        self.distanceM = distanceM
    }

    public init(from decoder: any Decoder) throws {
        let c = try decoder.container(keyedBy: CodingKeys.self)
        group = try c.decode(String.self, forKey: .group)
        alerts = try c.decode(Int.self, forKey: .alerts)
        info = try c.decode(Int.self, forKey: .info)
        caution = try c.decode(Int.self, forKey: .caution)
        warning = try c.decode(Int.self, forKey: .warning)
        critical = try c.decode(Int.self, forKey: .critical)
        // A server of before reviews does not tell.
        confirmed = try c.decodeIfPresent(Int.self, forKey: .confirmed) ?? 0
        falseAlarm = try c.decodeIfPresent(Int.self, forKey: .falseAlarm) ?? 0
        coached = try c.decodeIfPresent(Int.self, forKey: .coached) ?? 0
        distanceM = try c.decodeIfPresent(Double.self, forKey: .distanceM)
    }
}

extension StatisticsQuery {
    /// The conditions on fleet and vehicle, values as `$2` and so on: `$1` is the time.
    package var who: (conditions: String, values: [String]) {
        var conditions = ""
        var values: [String] = []
        for (column, value) in [("fleet", fleet), ("vehicle", vehicle)] {
            guard let value else { continue }
            values.append(value)
            conditions += " AND \(column) = $\(values.count + 1)"
        }
        return (conditions, values)
    }

    /// Rows with how far was driven, given the distances in mm by group. Of vehicles those come too that raised no alert.
    package func rows(_ counted: [StatisticsRow], distancesMm: [String: Int64]) -> [StatisticsRow] {
        guard !distancesMm.isEmpty else { return counted }
        func metres(_ group: String) -> Double? {
            let distance = grouping == .kind ? distancesMm.values.reduce(0, +) : distancesMm[group]
            return distance.map { Double($0) / 1000 }
        }
        var rows = counted.map { row in
            var row = row
            row.distanceM = metres(row.group)
            return row
        }
        if grouping == .vehicle {
            let known = Set(rows.map(\.group))
            for group in distancesMm.keys where !known.contains(group) {
                rows.append(
                    StatisticsRow(group: group, alerts: 0, info: 0, caution: 0, warning: 0, critical: 0, distanceM: metres(group)))
            }
            rows.sort { $0.group < $1.group }
        }
        return rows
    }
}
