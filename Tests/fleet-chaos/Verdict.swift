import FleetModel
import FleetStore

/// What is in the store, held against what the outboxes have confirmed.
struct Verdict {
    /// Rows that the outboxes have confirmed, and those that they took without having been able to say so before they were killed.
    private(set) var written = 0
    /// Confirmed rows and pictures that are not in the store, sequence numbers that are nowhere, rows whose content differs.
    private(set) var lost: [String] = []
    /// Rows that are in the store more than once, and sequence numbers that were given twice.
    private(set) var duplicated: [String] = []
    /// Rows that are still in an outbox, and those that were moved aside.
    private(set) var left: [String] = []
    /// Pictures that the outboxes have confirmed.
    private(set) var pictures = 0
    /// Rows that an outbox refused because its disk was full; its gap events tell of them.
    private(set) var refused = 0

    /// One line, the last of the run.
    var line: String { "alerts \(written) lost \(lost.count) duplicated \(duplicated.count) left \(left.count)" }
    var isGood: Bool { lost.isEmpty && duplicated.isEmpty && left.isEmpty }

    /// Nothing judged yet.
    init() {}

    /// Reads the whole store, the folder of pictures and all journals.
    init(_ vehicles: [ChaosVehicle], _ store: any AlertStore, _ folder: SnapshotFolder) async throws {
        let stored = try await Self.revisions(in: store, &duplicated)
        let missing = try await store.vehicles().reduce(into: [:]) { $0[$1.identity] = $1.missing }
        for vehicle in vehicles {
            let written = vehicle.written()
            refused += written.refused
            await judge(vehicle.identity, written.pictures, in: folder)
            judge(
                vehicle.identity, written.rows, stored: stored[vehicle.identity, default: []],
                holes: missing[vehicle.identity, default: []]
            )
            let (waiting, rejected) = try await vehicle.left()
            left += (0..<waiting).map { "\(vehicle.identity): waiting row \($0 + 1)" }
            left += rejected.map { "\(vehicle.identity): \($0.id) revision \($0.revision) was moved aside: \($0.reason)" }
        }
    }

    /// Holds one vehicle's journal against what is stored of it. `holes` are the sequence numbers that nothing explains.
    mutating func judge(_ who: VehicleIdentity, _ rows: [Journal.Row], stored: [Alert], holes: [VehicleRecord.MissingRange]) {
        let byKey = Dictionary(grouping: stored) { Key(id: $0.id, revision: $0.revision) }
        for (key, same) in byKey where same.count > 1 {
            duplicated.append("\(who): \(key.id) revision \(key.revision), \(same.count) times")
        }
        for (seq, same) in Dictionary(grouping: stored, by: \.seq)
        where Set(same.map { Key(id: $0.id, revision: $0.revision) }).count > 1 {
            duplicated.append("\(who): sequence number \(seq) was given \(same.count) times")
        }
        for row in rows {
            guard let found = byKey[Key(id: row.id, revision: row.revision)]?.first else {
                lost.append("\(who): \(row.id) revision \(row.revision), sequence number \(row.seq)")
                continue
            }
            if Journal.digest(found) != row.digest { lost.append("\(who): \(row.id) revision \(row.revision) has another content") }
        }
        // Numbers that nobody confirmed were given in a transaction whose end a kill hid: they must be in the store as well.
        let confirmed = Set(rows.map(\.seq))
        for hole in holes {
            for seq in hole.fromSeq...hole.toSeq where !confirmed.contains(seq) { lost.append("\(who): sequence number \(seq)") }
        }
        written += confirmed.union(stored.map(\.seq)).count
    }

    /// Looks for one vehicle's pictures.
    mutating func judge(_ who: VehicleIdentity, _ confirmed: [Journal.Picture], in folder: SnapshotFolder) async {
        pictures += confirmed.count
        for picture in confirmed where await folder.find(picture.id, by: who, digest: picture.sha256) == nil {
            lost.append("\(who): the picture of \(picture.id)")
        }
    }

    private struct Key: Hashable {
        let id: AlertID
        let revision: Int
    }

    /// Every revision by vehicle, read as a reader of the API does: the changes in their order, then each alert's history.
    private static func revisions(in store: any AlertStore, _ duplicated: inout [String]) async throws -> [VehicleIdentity: [Alert]]
    {
        var all: [VehicleIdentity: [Alert]] = [:]
        var seen: Set<AlertID> = []
        var cursor: Int64 = 0
        while true {
            let page = try await store.changes(after: cursor, AlertQuery(limit: AlertQuery.maximumLimit))
            for change in page.alerts {
                guard seen.insert(change.alert.id).inserted else {
                    duplicated.append("\(change.alert.identity): \(change.alert.id) is listed twice")
                    continue
                }
                for revision in try await store.history(of: change.alert.id) {
                    all[revision.alert.identity, default: []].append(revision.alert)
                }
            }
            if page.alerts.isEmpty { return all }
            cursor = page.nextCursor
        }
    }
}
