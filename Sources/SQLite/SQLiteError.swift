import CSQLite

/// What SQLite answered and to what.
public struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// SQLite's extended result code.
    public var code: ResultCode
    /// What was tried, e.g. `open`, `commit` or the statement's text.
    public var operation: String
    /// SQLite's own words.
    public var message: String
    /// The database file.
    public var path: String

    /// All members.
    public init(code: ResultCode, operation: String, message: String, path: String) {
        self.code = code
        self.operation = operation
        self.message = message
        self.path = path
    }

    /// One line: file, words, what was tried.
    public var description: String { "\(path): \(message) (\(operation), SQLite code \(code.rawValue))" }
}

/// One of SQLite's result codes, extended form.
public struct ResultCode: RawRepresentable, Hashable, Sendable {
    /// The number in `sqlite3.h`.
    public var rawValue: Int32
    /// The number in `sqlite3.h`.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The low byte, which names the kind of failure.
    public var primary: ResultCode { ResultCode(rawValue: rawValue & 0xFF) }

    /// Another connection holds a lock for longer than the busy timeout.
    public static let busy = ResultCode(rawValue: SQLITE_BUSY)
    /// A lock within the same process.
    public static let locked = ResultCode(rawValue: SQLITE_LOCKED)
    /// The disk, or the page limit of the database, is full.
    public static let full = ResultCode(rawValue: SQLITE_FULL)
    /// The operating system reports an error; a full disk comes this way too, in the write-ahead log.
    public static let ioError = ResultCode(rawValue: SQLITE_IOERR)
    /// The file's content contradicts itself.
    public static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
    /// The file is no database.
    public static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)
    /// The file cannot be opened.
    public static let cannotOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
    /// The file or its folder may not be written.
    public static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
    /// A uniqueness or other constraint would be violated.
    public static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
    /// The interface was used wrongly.
    public static let misuse = ResultCode(rawValue: SQLITE_MISUSE)
    /// The statement or the schema is not what it should be.
    public static let error = ResultCode(rawValue: SQLITE_ERROR)
}

extension SQLiteError {
    /// Whether the file's content is broken, so that no retry helps.
    public var isCorruption: Bool { code.primary == .corrupt || code.primary == .notADatabase }
    /// Whether the tables are not those that were asked for: the file is another program's.
    public var isForeign: Bool { code.primary == .error && message.hasPrefix("no such table") }
    /// Whether room or the disk itself is the trouble: what was to be written is not, and a later attempt may succeed.
    public var isDiskTrouble: Bool { code.primary == .full || code.primary == .ioError }
    /// Whether another process holds the database.
    public var isBusy: Bool { code.primary == .busy || code.primary == .locked }
}
