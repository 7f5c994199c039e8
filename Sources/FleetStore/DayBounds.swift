import FleetModel

/// Where in the order of cursors the alerts of a batch lie, by the day on which they began.
package struct DayBounds: Sendable {
    /// First and last cursor by day (`Timestamp.daysSinceEpoch`).
    package private(set) var cursors: [Int64: ClosedRange<Int64>] = [:]

    package init() {}

    /// Takes in an alert that began at `startedAt` and is stored at `cursor`.
    package mutating func add(_ startedAt: Timestamp, at cursor: Int64) {
        let known = cursors[startedAt.daysSinceEpoch] ?? cursor...cursor
        cursors[startedAt.daysSinceEpoch] = min(known.lowerBound, cursor)...max(known.upperBound, cursor)
    }
}
