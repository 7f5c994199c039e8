import FleetModel
import FleetRuntime
import FleetStore
import FoundationEssentials

/// Takes the vehicles' pictures in: checked, kept as files, answered for once they are on disk.
struct SnapshotIngestor: Sendable {
    /// What came of some pictures.
    struct Result: Sendable {
        /// Alerts whose pictures are on disk, by vehicle.
        var stored: [VehicleIdentity: [AlertID]] = [:]
        /// What goes into quarantine, and is answered for as rejected.
        var rejected: [MessageReader.Reading] = []
        /// Why the first of those failed that could not be stored: they are not answered for, and come again.
        var failure: String?
    }

    /// Alerts in a row, oldest first, that show that retention has not got further.
    private static let presentInARow = 1000
    /// Alerts beyond those that one look takes in turn.
    private static let inTurn = 2000

    let store: any AlertStore
    let folder: SnapshotFolder

    func ingest(_ messages: [InboundMessage]) async -> Result {
        var result = Result()
        for message in messages {
            guard case .snapshot(let vehicle, let text) = Topic(name: message.topic) else { continue }
            guard let id = AlertID(text) else {
                result.rejected.append(MessageReader.reject(message, "the topic names no alert", key: nil))
                continue
            }
            do {
                if let reason = try await take(message.payload, id, vehicle) {
                    let key = MessageReader.ReceiptKey(vehicle: vehicle, id: id, revision: 0)
                    result.rejected.append(MessageReader.reject(message, reason, key: key))
                } else {
                    result.stored[vehicle, default: []].append(id)
                }
            } catch {
                result.failure = result.failure ?? "\(error)"
            }
        }
        return result
    }

    /// Keeps a picture; returns why it is refused, nil when it is not. Throws when the disk or the store fails.
    private func take(_ jpeg: Data, _ id: AlertID, _ vehicle: VehicleIdentity) async throws -> String? {
        guard jpeg.count <= SnapshotLimits.maximumBytes else { return "the snapshot has \(jpeg.count) bytes" }
        do throws(JPEGHeader.Malformed) { _ = try JPEGHeader(jpeg) } catch { return error.reason }
        let known = try await store.history(of: id)
        let own = known.filter { $0.alert.identity == vehicle }
        if !known.isEmpty, own.isEmpty { return "the alert is another vehicle's" }
        let named = own.compactMap(\.alert.snapshot?.sha256)
        if let last = named.last, !named.contains(SHA256.hexadecimal(SHA256.digest(of: jpeg))) {
            return "the alert names another snapshot (\(last.prefix(16))...)"
        }
        try await folder.put(jpeg, of: id, by: vehicle, hasAlert: !own.isEmpty)
        return nil
    }

    /// Forgets the pictures of alerts that are gone; returns how many they were, and where the next look goes on. Retention begins with the
    /// oldest, so those are looked at until a row of alerts is there; what else is gone is found by looking at the others in turn.
    func forgetGone(
        after last: AlertID?, presentInARow: Int = Self.presentInARow, inTurn: Int = Self.inTurn
    ) async throws -> (removed: Int, last: AlertID?) {
        let pictured = await folder.pictured()
        var (removed, present, next) = (0, 0, 0)
        while next < pictured.count, present < presentInARow {
            let isGone = try await forgetIfGone(pictured[next])
            (removed, present, next) = (removed + (isGone ? 1 : 0), isGone ? 0 : present + 1, next + 1)
        }
        if let last { next = max(next, pictured.firstIndex { $0.id.description > last.description } ?? pictured.count) }
        let turn = pictured[min(next, pictured.count)...].prefix(inTurn)
        for picture in turn where try await forgetIfGone(picture) { removed += 1 }
        return (removed, turn.last?.id)
    }

    private func forgetIfGone(_ picture: (id: AlertID, vehicle: VehicleIdentity)) async throws -> Bool {
        guard try await !store.history(of: picture.id).contains(where: { $0.alert.identity == picture.vehicle }) else {
            return false
        }
        await folder.forget(picture.id, by: picture.vehicle)
        return true
    }

    /// Binds waiting pictures to alerts that have come since, and drops those whose alert has not come within a day.
    func lookAfterWaiting(now: Timestamp) async throws -> (bound: Int, dropped: Int) {
        var (bound, dropped) = (0, 0)
        for (id, vehicle, since) in await folder.waiting() {
            if try await store.history(of: id).contains(where: { $0.alert.identity == vehicle }) {
                try await folder.release(id, by: vehicle)
                bound += 1
            } else if now.seconds(since: since) > SnapshotFolder.waitS {
                await folder.drop(id, by: vehicle)
                dropped += 1
            }
        }
        return (bound, dropped)
    }
}
