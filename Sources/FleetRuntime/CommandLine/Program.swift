import FleetModel
import Glibc

/// A program with commands: reads the command line, runs one, turns what is thrown into one line and an exit status.
public struct Program: Sendable {
    /// As it is called, e.g. `fleet-agent`.
    public let name: String
    /// One line of help.
    public let summary: String
    /// Its commands in the order of the help.
    public let commands: [Command]

    /// A program called `name`.
    public init(name: String, summary: String, commands: [Command]) {
        self.name = name
        self.summary = summary
        self.commands = commands
    }

    static let logLevels = LogLevel.allCases.map(\.rawValue)

    let globalOptions: [OptionSpec] = [
        .value("--log-level", "LEVEL", "debug, info, warning or error (default info)", choices: Program.logLevels),
        .flag("--help", "show this help"),
        .flag("--version", "show the version"),
    ]

    /// Runs the program with `arguments` (without its name) and ends the process.
    public func main(_ arguments: [String]) async -> Never {
        exit(await run(arguments).rawValue)
    }

    /// Runs the program with `arguments` (without its name) and returns its status; errors go to standard error as one line.
    public func run(_ arguments: [String]) async -> ExitCode {
        do {
            try await dispatch(arguments)
            return .ok
        } catch let error as UserError {
            StandardStreams.printError("\(name): \(error.message.printable)")
            return error.code
        } catch is CancellationError {
            return .ok
        } catch {
            StandardStreams.printError("\(name): \(String(describing: error).printable)")
            return .software
        }
    }

    private func dispatch(_ arguments: [String]) async throws {
        if arguments.first == "--version" { return StandardStreams.print("\(name) \(SoftwareVersion.current)") }
        if arguments.isEmpty || arguments.first == "--help" || arguments.first == "help" {
            StandardStreams.print(HelpText(program: self).overview())
            if arguments.isEmpty { throw UserError(.usage, "a command is missing") }
            return
        }
        guard let command = bestMatch(arguments) else {
            throw UserError(.usage, "unknown command \(arguments[0]); known are \(knownFirstWords.joined(separator: ", "))")
        }
        let rest = Array(arguments.dropFirst(command.words.count))
        let beforeSeparator = rest.prefix { $0 != "--" }
        if beforeSeparator.contains("--help") { return StandardStreams.print(HelpText(program: self).command(command)) }
        if beforeSeparator.contains("--version") { return StandardStreams.print("\(name) \(SoftwareVersion.current)") }
        let parsed = try CommandLineParser(command: command, globalOptions: globalOptions).parse(rest)
        if let level = parsed.value("--log-level").flatMap(LogLevel.init(rawValue:)) { Log.setLevel(level) }
        try await command.run(parsed)
    }

    private func bestMatch(_ arguments: [String]) -> Command? {
        commands.filter { arguments.starts(with: $0.words) }.max { $0.words.count < $1.words.count }
    }

    private var knownFirstWords: [String] {
        var seen: [String] = []
        for command in commands { if let word = command.words.first, !seen.contains(word) { seen.append(word) } }
        return seen
    }
}
