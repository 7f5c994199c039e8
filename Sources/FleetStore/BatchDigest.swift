import FleetModel
import FoundationEssentials

/// A batch sorted by what has to be done with it, the same for every engine: each table is then written once a batch, not once an item.
package struct BatchDigest: Sendable {
    /// An alert revision whose key comes first in the batch.
    package struct AlertRow: Sendable {
        /// Its place in the batch.
        package let index: Int
        package let alert: Alert
        package let payload: Data
        package let receivedAt: Timestamp
        package let isLate: Bool
    }

    /// A gap event.
    package struct GapRow: Sendable {
        package let index: Int
        package let gap: GapEvent
        package let receivedAt: Timestamp
    }

    /// A row of the quarantine.
    package struct QuarantineRow: Sendable {
        package let topic: String
        package let payload: Data
        package let reason: String
        package let receivedAt: Timestamp

        /// What a row takes besides its payload, in bytes; keeps even empty messages within the bound.
        package static let overheadBytes: Int64 = 256
        /// Bytes that count against the bound.
        package var sizeBytes: Int64 { Self.overheadBytes + Int64(payload.count) }
    }

    /// Alert revisions, each key once, in the order of the batch.
    package private(set) var alerts: [AlertRow] = []
    /// Gap events in the order of the batch.
    package private(set) var gaps: [GapRow] = []
    /// What goes into quarantine, conflicts within the batch included.
    package private(set) var quarantine: [QuarantineRow] = []
    /// What the batch says of vehicles.
    package private(set) var vehicles = VehicleChanges()
    /// One an item; nil where the store has to be asked.
    package private(set) var outcomes: [StoreOutcome?]

    private struct Key: Hashable {
        let identity: VehicleIdentity
        let id: AlertID
        let revision: Int
    }

    /// Sorts `batch`; an alert that arrives more than `lateAfterS` after it happened counts as late.
    package init(_ batch: [IncomingItem], lateAfterS: Double) {
        outcomes = Array(repeating: nil, count: batch.count)
        var places: [Key: Int] = [:]
        for (index, item) in batch.enumerated() {
            switch item {
            case .alert(let alert, let payload, let receivedAt):
                vehicles.see(alert.identity, receivedAt)
                let row = AlertRow(
                    index: index, alert: alert, payload: payload, receivedAt: receivedAt,
                    isLate: alert.isLate(receivedAt: receivedAt, afterS: lateAfterS))
                let key = Key(identity: alert.identity, id: alert.id, revision: alert.revision)
                if let place = places[key] {
                    repeated(row, of: alerts[place])
                } else {
                    places[key] = alerts.count
                    alerts.append(row)
                }
            case .gap(let gap, _, let receivedAt):
                vehicles.see(gap.identity, receivedAt)
                gaps.append(GapRow(index: index, gap: gap, receivedAt: receivedAt))
            case .status(let status, let receivedAt):
                vehicles.tell(status, receivedAt, index: index)
            case .statusCleared(let identity):
                vehicles.clear(identity, index: index)
            case .heartbeat(let heartbeat, let payload, let receivedAt):
                vehicles.beat(heartbeat, payload, receivedAt)
                outcomes[index] = .stored(cursor: 0)
            case .quarantine(let topic, let payload, let reason, let receivedAt):
                quarantine.append(QuarantineRow(topic: topic, payload: payload, reason: reason, receivedAt: receivedAt))
                outcomes[index] = .stored(cursor: 0)
            }
        }
    }

    private mutating func repeated(_ row: AlertRow, of first: AlertRow) {
        if row.payload == first.payload {
            outcomes[row.index] = .duplicate
        } else {
            settle(row, .conflict)
        }
    }

    /// Notes what became of an alert; a conflict goes into quarantine.
    package mutating func settle(_ row: AlertRow, _ outcome: StoreOutcome) {
        outcomes[row.index] = outcome
        guard outcome == .conflict else { return }
        quarantine.append(
            QuarantineRow(
                topic: Topic.alert(row.alert.identity).name, payload: row.payload,
                reason: "revision \(row.alert.revision) of \(row.alert.id) is there with other bytes", receivedAt: row.receivedAt))
    }

    /// Notes what became of the item at `index`.
    package mutating func settle(index: Int, _ outcome: StoreOutcome) { outcomes[index] = outcome }

    /// Applies what was said of connections to what is `known`, and notes the outcomes.
    package mutating func settleVehicles(known: [VehicleIdentity: VehicleChanges.Known]) throws -> [VehicleChanges.Change] {
        let (changes, settled) = try vehicles.settle(known: known)
        for (index, outcome) in settled { outcomes[index] = outcome }
        return changes
    }

    /// Of the revisions with a new cursor the highest of each alert, in the order of the batch.
    package func newest(among rows: [(row: AlertRow, cursor: Int64)]) -> [(row: AlertRow, cursor: Int64)] {
        struct Name: Hashable {
            let identity: VehicleIdentity
            let id: AlertID
        }
        var places: [Name: Int] = [:]
        var newest: [(row: AlertRow, cursor: Int64)] = []
        for entry in rows {
            let name = Name(identity: entry.row.alert.identity, id: entry.row.alert.id)
            if let place = places[name] {
                if newest[place].row.alert.revision < entry.row.alert.revision { newest[place] = entry }
            } else {
                places[name] = newest.count
                newest.append(entry)
            }
        }
        return newest
    }

    /// The sequence numbers that the stored part of the batch accounts for: of each vehicle ranges that never touch, in ascending order.
    package func sequenceRanges() -> [VehicleIdentity: [ClosedRange<Int64>]] {
        func isStored(_ index: Int) -> Bool { if case .stored = outcomes[index] { true } else { false } }
        var ranges: [VehicleIdentity: [ClosedRange<Int64>]] = [:]
        for row in alerts where row.alert.origin == .live && isStored(row.index) {
            ranges[row.alert.identity, default: []].append(row.alert.seq...row.alert.seq)
        }
        for row in gaps where isStored(row.index) { ranges[row.gap.identity, default: []].append(row.gap.fromSeq...row.gap.toSeq) }
        return ranges.mapValues(Self.joined)
    }

    /// `ranges` in ascending order, those that overlap or touch joined.
    static func joined(_ ranges: [ClosedRange<Int64>]) -> [ClosedRange<Int64>] {
        guard ranges.count > 1 else { return ranges }
        var result: [ClosedRange<Int64>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = result.last, range.lowerBound <= last.upperBound + 1 {
                result[result.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }

    /// What became of every item, in order.
    package var finalOutcomes: [StoreOutcome] { outcomes.map { $0 ?? .duplicate } }
}
