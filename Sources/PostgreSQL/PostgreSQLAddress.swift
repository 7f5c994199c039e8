import CPostgreSQL

/// Where a database is: `postgres://[USER@]HOST[:PORT]/DATABASE[?sslmode=...&...]`, read by the client library itself, so that every option it
/// knows can stand in it.
public struct PostgreSQLAddress: Hashable, Sendable {
    /// What is wrong with a URL; never holds any part of it that could be a secret.
    public struct Malformed: Error, Hashable, Sendable {
        /// One line.
        public let reason: String
    }

    /// The URL, without a password.
    public let url: String
    /// Host, or the folder of the server's socket; nil when the URL does not say.
    public let host: String?
    /// Name of the database; nil when the URL does not say.
    public let database: String?

    /// Reads `url`.
    public init(_ url: String) throws(Malformed) {
        guard Self.isAddress(url) else { throw Malformed(reason: "must be postgres://[USER@]HOST[:PORT]/DATABASE") }
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(url, &message) else {
            PQfreemem(message)
            throw Malformed(
                reason: "cannot be read as a PostgreSQL URL; it must be postgres://[USER@]HOST[:PORT]/DATABASE[?OPTION=VALUE&...]")
        }
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var next = options
        while let keyword = next.pointee.keyword {
            if let value = next.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            next = next.successor()
        }
        if values["password"] != nil || values["sslpassword"] != nil {
            throw Malformed(reason: "holds a password; put it into a file and name that as the password file")
        }
        host = values["host"] ?? values["hostaddr"]
        database = values["dbname"]
        // Without a word the library encrypts if the server likes to, and trusts whoever answers.
        if values["sslmode"] == nil, !Self.isLocal(host) {
            throw Malformed(
                reason:
                    "goes over a network: add sslmode=verify-full&sslrootcert=FILE (or sslmode=disable where the network itself is private)"
            )
        }
        self.url = url
    }

    /// Whether `text` looks like the URL of a PostgreSQL database.
    public static func isAddress(_ text: String) -> Bool { text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") }

    private static func isLocal(_ host: String?) -> Bool {
        guard let host, !host.isEmpty else { return true }
        return host.split(separator: ",").allSatisfy {
            $0.hasPrefix("/") || $0.hasPrefix("@") || $0 == "localhost" || $0.hasPrefix("127.") || $0 == "::1"
        }
    }
}
