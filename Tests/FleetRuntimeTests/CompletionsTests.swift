import FleetTestSupport
import Foundation
import Testing

@testable import FleetRuntime

@Suite("Completions and manual page")
struct CompletionsTests {
    private let program = Program(
        name: "tool", summary: "does things",
        commands: [
            Command(
                "list", "lists what's there: [all]", arguments: [ArgumentSpec("FILE", "a file", optional: true)],
                options: [
                    .value("--kind", "KIND", "the kind", choices: ["car", "cat"]), .value("--out", "FILE", "where to"),
                    .flag("--json", "JSON"),
                ]
            ) { _ in },
            Command("token add", "adds", options: [.value("--role", "ROLE", "role", choices: ["viewer", "admin"])]) { _ in },
            Command("token remove", "removes") { _ in },
        ], environment: [("TOOL_HOME", "where it lives")])

    /// What `shell` prints for `script`, or nil when the machine has none.
    private func run(_ shell: String, _ arguments: [String], _ script: String) async throws -> String? {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/\(shell)") else { return nil }
        let folder = try TemporaryFolder()
        try Data(script.utf8).write(to: folder.url.appending(path: "script"))
        return try await ExternalProgram.run(
            "env", ["-C", folder.path("."), shell] + arguments + [folder.path("script")]
        ).output
    }

    @Test(
        "bash offers what can follow",
        arguments: [
            ("tool ", ["list", "token", "help", "--help", "--version"]), ("tool to", ["token"]),
            ("tool token ", ["add", "remove"]),
            ("tool list --ki", ["--kind"]), ("tool list --kind ", ["car", "cat"]), ("tool list --kind ca", ["car", "cat"]),
            ("tool token add --role a", ["admin"]), ("tool token add --ro", ["--role"]), ("tool token remove --ro", []),
            ("tool list scr", ["script"]), ("tool list --out scr", ["script"]),
        ])
    func bash(line: String, expected: [String]) async throws {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map { "'\($0)'" }.joined(separator: " ")
        let script = """
            \(ShellCompletions(program: program).text(.bash))
            COMP_WORDS=(\(words)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _tool
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let offered = try #require(try await run("bash", ["--norc"], script)).split(separator: "\n").map(String.init)
        #expect(offered == expected)
    }

    @Test("zsh and fish read theirs without a complaint, where they are installed")
    func syntax() async throws {
        let texts = ShellCompletions(program: program)
        if let zsh = try await run("zsh", ["-n"], texts.text(.zsh)) { #expect(zsh == "") }
        let sourced = "autoload -Uz compinit\ncompinit -u -D\n\(texts.text(.zsh))\nprint -r -- $_comps[tool]\n"
        if let zsh = try await run("zsh", ["-f"], sourced) { #expect(zsh == "_tool\n") }
        if let fish = try await run("fish", ["--no-execute"], texts.text(.fish)) { #expect(fish == "") }
        let asked = "\(texts.text(.fish))\ncomplete -C 'tool token add --role a'\n"
        if let fish = try await run("fish", ["--no-config"], asked) { #expect(fish.hasPrefix("admin")) }
    }

    @Test("the manual page has every command, option and variable, and man reads it without a complaint")
    func manual() async throws {
        let page = ManualPage(program: program).text
        for word in [".SS list", ".SS token add", "\\fB\\-\\-kind\\fR \\fIKIND\\fR", "TOOL_HOME", ".SH EXIT STATUS"] {
            #expect(page.contains(word), "\(word)")
        }
        let folder = try TemporaryFolder()
        try Data(page.utf8).write(to: folder.url.appending(path: "tool.1"))
        let checked = try await run("bash", [], "command -v groff >/dev/null && groff -man -ww -z '\(folder.path("tool.1"))' 2>&1")
        #expect(checked == "")
    }
}
