/// What somebody may do; each role may all that the ones before it may.
public enum Role: String, Codable, Hashable, Sendable, CaseIterable, Comparable {
    /// Look at everything.
    case viewer
    /// Judge alerts (confirmed, false alarm, coached) and take lists of them out.
    case reviewer
    /// See who did what, and what others are told.
    case admin

    /// By what they may do.
    public static func < (a: Role, b: Role) -> Bool { a.rank < b.rank }

    private var rank: Int { Role.allCases.firstIndex(of: self) ?? 0 }
}

/// Who asks: the name of a token, or of a person whom a reverse proxy has signed in.
public struct Principal: Codable, Hashable, Sendable {
    /// Their name, as the audit log and reviews show it.
    public let name: String
    /// What they may do.
    public let role: Role

    /// Both parts.
    public init(name: String, role: Role) {
        self.name = name
        self.role = role
    }

    /// Whoever sits at the machine itself, where nobody is asked for a token.
    public static let local = Principal(name: "local", role: .admin)
}
