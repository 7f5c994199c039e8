import FleetRuntime
import Synchronization
import Testing

@Suite("Command lines")
struct CommandLineTests {
    /// What the last run of a command was given.
    private final class Seen: Sendable {
        let arguments = Mutex<ParsedArguments?>(nil)
    }

    private let seen = Seen()
    private var program: Program {
        let run: @Sendable (ParsedArguments) async throws -> Void = { [seen] arguments in seen.arguments.withLock { $0 = arguments }
        }
        return Program(
            name: "tool", summary: "does things",
            commands: [
                Command(
                    "list", "lists", discussion: "More words.", arguments: [ArgumentSpec("FILE", "a file", optional: true)],
                    options: [
                        .flag("--json", "JSON"), .value("--limit", "N", "count"),
                        .value("--kind", "KIND", "kind", choices: ["a", "b"]),
                        .value("--tag", "T", "tags", repeatable: true), .value("--since", "SPAN", "from"),
                    ], run: run),
                Command(
                    "map import", "imports",
                    arguments: [ArgumentSpec("FILE", "the map"), ArgumentSpec("MORE", "more", optional: true, repeated: true)],
                    run: run),
                Command("fail", "fails") { _ in throw UserError(.noInput, "gone\u{1B}[2J") },
                Command("interrupted", "is interrupted") { _ in throw Interruption(signal: 15, "half done") },
            ])
    }

    private func parsed(_ line: String) async throws -> ParsedArguments {
        #expect(await program.run(line.split(separator: " ").map(String.init)) == ExitCode.ok.rawValue, "\(line)")
        return try #require(seen.arguments.withLock { $0 })
    }

    @Test("Options, values and positional arguments are told apart")
    func parsing() async throws {
        var arguments = try await parsed("list --json --limit 5 --kind=a --tag x --tag=y=z in.txt")
        #expect(arguments.has("--json"))
        #expect(try arguments.integer("--limit", in: 1...9) == 5)
        #expect(arguments.value("--kind") == "a")
        #expect(arguments.allValues("--tag") == ["x", "y=z"])
        #expect(arguments.argument(0) == "in.txt")
        #expect(arguments.argument(1) == nil)
        #expect(try arguments.duration("--since") == nil)
        arguments = try await parsed("list --since 15min -- --json")
        #expect(!arguments.has("--json"))
        #expect(arguments.argument(0) == "--json")
        #expect(try arguments.duration("--since") == 900)
        arguments = try await parsed("map import -48.1 11.5 -0.25")
        #expect(arguments.arguments(from: 0) == ["-48.1", "11.5", "-0.25"])
        arguments = try await parsed("list -")
        #expect(arguments.argument(0) == "-")
    }

    @Test(
        "What cannot be meant ends with status 64",
        arguments: [
            "", "lst", "map", "--json list", "list --jsn", "list --limit", "list --limit=", "list --kind c", "list --json=1",
            "list --json --json",
            "list --limit 1 --limit 2", "list a b", "map import", "list --log-level loud", "help nothing",
        ])
    func wrong(line: String) async {
        #expect(await program.run(line.split(separator: " ").map(String.init)) == ExitCode.usage.rawValue)
    }

    @Test(
        "Help and version end with status 0 wherever they stand",
        arguments: [
            "--help", "-h", "help", "--version", "list --help", "list -h", "map import --help", "help list", "list --limit --help",
            "list --version",
        ])
    func help(line: String) async {
        #expect(await program.run(line.split(separator: " ").map(String.init)) == ExitCode.ok.rawValue)
    }

    @Test("The status of what a command throws is the program's")
    func status() async { #expect(await program.run(["fail"]) == ExitCode.noInput.rawValue) }

    @Test("Work that a signal ended early has the status of the signal")
    func interrupted() async { #expect(await program.run(["interrupted"]) == 143) }

    @Test("Numbers outside their range and spans without a unit are refused by name")
    func ranges() async throws {
        let arguments = try await parsed("list --limit 10 --since 5")
        #expect(throws: UserError(.usage, "--limit 10: must be a whole number from 1 to 9")) {
            try arguments.integer("--limit", in: 1...9)
        }
        #expect(throws: UserError(.usage, "--since 5: must be a time with its unit, e.g. 30s, 15min, 24h or 7d")) {
            try arguments.duration("--since")
        }
        #expect(throws: UserError.self) { try arguments.number("--since", in: 0...1) }
        #expect(throws: UserError(.usage, "an argument is missing")) { try arguments.requiredArgument(0) }
    }
}
