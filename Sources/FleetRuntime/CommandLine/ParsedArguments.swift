/// What stood on the command line, checked against a `Command`.
public struct ParsedArguments: Sendable {
    let positionals: [String]
    let values: [String: [String]]

    /// Whether the switch `name` was given.
    public func has(_ name: String) -> Bool { values[name] != nil }
    /// The value of `name`; nil when it was not given.
    public func value(_ name: String) -> String? { values[name]?.last }
    /// All values of a repeatable option.
    public func allValues(_ name: String) -> [String] { values[name] ?? [] }
    /// The positional argument at `index`; nil when it was left out.
    public func argument(_ index: Int) -> String? { index < positionals.count ? positionals[index] : nil }
    /// The positional argument at `index`; the parser has made sure that a required one is there.
    public func requiredArgument(_ index: Int) throws -> String {
        guard let text = argument(index) else { throw UserError(.usage, "an argument is missing") }
        return text
    }
    /// The positional arguments from `index` on.
    public func arguments(from index: Int) -> [String] { Array(positionals.dropFirst(index)) }

    /// The value of `name` as a whole number within `range`; nil when it was not given.
    public func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = value(name) else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw UserError(
                .usage, "\(name) \(text.shortened): must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The value of `name` as a number within `range`; nil when it was not given.
    public func number(_ name: String, in range: ClosedRange<Double>) throws -> Double? {
        guard let text = value(name) else { return nil }
        guard let number = Double(text), range.contains(number) else {
            throw UserError(.usage, "\(name) \(text.shortened): must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The value of `name` as a time span in seconds, e.g. `24h`; nil when it was not given.
    public func duration(_ name: String) throws -> Double? {
        guard let text = value(name) else { return nil }
        guard let seconds = Quantity.seconds(text) else {
            throw UserError(.usage, "\(name) \(text.shortened): must be a time with its unit, e.g. 30s, 15min, 24h or 7d")
        }
        return seconds
    }
}
