/// The text of `--help`, made from the same description that the parser reads.
struct HelpText {
    let program: Program

    func overview() -> String {
        var text = "\(program.name): \(program.summary)\n\nUsage: \(program.name) COMMAND [OPTIONS]\n\nCommands:\n"
        text += table(program.commands.map { (usageWords($0), $0.summary) })
        text += "\nOptions of every command:\n" + table(program.globalOptions.map { (left($0), $0.help) })
        return text + "\nHelp on a command: \(program.name) COMMAND --help\n"
            + "For a shell: \(program.name) completions bash|zsh|fish; as a manual page: \(program.name) manual"
    }

    func command(_ command: Command) -> String {
        var text = "\(program.name) \(usageWords(command)): \(command.summary)\n\nUsage: \(program.name) \(usageWords(command))"
        if !command.options.isEmpty { text += " [OPTIONS]" }
        text += "\n"
        if !command.arguments.isEmpty { text += "\nArguments:\n" + table(command.arguments.map { ($0.name, $0.help) }) }
        text += "\nOptions:\n" + table((command.options + program.globalOptions).map { (left($0), $0.help) })
        if !command.discussion.isEmpty { text += "\n" + command.discussion + "\n" }
        return String(text.dropLast())
    }

    private func usageWords(_ command: Command) -> String {
        let arguments = command.arguments.map { argument in
            let name = argument.name + (argument.isRepeated ? "..." : "")
            return argument.isOptional ? "[\(name)]" : name
        }
        return (command.words + arguments).joined(separator: " ")
    }

    private func left(_ option: OptionSpec) -> String { option.name + (option.valueName.map { " " + $0 } ?? "") }

    private func table(_ rows: [(String, String)]) -> String {
        let width = min(34, rows.map(\.0.count).max() ?? 0)
        return rows.map { name, help in
            "  " + name
                + (name.count <= width
                    ? String(repeating: " ", count: width - name.count + 2) : "\n" + String(repeating: " ", count: width + 4))
                + help + "\n"
        }.joined()
    }
}
