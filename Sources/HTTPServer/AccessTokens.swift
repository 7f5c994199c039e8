import FleetModel
import FleetRuntime
import FoundationEssentials

/// The access tokens that a server accepts, by name; it knows only their digests.
///
/// A token is 32 random bytes in hexadecimal, so a plain SHA-256 cannot be turned back by guessing, as that of a password could.
public struct AccessTokens: Sendable, Equatable {
    /// One token's line in the file.
    public struct Entry: Sendable, Equatable {
        /// Who or what it was given to.
        public let name: String
        /// SHA-256 of the token's text.
        public let digest: [UInt8]
        /// When it was made; nil when the line does not say.
        public let createdAt: Timestamp?
        /// What its holder may do; a line that does not say lets it look.
        public let role: Role

        /// All members.
        public init(name: String, digest: [UInt8], createdAt: Timestamp?, role: Role = .viewer) {
            self.name = name
            self.digest = digest
            self.createdAt = createdAt
            self.role = role
        }

        /// `NAME SHA256 [TIME] ROLE`.
        public var line: String {
            ([name, SHA256.hexadecimal(digest)] + (createdAt.map { [$0.description] } ?? []) + [role.rawValue])
                .joined(separator: " ")
        }

        /// Who shows it.
        var principal: Principal { Principal(name: name, role: role) }
    }

    /// The tokens in the order of the file.
    public private(set) var entries: [Entry]

    /// Tokens by their entries.
    public init(_ entries: [Entry]) { self.entries = entries }

    /// Reads lines of `NAME SHA256 [TIME] [ROLE]`; empty lines and those that begin with `#` say nothing. `file` names the text in errors.
    public init(text: String, file: String) throws {
        entries = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            guard let name = words.first, !name.hasPrefix("#") else { continue }
            guard words.count >= 2, Self.isName(name), let digest = Self.digest(words[1]), let rest = Rest(words.dropFirst(2))
            else {
                // The line may be a token in the clear: it is not repeated.
                throw UserError(
                    .configuration,
                    "\(file):\(index + 1): must be NAME and the SHA-256 of a token; `fleet-sync token add NAME` writes such a line")
            }
            guard !entries.contains(where: { $0.name == name }) else {
                throw UserError(.configuration, "\(file):\(index + 1): the name \(name) stands twice")
            }
            entries.append(Entry(name: name, digest: digest, createdAt: rest.createdAt, role: rest.role))
        }
    }

    /// What may follow the digest: a time, a role, or both in this order.
    private struct Rest {
        var createdAt: Timestamp?
        var role = Role.viewer

        init?(_ words: ArraySlice<String>) {
            var words = words
            if let time = words.first.flatMap(Timestamp.init) {
                createdAt = time
                words.removeFirst()
            }
            if let word = words.popFirst() {
                guard let role = Role(rawValue: word) else { return nil }
                self.role = role
            }
            guard words.isEmpty else { return nil }
        }
    }

    /// What may name a token: 1 to 64 letters, digits, `.`, `_`, `-`.
    public static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { ($0 | 32) >= 97 && ($0 | 32) <= 122 || $0 >= 48 && $0 <= 57 || [45, 46, 95].contains($0) }
    }

    /// A new token's text: 32 bytes of the system's generator in hexadecimal.
    public static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return SHA256.hexadecimal((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    /// Adds the token `text` under `name`; false when the name is taken.
    public mutating func add(_ text: String, name: String, createdAt: Timestamp?, role: Role = .viewer) -> Bool {
        guard !entries.contains(where: { $0.name == name }) else { return false }
        entries.append(Entry(name: name, digest: SHA256.digest(of: Data(text.utf8)), createdAt: createdAt, role: role))
        return true
    }

    /// Takes the token of `name` away; false when there is none.
    public mutating func remove(_ name: String) -> Bool {
        let before = entries.count
        entries.removeAll { $0.name == name }
        return entries.count < before
    }

    /// The entry of the token `text`. Looks at every byte of every digest, so that the time taken says nothing about any of them.
    func entry(of text: String) -> Entry? {
        let digest = SHA256.digest(of: Data(text.utf8))
        var found: Entry?
        for entry in entries {
            let difference = zip(digest, entry.digest).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
            if difference == 0, entry.digest.count == digest.count { found = entry }
        }
        return found
    }

    private static func digest(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count == 64 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: 64, by: 2) {
            guard let high = Character(Unicode.Scalar(digits[index])).hexDigitValue,
                let low = Character(Unicode.Scalar(digits[index + 1])).hexDigitValue
            else { return nil }
            bytes.append(UInt8(high * 16 + low))
        }
        return bytes
    }
}
