import DurableOutbox
import FleetModel
import FleetRuntime
import Foundation
import VisionPipeline

/// What `replay --publish` sends: the same outbox and delivery as live, in a temporary folder.
struct ReplayPublication {
    /// Seconds without a receipt after which what is left is given up.
    private static let progressTimeoutS = 30.0

    /// What a replay hands over, in its order.
    enum Item: Sendable {
        case alert(Alert)
        case picture(Snapshot, of: AlertID, takenAt: Timestamp)
    }

    private let folder: URL
    private let outbox: DurableOutbox
    private let delivery: DeliveryService

    private let signals: StopSignals

    init(_ configuration: AgentConfiguration, _ signals: StopSignals) throws {
        self.signals = signals
        folder = FileManager.default.temporaryDirectory.appending(path: "fleet-replay-" + UUID().uuidString)
        do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
            throw UserError(.ioError, "\(folder.path()): cannot be made")
        }
        var settings = OutboxSettings(path: folder.appending(path: "outbox.db").path(), identity: configuration.identity)
        settings.tellsGaps = false
        outbox = try DurableOutbox(settings: settings)
        delivery = try DeliveryService(identity: configuration.identity, mqtt: configuration.mqtt, outbox: outbox, isLive: false)
    }

    /// Runs `replay`, which hands over its alerts and pictures, and waits for the receipts, or for a stop signal. Returns how many are left
    /// without one, and how many were rejected.
    func publish(_ replay: (@escaping @Sendable (Item) -> Void) async throws -> Void) async throws -> (left: Int, rejected: Int) {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (alerts, feed) = AsyncStream.makeStream(of: Item.self)
        async let running: Void = delivery.run()
        async let keeping: Void = keep(alerts)
        let outcome: Result<Void, any Error>
        do {
            try await replay { feed.yield($0) }
            outcome = .success(())
        } catch { outcome = .failure(error) }
        feed.finish()
        await keeping
        let left = await delivery.waitUntilDelivered(progressTimeoutS: Self.progressTimeoutS) { [signals] in signals.isRaised }
        let rejected = await outbox.status().rejected
        await delivery.stop()
        await running
        try outcome.get()
        return (left, rejected)
    }

    private func keep(_ items: AsyncStream<Item>) async {
        for await item in items {
            switch item {
            case .alert(let alert): _ = await outbox.append(alert)
            case .picture(let snapshot, let id, let takenAt):
                do { try await outbox.append(snapshot: snapshot.jpeg, of: id, takenAt: takenAt) } catch {
                    Log("replay").warning("the picture of alert \(id) is not sent: \(error)")
                }
            }
        }
    }
}
