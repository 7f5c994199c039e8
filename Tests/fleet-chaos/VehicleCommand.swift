import AgentCore
import DurableOutbox
import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation

/// `fleet-chaos vehicle`: the agent's outbox and delivery in a process of their own, with alerts from a generator instead of a camera.
/// Killed at any moment and started again, it goes on where its journal ends.
enum VehicleCommand {
    static let command = Command(
        "vehicle", "one vehicle that raises alerts until it has raised enough; started by `matrix`",
        options: [
            .value("--config", "FILE", "agent configuration"),
            .value("--journal", "FILE", "what was confirmed by the outbox"),
            .value("--progress", "FILE", "how many rows were confirmed and how many wait"),
            .value("--alerts", "N", "rows to raise over all starts"),
            .value("--rate", "R", "rows a second"),
            .value("--hurry", "FACTOR", "how many times faster the steady clock runs"),
        ], run: run)

    private static func run(_ arguments: ParsedArguments) async throws {
        let signals = StopSignals(endsWithinS: 4)
        guard let config = arguments.value("--config"), let journal = arguments.value("--journal"),
            let progress = arguments.value("--progress")
        else { throw UserError(.usage, "--config, --journal and --progress are needed") }
        let configuration = try AgentConfiguration(path: config)
        let clock = HurriedClock(factor: try arguments.number("--hurry", in: 1...100) ?? 1)
        let outbox = try DurableOutbox(
            settings: OutboxSettings(path: configuration.outbox.path, identity: configuration.identity), clock: clock)
        let delivery = try DeliveryService(
            identity: configuration.identity, mqtt: configuration.mqtt, outbox: outbox, clock: clock, minimumBackoffS: 0.2)
        let confirmed = Journal.read(path: journal).rows.count
        var writer = AlertWriter(
            identity: configuration.identity, outbox: outbox, journal: try Journal(path: journal), confirmed: confirmed)
        let wanted = try arguments.integer("--alerts", in: 1...10_000_000) ?? 100
        let rate = try arguments.number("--rate", in: 0.01...10_000) ?? 10

        async let running: Void = delivery.run()
        try await writer.endInterruptedEpisodes(clock)
        while !signals.isRaised {
            let isDone = writer.confirmed >= wanted && !writer.hasOpenEpisodes
            if !isDone { try await writer.write(wanted: wanted, clock) }
            let left = await outbox.status().rows
            try Data("\(writer.confirmed) \(left) \(isDone ? 1 : 0)\n".utf8).write(to: URL(filePath: progress), options: .atomic)
            try? await Task.sleep(for: .seconds(isDone ? 0.1 : writer.pauseS(rate: rate)))
        }
        await delivery.stop()
        await running
    }
}
