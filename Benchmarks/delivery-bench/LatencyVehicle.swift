import AgentCore
import DurableOutbox
import FleetModel
import FleetRuntime
import FleetTestSupport

/// A vehicle's outbox and delivery as `fleet-agent run` has them, without a camera.
struct LatencyVehicle {
    private let identity: VehicleIdentity
    private let outbox: DurableOutbox
    private let delivery: DeliveryService

    init(name: String, broker: String, folder: TemporaryFolder) throws {
        let text = "fleet: bench\nvehicle: \(name)\nmqtt:\n  url: \(broker)\n"
        let configuration = try AgentConfiguration(document: ConfigurationDocument(text: Array(text.utf8), file: "bench"))
        identity = configuration.identity
        outbox = try DurableOutbox(settings: OutboxSettings(path: folder.path("outbox-\(name).db"), identity: identity))
        delivery = try DeliveryService(identity: identity, mqtt: configuration.mqtt, outbox: outbox)
    }

    /// Connects, runs `body`, disconnects.
    func delivering<T: Sendable>(_ body: @Sendable () async -> T) async throws -> T {
        async let running: Void = delivery.run()
        guard await eventually(timeout: 20, { delivery.isConnected }) else {
            throw UserError(.unavailable, "no connection to the broker")
        }
        let result = await body()
        await delivery.stop()
        await running
        return result
    }

    /// Rows without a receipt.
    var waiting: Int { get async { await outbox.status().rows } }

    /// Raises one alert; it is on disk when this returns.
    func raise(_ severity: Severity) async -> AlertID {
        let alert = make(severity)
        _ = await outbox.append(alert)
        return alert.id
    }

    /// Puts `count` alerts of no great importance into the outbox.
    func append(_ count: Int) async {
        var left = count
        while left > 0 {
            let size = min(left, 500)
            _ = await outbox.append((0..<size).map { _ in make(.caution) })
            left -= size
        }
    }

    private func make(_ severity: Severity) -> Alert {
        let now = WallClock.now()
        var random = SystemRandomNumberGenerator()
        var alert = SampleAlerts.alert(1, severity: severity, identity: identity, at: now)
        alert.id = AlertID.v7(at: now, using: &random)
        return alert
    }
}
