/// One option of a command: a switch (`--json`), or one with a value (`--limit N`).
public struct OptionSpec: Sendable {
    /// With its dashes, e.g. `--limit`.
    public let name: String
    /// What stands for the value in the help, e.g. `N`; nil for a switch.
    public let valueName: String?
    /// One line of help.
    public let help: String
    /// Allowed values; empty when there is no list.
    public let choices: [String]
    /// Whether it may stand more than once.
    public let isRepeatable: Bool

    /// A switch.
    public static func flag(_ name: String, _ help: String) -> OptionSpec {
        OptionSpec(name: name, valueName: nil, help: help, choices: [], isRepeatable: false)
    }

    /// An option with a value.
    public static func value(
        _ name: String, _ valueName: String, _ help: String, choices: [String] = [], repeatable: Bool = false
    ) -> OptionSpec {
        OptionSpec(name: name, valueName: valueName, help: help, choices: choices, isRepeatable: repeatable)
    }
}

/// One positional argument of a command.
public struct ArgumentSpec: Sendable {
    /// What stands for it in the help, e.g. `SESSION`.
    public let name: String
    /// One line of help.
    public let help: String
    /// Whether it may be left out.
    public let isOptional: Bool
    /// Whether it takes all further arguments; only for the last one.
    public let isRepeated: Bool

    /// A positional argument.
    public init(_ name: String, _ help: String, optional: Bool = false, repeated: Bool = false) {
        self.name = name
        self.help = help
        isOptional = optional
        isRepeated = repeated
    }
}
