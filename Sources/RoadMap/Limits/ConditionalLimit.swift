import FleetModel

/// One restriction of a `maxspeed:conditional` tag: `30 @ (Mo-Fr 07:00-18:00)`.
public struct ConditionalLimit: Hashable, Sendable {
    /// What applies while the condition holds.
    public let limit: StatedLimit
    /// The condition as tagged, without its brackets.
    public let condition: String
    /// What must hold together.
    private let terms: [Term]

    private enum Term: Hashable {
        case times(WeeklyTimes)
        case cannotBeTold(String)
    }

    /// The restrictions of a tag's value, in its order; one that is not understood has an unknown limit.
    static func parse(_ text: String) -> [ConditionalLimit] {
        guard text.utf8.count <= 4 * MaxspeedValue.maximumLength else { return [] }
        return pieces(text).map { piece in
            guard let at = piece.firstIndex(of: "@") else { return ConditionalLimit(always: MaxspeedValue.parse(piece)) }
            var condition = MaxspeedValue.trimmed(piece[piece.index(after: at)...])
            if condition.hasPrefix("("), condition.hasSuffix(")") { condition = String(condition.dropFirst().dropLast()) }
            return ConditionalLimit(MaxspeedValue.parse(String(piece[..<at])), condition: MaxspeedValue.trimmed(condition))
        }
    }

    private init(always limit: StatedLimit) {
        self.limit = limit
        condition = ""
        terms = []
    }

    private init(_ limit: StatedLimit, condition: String) {
        self.limit = limit
        self.condition = condition
        terms = Self.terms(of: condition).map { term in
            WeeklyTimes(term).map(Term.times) ?? .cannotBeTold(term.isEmpty ? "a condition" : term)
        }
    }

    /// Whether it holds at `time`; nil time is unknown.
    public func holds(at time: LocalTime?) -> Truth {
        terms.reduce(Truth.yes) { result, term in
            switch term {
            case .cannotBeTold(let what): result.and(.unknown(what))
            case .times(let times):
                result.and(time.map { times.contains($0) ? .yes : .no } ?? .unknown(condition))
            }
        }
    }

    /// What `AND` joins.
    private static func terms(of condition: String) -> [String] {
        var terms: [[Substring]] = [[]]
        for word in condition.split(separator: " ") {
            if word.uppercased() == "AND" { terms.append([]) } else { terms[terms.count - 1].append(word) }
        }
        return terms.map { $0.joined(separator: " ") }
    }

    /// Splits at semicolons outside of brackets.
    private static func pieces(_ text: String) -> [String] {
        var pieces: [String] = [""]
        var depth = 0
        for character in text {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if character == ";", depth <= 0 { pieces.append("") } else { pieces[pieces.count - 1].append(character) }
        }
        return pieces.map { MaxspeedValue.trimmed($0) }.filter { !$0.isEmpty }
    }
}
