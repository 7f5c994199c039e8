/// One command of a program, e.g. `replay`: what it takes and what it does.
public struct Command: Sendable {
    /// Words after the program's name, e.g. `["map", "import"]`; empty for a program without commands.
    public let words: [String]
    /// One line of help.
    public let summary: String
    /// Further help, in paragraphs; may be empty.
    public let discussion: String
    /// Positional arguments in order.
    public let arguments: [ArgumentSpec]
    /// Options in the order of the help.
    public let options: [OptionSpec]
    /// What it does. Throws `UserError` to end the program with one line and a status.
    public let run: @Sendable (ParsedArguments) async throws -> Void

    /// A command called by `words` (separated by a blank).
    public init(
        _ words: String, _ summary: String, discussion: String = "", arguments: [ArgumentSpec] = [], options: [OptionSpec] = [],
        run: @escaping @Sendable (ParsedArguments) async throws -> Void
    ) {
        self.words = words.split(separator: " ").map(String.init)
        self.summary = summary
        self.discussion = discussion
        self.arguments = arguments
        self.options = options
        self.run = run
    }
}
