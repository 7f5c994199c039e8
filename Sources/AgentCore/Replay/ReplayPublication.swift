import DurableOutbox
import FleetModel
import FleetRuntime
import Foundation

/// What `replay --publish` sends: the same outbox and delivery as live, in a temporary folder.
struct ReplayPublication {
    /// Seconds without a receipt after which what is left is given up.
    private static let progressTimeoutS = 30.0

    private let folder: URL
    private let outbox: DurableOutbox
    private let delivery: DeliveryService

    init(_ configuration: AgentConfiguration) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "fleet-replay-" + UUID().uuidString)
        do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
            throw UserError(.ioError, "\(folder.path()): cannot be made")
        }
        var settings = OutboxSettings(path: folder.appending(path: "outbox.db").path(), identity: configuration.identity)
        settings.tellsGaps = false
        outbox = try DurableOutbox(settings: settings)
        delivery = try DeliveryService(identity: configuration.identity, mqtt: configuration.mqtt, outbox: outbox)
    }

    /// Runs `replay`, which hands over its alerts, and waits for the receipts. Returns how many are left without one.
    func publish(_ replay: (@escaping @Sendable (Alert) -> Void) async throws -> Void) async throws -> Int {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (alerts, feed) = AsyncStream.makeStream(of: Alert.self)
        async let running: Void = delivery.run()
        async let keeping: Void = keep(alerts)
        let outcome: Result<Void, any Error>
        do {
            try await replay { feed.yield($0) }
            outcome = .success(())
        } catch { outcome = .failure(error) }
        feed.finish()
        await keeping
        let left = await delivery.waitUntilDelivered(progressTimeoutS: Self.progressTimeoutS)
        await delivery.stop()
        await running
        try outcome.get()
        return left
    }

    private func keep(_ alerts: AsyncStream<Alert>) async {
        for await alert in alerts { _ = await outbox.append(alert) }
    }
}
