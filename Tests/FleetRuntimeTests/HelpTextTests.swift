import Testing

@testable import FleetRuntime

@Suite("Help")
struct HelpTextTests {
    private let program = Program(
        name: "tool", summary: "does things",
        commands: [
            Command(
                "list", "lists", discussion: "More words.", arguments: [ArgumentSpec("FILE", "a file", optional: true)],
                options: [
                    .value("--a-very-long-option-name-indeed", "WITH-A-LONG-VALUE", "is told on its own line"),
                    .flag("--json", "JSON"),
                ]
            ) { _ in },
            Command("map import", "imports", arguments: [ArgumentSpec("FILE", "files", repeated: true)]) { _ in },
        ])

    @Test("The overview lists every command with its arguments")
    func overview() {
        #expect(
            HelpText(program: program).overview() == """
                tool: does things

                Usage: tool COMMAND [OPTIONS]

                Commands:
                  list [FILE]         lists
                  map import FILE...  imports

                Options of every command:
                  --log-level LEVEL  debug, info, warning or error (default info)
                  --help             show this help
                  --version          show the version

                Help on a command: tool COMMAND --help
                For a shell: tool completions bash|zsh|fish; as a manual page: tool manual
                """)
    }

    @Test(
        "The first word of a command of two is no unknown command: its second words are told",
        arguments: [
            (["map"], "map is not complete; known are map import"),
            (["map", "export"], "unknown command map export; known are map import"),
            (["mpa"], "unknown command mpa, did you mean map?"),
            (["other"], "unknown command other; known are list, map"),
        ])
    func group(words: [String], message: String) {
        #expect(program.unknownCommand(words).message == message)
        #expect(program.group("map")?.commands.map(\.words) == [["map", "import"]])
        #expect(program.group("list") == nil)
    }

    @Test("A command's help names arguments, options and the discussion")
    func command() {
        #expect(
            HelpText(program: program).command(program.commands[0]) == """
                tool list [FILE]: lists

                Usage: tool list [FILE] [OPTIONS]

                Arguments:
                  FILE  a file

                Options:
                  --a-very-long-option-name-indeed WITH-A-LONG-VALUE
                                                      is told on its own line
                  --json                              JSON
                  --log-level LEVEL                   debug, info, warning or error (default info)
                  --help                              show this help
                  --version                           show the version

                More words.
                """)
    }

    @Test("The distance between words counts letters added, dropped and changed")
    func editDistance() {
        #expect(EditDistance.between("kitten", "sitting") == 3)
        #expect(EditDistance.between("", "abc") == 3)
        #expect(EditDistance.between("abc", "") == 3)
        #expect(EditDistance.between("--json", "--json") == 0)
    }
}
