import FleetModel
import FleetRuntime
import FleetStore

/// `fleet-sync webhook ...`: tries a rule out, and shows what was told.
enum WebhookCommands {
    private static let defaultLimit = 100

    static let all = [test, deliveries]

    private static let test = Command(
        "webhook test", "send a signed message of type `test` by a webhook's rule",
        discussion: "Status 69: the other side did not take it; the line says why.",
        arguments: [ArgumentSpec("NAME", "the rule's name in the configuration")], options: [SyncProgram.configurationOption]
    ) { arguments in
        let name = try arguments.requiredArgument(0)
        let rules = try SyncProgram.configuration(arguments).webhooks
        guard let rule = rules.first(where: { $0.name == name }) else {
            let known = rules.isEmpty ? "there are none" : "known: \(rules.map(\.name).joined(separator: ", "))"
            throw UserError(.noInput, "no webhook has the name \(name); \(known)")
        }
        let now = WallClock.now()
        let outcome = await WebhookSender(rule).send(nil, id: "\(name).test.\(now.millisecondsSinceEpoch)", at: now)
        if let failure = outcome.failure { throw UserError(.unavailable, "\(name): \(rule.address.server): \(failure)") }
        StandardStreams.print("\(name): \(rule.address.server) took it with \(outcome.status ?? 0)")
    }

    private static let deliveries = Command(
        "webhook log", "list what webhooks were told or are to be told, the newest last",
        options: [
            SyncProgram.configurationOption, .value("--limit", "N", "at most the N newest (default \(defaultLimit))"),
            .flag("--json", "write JSON Lines"),
        ]
    ) { arguments in
        let limit = try arguments.integer("--limit", in: 1...100_000) ?? defaultLimit
        let store = try SyncProgram.configuration(arguments).store.open(isSole: false)
        let list = try await store.webhookDeliveries(before: nil, limit: limit).deliveries.reversed()
        for delivery in list {
            StandardStreams.print(arguments.has("--json") ? try JSONText.line(delivery) : line(delivery))
        }
        if list.isEmpty { StandardStreams.printError("nothing was told yet") }
    }

    private static func line(_ delivery: WebhookDelivery) -> String {
        let state =
            switch delivery.state {
            case .waiting: "waiting, due \(delivery.dueAt)"
            case .delivered: "delivered \(delivery.dueAt)"
            case .failed: "given up \(delivery.dueAt)"
            }
        let attempts = delivery.attempts == 1 ? "1 attempt" : "\(delivery.attempts) attempts"
        let words = [
            delivery.createdAt.description, delivery.rule, "\(delivery.fleet)/\(delivery.vehicle)", delivery.alert.description,
            state,
            attempts, delivery.detail.isEmpty ? delivery.status.map { "status \($0)" } ?? "" : delivery.detail,
        ]
        return words.filter { !$0.isEmpty }.map(\.printable).joined(separator: "  ")
    }
}
