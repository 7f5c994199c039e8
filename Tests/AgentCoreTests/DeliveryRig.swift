import DurableOutbox
import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import MQTTClient

@testable import AgentCore

/// An agent's delivery side on its own: outbox in a folder, service against a broker's URL.
final class DeliveryRig: Sendable {
    let outbox: DurableOutbox
    let service: DeliveryService
    let clock: ManualClock
    private let running: Task<Void, Never>

    init(
        url: String, outbox path: String, clock: ManualClock = ManualClock(), heartbeatIntervalS: Double? = nil,
        settings change: (inout OutboxSettings) -> Void = { _ in }, mqtt extra: String = ""
    ) throws {
        let who = SampleAlerts.identity
        let text = "fleet: \(who.fleet)\nvehicle: \(who.vehicle)\nmqtt:\n  url: \(url)\n\(extra)"
        let configuration = try AgentConfiguration(document: ConfigurationDocument(text: Array(text.utf8), file: "test"))
        var settings = OutboxSettings(path: path, identity: who)
        change(&settings)
        let outbox = try DurableOutbox(settings: settings, clock: clock)
        var makeHeartbeat: (@Sendable (HeartbeatContext) async -> Heartbeat?)?
        if heartbeatIntervalS != nil { makeHeartbeat = { DeliveryRig.heartbeat($0) } }
        let service = try DeliveryService(
            identity: who, mqtt: configuration.mqtt, outbox: outbox, boot: "test-boot",
            heartbeatIntervalS: heartbeatIntervalS ?? 10,
            clock: clock, minimumBackoffS: 0.1, makeHeartbeat: makeHeartbeat)
        self.outbox = outbox
        self.service = service
        self.clock = clock
        running = Task { await service.run() }
    }

    @Sendable private static func heartbeat(_ context: HeartbeatContext) -> Heartbeat? {
        var heartbeat = Heartbeat(
            identity: SampleAlerts.identity, boot: "test-boot", seq: context.seq, at: context.at, intervalS: context.intervalS,
            queue: context.queue, uptimeS: 1, software: "1.0.0")
        heartbeat.degraded = context.degraded.map { Degradation(code: $0, since: context.at) }
        return heartbeat
    }

    var rows: Int { get async { await outbox.status().rows } }

    func isConnected() async -> Bool { await eventually { service.isConnected } }
    func isEmpty(timeout: Double = 10) async -> Bool { await eventually(timeout: timeout) { await rows == 0 } }

    /// Ends it with a goodbye; returns the seconds it took.
    @discardableResult
    func stop() async -> Double {
        let begun = MonotonicTime.now()
        await service.stop()
        await running.value
        return MonotonicTime.now() - begun
    }
}
