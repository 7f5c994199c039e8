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
    /// Variables of the environment that it reads, for the manual page.
    public let environment: [(name: String, help: String)]

    /// A program called `name`.
    public init(name: String, summary: String, commands: [Command], environment: [(name: String, help: String)] = []) {
        self.name = name
        self.summary = summary
        self.commands = commands
        self.environment = environment
    }

    static let logLevels = LogLevel.allCases.map(\.rawValue)

    let globalOptions: [OptionSpec] = [
        .value("--log-level", "LEVEL", "debug, info, warning or error (default info)", choices: Program.logLevels),
        .flag("--help", "show this help"),
        .flag("--version", "show the version"),
    ]

    /// Runs the program with `arguments` (without its name) and ends the process.
    public func main(_ arguments: [String]) async -> Never {
        // A reader that goes away (`| head`) is seen as EPIPE where it is written, not as a signal.
        signal(SIGPIPE, SIG_IGN)
        exit(await run(arguments))
    }

    /// Runs the program with `arguments` (without its name) and returns its status; errors go to standard error as one line.
    public func run(_ arguments: [String]) async -> Int32 {
        do {
            try await dispatch(arguments)
            guard let failure = StandardStreams.outputFailure else { return ExitCode.ok.rawValue }
            throw UserError(.ioError, "standard output: cannot be written (\(failure)); what was printed is incomplete")
        } catch let error as UserError {
            StandardStreams.printError("\(name): \(error.message.printable)")
            return error.code.rawValue
        } catch let error as Interruption {
            StandardStreams.printError("\(name): \(error.message.printable)")
            return error.status
        } catch is CancellationError {
            return ExitCode.ok.rawValue
        } catch {
            StandardStreams.printError("\(name): \(String(describing: error).printable)")
            return ExitCode.software.rawValue
        }
    }

    private func dispatch(_ arguments: [String]) async throws {
        if arguments.first == "--version" { return StandardStreams.print("\(name) \(SoftwareVersion.current)") }
        guard let first = arguments.first else {
            throw UserError(.usage, "a command is missing: \(knownFirstWords.joined(separator: ", ")); see --help")
        }
        if first == "--help" || first == "-h" || first == "help" { return try help(Array(arguments.dropFirst())) }
        if first == "completions" { return try completions(Array(arguments.dropFirst())) }
        if first == "manual", arguments.count == 1 { return StandardStreams.print(ManualPage(program: self).text) }
        if first.hasPrefix("-") { throw UserError(.usage, "\(first.shortened): options come after the command; see --help") }
        guard let command = bestMatch(arguments) else {
            let isHelpWanted = arguments.count == 2 && ["--help", "-h"].contains(arguments[1])
            if isHelpWanted, let group = group(first) { return StandardStreams.print(HelpText(program: group).overview()) }
            throw unknownCommand(arguments)
        }
        let rest = Array(arguments.dropFirst(command.words.count))
        let beforeSeparator = rest.prefix { $0 != "--" }
        if beforeSeparator.contains("--help") || beforeSeparator.contains("-h") {
            return StandardStreams.print(HelpText(program: self).command(command))
        }
        if beforeSeparator.contains("--version") { return StandardStreams.print("\(name) \(SoftwareVersion.current)") }
        let parsed = try CommandLineParser(command: command, globalOptions: globalOptions).parse(rest)
        if let level = parsed.value("--log-level").flatMap(LogLevel.init(rawValue:)) { Log.setLevel(level) }
        try await command.run(parsed)
    }

    /// `help` and `help COMMAND`.
    private func help(_ words: [String]) throws {
        guard !words.isEmpty else { return StandardStreams.print(HelpText(program: self).overview()) }
        guard let command = bestMatch(words) else {
            if words.count == 1, let group = group(words[0]) { return StandardStreams.print(HelpText(program: group).overview()) }
            throw unknownCommand(words)
        }
        StandardStreams.print(HelpText(program: self).command(command))
    }

    /// `completions SHELL`.
    private func completions(_ words: [String]) throws {
        let known = ShellCompletions.Shell.allCases.map(\.rawValue).joined(separator: ", ")
        guard words.count == 1, let shell = ShellCompletions.Shell(rawValue: words[0]) else {
            throw UserError(.usage, "completions: name the shell, one of \(known)")
        }
        StandardStreams.print(ShellCompletions(program: self).text(shell))
    }

    func unknownCommand(_ words: [String]) -> UserError {
        if let group = group(words[0]) {
            let known = group.commands.map { $0.words.joined(separator: " ") }.joined(separator: ", ")
            let wrong =
                words.dropFirst().first.map { "unknown command \(words[0]) \($0.shortened)" } ?? "\(words[0]) is not complete"
            return UserError(.usage, "\(wrong); known are \(known)")
        }
        let near = knownFirstWords.map { ($0, EditDistance.between($0, words[0])) }.min { $0.1 < $1.1 }
        let hint =
            near.flatMap { $0.1 <= 2 ? ", did you mean \($0.0)?" : nil } ?? "; known are \(knownFirstWords.joined(separator: ", "))"
        return UserError(.usage, "unknown command \(words[0].shortened)\(hint)")
    }

    /// The commands of more than one word that begin with `word`, as a program; nil when there are none.
    func group(_ word: String) -> Program? {
        let members = commands.filter { $0.words.count > 1 && $0.words[0] == word }
        return members.isEmpty ? nil : Program(name: name, summary: summary, commands: members)
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
