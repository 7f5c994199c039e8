import FleetRuntime

/// `fleet-sim fleet`: a whole fleet against a broker.
public enum FleetCommand {
    /// The command.
    public static let command = Command(
        "fleet", "play a whole fleet against a broker: heartbeats, alert episodes, snapshots, and faults on demand",
        discussion: """
            Every alert message waits for fleet-sync's receipt and is sent again without one, as a vehicle does. Ends with 0 when all are
            receipted, with 69 and "N left" when not. The same seed gives the same vehicles, episodes and faults.

            Faults, each with a share of the alert messages:
              duplicate   published twice
              reorder     held back for up to 3 s, so that later messages overtake
              drop        first publication left out; only the resend brings it
              malformed   so many unreadable messages more for each alert message (0 to 100); every one must be rejected
            """,
        options: FleetSettings.options
    ) { arguments in
        let settings = try FleetSettings(arguments)
        let signals = StopSignals()
        let report = try await FleetRun(settings).run(shouldStop: { signals.isRaised })
        StandardStreams.print(settings.isJSON ? report.json : report.table)
        if report.left > 0 {
            throw UserError(
                .unavailable, "\(report.left) left: no receipt came for them; does fleet-sync run on \(settings.broker)?")
        }
    }
}
