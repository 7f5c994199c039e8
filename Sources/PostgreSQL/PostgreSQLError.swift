/// What a call to the PostgreSQL client library failed at.
public struct PostgreSQLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The five characters of SQLSTATE (appendix A of PostgreSQL's manual); nil when the server never answered.
    public var state: String?
    /// What failed, in the server's or the library's words; one line.
    public var message: String
    /// Whether the connection is gone: what was under way was either committed or not, and only asking again tells.
    public var isConnectionLost: Bool

    /// All members.
    public init(state: String?, message: String, isConnectionLost: Bool) {
        self.state = state
        self.message = message
        self.isConnectionLost = isConnectionLost
    }

    /// One line.
    public var description: String { state.map { "\(message) (SQLSTATE \($0))" } ?? message }

    /// Whether waiting may help: no connection, a server that starts or stops, a full disk, too many clients, a lock.
    public var passes: Bool {
        if isConnectionLost { return true }
        // 08 connection, 40 serialisation and deadlock, 53 resources, 55 locks, 57 operator intervention, 58 system error.
        return state.map { ["08", "40", "53", "55", "57", "58"].contains($0.prefix(2)) } ?? true
    }

    /// The library's words in one line.
    static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " || $0 == "\t" } }.joined(separator: "; ")
    }
}
