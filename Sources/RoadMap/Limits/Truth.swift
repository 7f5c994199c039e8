/// Whether a condition holds, as far as it can be told.
public enum Truth: Hashable, Sendable {
    case yes, no
    /// Cannot be told, and what would have to be known.
    case unknown(String)

    /// Holds when both hold.
    func and(_ other: Truth) -> Truth {
        switch (self, other) {
        case (.no, _), (_, .no): .no
        case (.yes, .yes): .yes
        case (.unknown(let what), _), (_, .unknown(let what)): .unknown(what)
        }
    }

    /// Holds when either holds.
    func or(_ other: Truth) -> Truth {
        switch (self, other) {
        case (.yes, _), (_, .yes): .yes
        case (.no, .no): .no
        case (.unknown(let what), _), (_, .unknown(let what)): .unknown(what)
        }
    }
}
