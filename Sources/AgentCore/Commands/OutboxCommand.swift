import DurableOutbox
import FleetRuntime
import Foundation

/// `fleet-agent outbox list` and `fleet-agent outbox retry`: what waits in the vehicle, and what was rejected.
enum OutboxCommand {
    private static let config = OptionSpec.value("--config", "FILE", "configuration (default /etc/fleet-safety/agent.yaml)")

    static let list = Command(
        "outbox list", "say how much waits to be delivered, and what broker or server rejected, with the reason",
        discussion: "Only while the agent does not run.", options: [config]
    ) { arguments in
        let outbox = try await open(arguments)
        let status = await outbox.status()
        StandardStreams.print("\(status.rows) waiting, \(status.rejected) rejected")
        for row in await outbox.rejected(limit: .max) {
            StandardStreams.print("\(row.at)  \(row.id)  revision \(row.revision)  \(row.reason.printable)")
        }
    }

    static let retry = Command(
        "outbox retry", "let what was rejected wait again, once broker or server have been put right",
        discussion: "Only while the agent does not run; it sends them when it is started again.", options: [config]
    ) { arguments in
        let outbox = try await open(arguments)
        do throws(OutboxFailure) { StandardStreams.print("\(try await outbox.retryRejected()) wait again") } catch {
            throw UserError(.ioError, "outbox \(error)")
        }
    }

    /// The outbox of the configuration, which has to be there: one that is made here would belong to whoever asked, not to the service.
    private static func open(_ arguments: ParsedArguments) async throws -> DurableOutbox {
        let configuration = try AgentConfiguration(path: arguments.value("--config") ?? "/etc/fleet-safety/agent.yaml")
        let settings = OutboxSettings(path: configuration.outbox.path, identity: configuration.identity)
        guard FileManager.default.fileExists(atPath: settings.path) else {
            throw UserError(.noInput, "\(settings.path): no outbox is there; the agent makes it when it starts")
        }
        let outbox = try DurableOutbox(settings: settings)
        try await outbox.refuseStrangers()
        return outbox
    }
}
