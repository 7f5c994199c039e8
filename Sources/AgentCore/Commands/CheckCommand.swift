import FleetRuntime

/// `fleet-agent check`: the doctor.
enum CheckCommand {
    static let command = Command(
        "check", "look at camera, model, gpsd, broker, disk and clock, and say what to do",
        discussion: "Ends with status 0 when nothing failed, else 69.",
        options: [.value("--config", "FILE", "configuration (default /etc/fleet-safety/agent.yaml)")], run: run)

    private static func run(_ arguments: ParsedArguments) async throws {
        let configuration = try AgentConfiguration(path: arguments.value("--config") ?? "/etc/fleet-safety/agent.yaml")
        let findings = await Doctor(configuration: configuration).examine()
        for finding in findings {
            let part = finding.part + String(repeating: " ", count: 8 - finding.part.count)
            let verdict = finding.verdict.rawValue + String(repeating: " ", count: 8 - finding.verdict.rawValue.count)
            StandardStreams.print(part + verdict + finding.words.printable)
        }
        let failed = findings.filter { $0.verdict == .bad }.map(\.part)
        if !failed.isEmpty { throw UserError(.unavailable, "failed: \(failed.joined(separator: ", "))") }
    }
}
