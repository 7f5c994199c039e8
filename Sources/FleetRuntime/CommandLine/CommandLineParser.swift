/// Reads the arguments of one command after GNU habit: `--name value`, `--name=value`, `--` ends the options.
struct CommandLineParser {
    let command: Command
    let globalOptions: [OptionSpec]

    func parse(_ arguments: [String]) throws -> ParsedArguments {
        var positionals: [String] = []
        var values: [String: [String]] = [:]
        var rest = arguments[...]
        var optionsEnded = false
        while let word = rest.popFirst() {
            if optionsEnded || !word.hasPrefix("-") || word == "-" || Double(word) != nil {
                positionals.append(word)
            } else if word == "--" {
                optionsEnded = true
            } else {
                try parseOption(word, &rest, &values)
            }
        }
        try checkPositionals(positionals)
        return ParsedArguments(positionals: positionals, values: values)
    }

    private func parseOption(_ word: String, _ rest: inout ArraySlice<String>, _ values: inout [String: [String]]) throws {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts[0]
        guard let option = (command.options + globalOptions).first(where: { $0.name == name }) else {
            throw UserError(.usage, "unknown option \(name.shortened)\(hint(name)); see --help")
        }
        guard values[name] == nil || option.isRepeatable else { throw UserError(.usage, "\(name) was given twice") }
        guard option.valueName != nil else {
            guard parts.count == 1 else { throw UserError(.usage, "\(name) takes no value") }
            values[name] = [""]
            return
        }
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
            throw UserError(.usage, "\(name) needs a value (\(option.valueName ?? ""))")
        }
        guard option.choices.isEmpty || option.choices.contains(value) else {
            throw UserError(.usage, "\(name) \(value.shortened): allowed are \(option.choices.joined(separator: ", "))")
        }
        values[name, default: []].append(value)
    }

    private func checkPositionals(_ positionals: [String]) throws {
        let needed = command.arguments.filter { !$0.isOptional }
        if positionals.count < needed.count {
            throw UserError(.usage, "\(needed[positionals.count].name) is missing (\(needed[positionals.count].help)); see --help")
        }
        if positionals.count > command.arguments.count, command.arguments.last?.isRepeated != true {
            throw UserError(.usage, "unexpected argument \(positionals[command.arguments.count].shortened); see --help")
        }
    }

    /// The known option that differs least, if it is near enough to be what was meant.
    private func hint(_ name: String) -> String {
        let near = (command.options + globalOptions).map { ($0.name, EditDistance.between($0.name, name)) }.min { $0.1 < $1.1 }
        guard let near, near.1 <= 2 else { return "" }
        return ", did you mean \(near.0)?"
    }
}
