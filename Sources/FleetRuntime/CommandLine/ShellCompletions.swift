/// What a shell needs to complete a program's command line, made from the same description that the parser and the help read.
struct ShellCompletions {
    /// A shell.
    enum Shell: String, CaseIterable {
        case bash, zsh, fish
    }

    let program: Program

    /// The text for `shell`; docs/cli.md says where it goes.
    func text(_ shell: Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    private var function: String { "_" + program.name.replacing("-", with: "_") }

    private func options(_ command: Command) -> [OptionSpec] { command.options + program.globalOptions }

    /// Whether a shell is to offer files where `name` stands in the help.
    private static func isFile(_ name: String?) -> Bool {
        guard let name else { return false }
        return ["FILE", "DIR", "FOLDER", "SESSION", "IMAGE", "PBF", "VIDEO", "."].contains { name.uppercased().contains($0) }
    }

    /// The words that may come first, and after each of those that need a second one, what may come then.
    private var tree: [(word: String, summary: String, next: [(word: String, summary: String)])] {
        var tree: [(word: String, summary: String, next: [(word: String, summary: String)])] = []
        for command in program.commands {
            guard let first = command.words.first else { continue }
            let second = command.words.count > 1 ? [(word: command.words[1], summary: command.summary)] : []
            if let known = tree.firstIndex(where: { $0.word == first }) {
                tree[known].next += second
            } else {
                tree.append((first, second.isEmpty ? command.summary : "commands: \(first) ...", second))
            }
        }
        return tree
    }

    // MARK: bash

    private var bash: String {
        var text = """
            # Completes \(program.name) in bash; made by `\(program.name) completions bash`.
            \(function)() {
                local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} said='' word i
                for ((i = 1; i < COMP_CWORD; i++)); do
                    word=${COMP_WORDS[i]}
                    [[ $word != -* ]] || break
                    said+="$word "
                done
                COMPREPLY=()
                case $said in

            """
        let words = tree
        for command in program.commands.sorted(by: { $0.words.count > $1.words.count }) {
            text += "    '\(command.words.joined(separator: " ")) '*)\n"
            let choices = options(command).filter { $0.valueName != nil }
            text += "        case $prev in\n"
            for option in choices where !option.choices.isEmpty {
                text +=
                    "        \(option.name)) mapfile -t COMPREPLY < <(compgen -W '\(option.choices.joined(separator: " "))' -- \"$cur\"); return ;;\n"
            }
            let files = choices.filter { $0.choices.isEmpty && Self.isFile($0.valueName) }.map(\.name)
            if !files.isEmpty {
                text += "        \(files.joined(separator: " | "))) mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); return ;;\n"
            }
            let others = choices.filter { $0.choices.isEmpty && !Self.isFile($0.valueName) }.map(\.name)
            if !others.isEmpty { text += "        \(others.joined(separator: " | "))) return ;;\n" }
            text += "        esac\n"
            let names = options(command).map(\.name).joined(separator: " ")
            text += "        [[ $cur != -* ]] || { mapfile -t COMPREPLY < <(compgen -W '\(names)' -- \"$cur\"); return; }\n"
            if command.arguments.contains(where: { Self.isFile($0.name) }) {
                text += "        mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
            }
            text += "        ;;\n"
        }
        for entry in words where !entry.next.isEmpty {
            let next = entry.next.map(\.word).joined(separator: " ")
            text += "    '\(entry.word) ') mapfile -t COMPREPLY < <(compgen -W '\(next)' -- \"$cur\") ;;\n"
        }
        let first = (words.map(\.word) + ["help", "--help", "--version"]).joined(separator: " ")
        text += "    '') mapfile -t COMPREPLY < <(compgen -W '\(first)' -- \"$cur\") ;;\n"
        return text + "    esac\n}\ncomplete -o filenames -F \(function) \(program.name)"
    }

    // MARK: zsh

    private var zsh: String {
        var text = """
            #compdef \(program.name)
            # Completes \(program.name) in zsh; made by `\(program.name) completions zsh`.
            \(function)() {
                local -a commands
                if ((CURRENT == 2)); then
                    commands=(\(tree.map { Self.zshPair($0.word, $0.summary) }.joined(separator: " ")))
                    _describe command commands
                    return
                fi

            """
        for entry in tree where !entry.next.isEmpty {
            let next = entry.next.map { Self.zshPair($0.word, $0.summary) }.joined(separator: " ")
            text += "    if ((CURRENT == 3)) && [[ $words[2] == \(entry.word) ]]; then\n"
            text += "        commands=(\(next))\n        _describe command commands\n"
            // A word may be a command by itself and the first of others.
            let isAlone = program.commands.contains { $0.words == [entry.word] }
            text += isAlone ? "    fi\n" : "        return\n    fi\n"
        }
        text += "    case \"$words[2] $words[3]\" in\n"
        for command in program.commands.sorted(by: { $0.words.count > $1.words.count }) {
            let count = command.words.count
            let pattern = count > 1 ? "'\(command.words.joined(separator: " "))'" : "'\(command.words.first ?? "") '*"
            text += "    \(pattern))\n        shift \(count) words\n        ((CURRENT -= \(count)))\n        _arguments -s"
            for option in options(command) { text += " \\\n            " + Self.zshOption(option) }
            for argument in command.arguments {
                let place = argument.isRepeated ? "*" : ""
                let action = Self.isFile(argument.name) ? "_files" : " "
                text += " \\\n            '\(place):\(argument.name):\(action)'"
            }
            text += "\n        ;;\n"
        }
        // Found by the shell in a folder of functions it is the function's body; read with `source` it has to register itself.
        return text + """
                esac
            }
            if [[ $funcstack[1] == _\(program.name) ]]; then
                \(function) "$@"
            else
                compdef \(function) \(program.name)
            fi
            """
    }

    private static func zshPair(_ word: String, _ summary: String) -> String { "'\(word):\(zshText(summary))'" }

    private static func zshOption(_ option: OptionSpec) -> String {
        let star = option.isRepeatable ? "*" : ""
        let head = "'\(star)\(option.name)[\(zshText(option.help))]"
        guard let value = option.valueName else { return head + "'" }
        let action =
            option.choices.isEmpty ? (isFile(value) ? "_files" : " ") : "(" + option.choices.joined(separator: " ") + ")"
        return head + ":\(zshText(value)):\(action)'"
    }

    private static func zshText(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("'", with: "'\\''").replacing(":", with: "\\:").replacing("[", with: "\\[")
            .replacing("]", with: "\\]")
    }

    // MARK: fish

    private var fish: String {
        let name = program.name
        var lines = ["# Completes \(name) in fish; made by `\(name) completions fish`.", "complete -c \(name) -f"]
        for entry in tree {
            lines.append("complete -c \(name) -n __fish_use_subcommand -a \(entry.word) -d '\(Self.fishText(entry.summary))'")
            let others = entry.next.map(\.word).joined(separator: " ")
            for next in entry.next {
                lines.append(
                    "complete -c \(name) -n '__fish_seen_subcommand_from \(entry.word); and not __fish_seen_subcommand_from \(others)' "
                        + "-a \(next.word) -d '\(Self.fishText(next.summary))'")
            }
        }
        for command in program.commands {
            let condition = command.words.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
            for option in options(command) {
                var line = "complete -c \(name) -n '\(condition)' -l \(option.name.dropFirst(2)) -d '\(Self.fishText(option.help))'"
                if !option.choices.isEmpty {
                    line += " -x -a '\(option.choices.joined(separator: " "))'"
                } else if option.valueName != nil {
                    line += Self.isFile(option.valueName) ? " -r -F" : " -x"
                }
                lines.append(line)
            }
            if command.arguments.contains(where: { Self.isFile($0.name) }) {
                lines.append("complete -c \(name) -n '\(condition)' -F")
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func fishText(_ text: String) -> String { text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") }
}
