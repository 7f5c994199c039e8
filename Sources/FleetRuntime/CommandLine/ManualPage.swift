import FleetModel

/// A program's manual page (roff with the man macros), made from the same description that the parser and the help read.
struct ManualPage {
    let program: Program

    var text: String {
        var lines = [
            ".\\\" Made by `\(program.name) manual`.",
            ".TH \(program.name.uppercased()) 1 \"\" \"fleet-safety \(SoftwareVersion.current)\" \"Fleet safety\"",
            ".SH NAME", Self.escaped(program.name) + " \\- " + Self.escaped(program.summary), ".SH SYNOPSIS",
            ".B \(Self.escaped(program.name))", ".I COMMAND", "[\\fIOPTIONS\\fR]", ".br", ".B \(Self.escaped(program.name))",
            "help [\\fICOMMAND\\fR]", ".SH COMMANDS",
        ]
        for command in program.commands { lines += section(command) }
        lines += [".SH OPTIONS OF EVERY COMMAND"] + program.globalOptions.flatMap(Self.option)
        if !program.environment.isEmpty {
            lines.append(".SH ENVIRONMENT")
            for entry in program.environment { lines += [".TP", ".B \(Self.escaped(entry.name))", Self.escaped(entry.help)] }
        }
        lines.append(".SH EXIT STATUS")
        for (code, words) in Self.statuses { lines += [".TP", ".B \(code.rawValue)", Self.escaped(words)] }
        return lines.joined(separator: "\n")
    }

    /// After BSD `sysexits.h`.
    private static let statuses: [(ExitCode, String)] = [
        (.ok, "done"), (.usage, "the command line is wrong"), (.badData, "the input is not what it should be"),
        (.noInput, "the input is not there"), (.unavailable, "a service that is needed does not answer"),
        (.software, "a defect of the program"), (.ioError, "reading or writing failed"),
        (.configuration, "the configuration is wrong, or a token is wanted"),
    ]

    private func section(_ command: Command) -> [String] {
        let usage = ([program.name] + command.words).joined(separator: " ")
        let arguments = command.arguments.map { argument in
            let name = "\\fI\(Self.escaped(argument.name))\\fR" + (argument.isRepeated ? "..." : "")
            return argument.isOptional ? "[\(name)]" : name
        }
        let tail = (command.options.isEmpty ? [] : ["[\\fIOPTIONS\\fR]"]) + arguments
        var lines = [
            ".SS \(Self.escaped(command.words.joined(separator: " ")))", Self.escaped(capitalised(command.summary)) + ".", ".PP",
        ]
        lines.append("\\fB\(Self.escaped(usage))\\fR " + tail.joined(separator: " "))
        for argument in command.arguments {
            lines += [".TP", "\\fI\(Self.escaped(argument.name))\\fR", Self.escaped(argument.help)]
        }
        lines += command.options.flatMap(Self.option)
        if !command.discussion.isEmpty { lines += [".PP", Self.paragraphs(command.discussion)] }
        return lines
    }

    private func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    private static func option(_ option: OptionSpec) -> [String] {
        let value = option.valueName.map { " \\fI\(escaped($0))\\fR" } ?? ""
        return [".TP", "\\fB\(escaped(option.name))\\fR\(value)", escaped(option.help)]
    }

    /// Empty lines part paragraphs.
    private static func paragraphs(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? ".PP" : escaped(String($0)) }
            .joined(separator: "\n")
    }

    /// A hyphen that is typed must not become a dash, a backslash not an escape, and a line must not begin like a macro.
    private static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }
}
