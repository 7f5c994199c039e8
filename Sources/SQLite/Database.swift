import CSQLite
import Glibc
import FoundationEssentials

/// One connection to an SQLite file.
///
/// Not Sendable: it belongs to one actor or thread at a time. Every call may block on the disk for as long as the busy timeout and
/// longer, so the owner keeps it off the cooperative pool. Everything throws `SQLiteError`.
public final class Database {
    /// How a file is opened.
    public struct Options: Sendable {
        /// Open for reading only; the file must exist.
        public var readOnly = false
        /// Make the file when it does not exist, for nobody else to read: what is stored tells where people were.
        public var create = true
        /// Seconds to wait for another connection's lock.
        public var busyTimeoutS = 5.0
        /// Write-ahead log: readers never block the writer. Ignored when read-only.
        public var writeAheadLog = true
        /// Sync the log at every commit (`synchronous=FULL`), so that a commit survives a power cut; false is `NORMAL`.
        public var fullSync = true
        /// Bound on the pages that are kept in memory, in KiB; SQLite's own is 2000.
        public var cacheKiB = 2000
        /// Pages in the log at which it is copied into the file. A page that many commits change is copied once for all of them: the more,
        /// the less is written twice, and the larger the log. SQLite's own is 1000.
        public var checkpointPages = 1000

        /// The values above.
        public init() {}

        /// For reading only.
        public static var reading: Options {
            var options = Options()
            options.readOnly = true
            options.create = false
            return options
        }
    }

    /// The file.
    public let path: String
    let handle: OpaquePointer
    private var idle: [String: Statement] = [:]
    /// Bound on the statements that are kept; a program uses a few dozen texts.
    private static let keptStatements = 64

    /// Opens `path`, sets the pragmas of `options` and checks that they took.
    public init(path: String, options: Options = Options()) throws {
        self.path = path
        try Self.checkKind(of: path)
        if !options.readOnly, options.create {
            // SQLite gives log and index the rights of the file. A failure is told by the opening itself.
            let made = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            if made >= 0 { close(made) }
        }
        var opened: OpaquePointer?
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        flags |= options.readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | (options.create ? SQLITE_OPEN_CREATE : 0)
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard let opened, code == SQLITE_OK else {
            let error = Self.openError(code, opened, path)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        sqlite3_busy_timeout(opened, Int32(options.busyTimeoutS * 1000))
        try configure(options)
    }

    /// Refuses devices, folders and the like, which SQLite would try to read, or put files beside.
    private static func checkKind(of path: String) throws {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
        throw SQLiteError(code: .cannotOpen, operation: "open", message: "no regular file", path: path)
    }

    deinit {
        idle.removeAll()
        sqlite3_close_v2(handle)
    }

    private func configure(_ options: Options) throws {
        // A schema from a file that was made elsewhere may not call what has side effects; broken cells are noticed when read.
        try execute("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA foreign_keys=ON")
        if options.readOnly {
            _ = try first("SELECT count(*) FROM sqlite_schema") { $0.int64(0) }
            return
        }
        try execute("PRAGMA cache_size=-\(options.cacheKiB); PRAGMA wal_autocheckpoint=\(options.checkpointPages)")
        if options.writeAheadLog {
            let mode = try first("PRAGMA journal_mode=WAL") { $0.string(0) }
            guard mode == "wal" else { throw misuse("no write-ahead log here (\(mode ?? "none"))", "PRAGMA journal_mode=WAL") }
        }
        try execute("PRAGMA synchronous=\(options.fullSync ? "FULL" : "NORMAL")")
        let level = try first("PRAGMA synchronous") { $0.int(0) }
        guard level == (options.fullSync ? 2 : 1) else { throw misuse("synchronous is \(level ?? -1)", "PRAGMA synchronous") }
    }

    /// Runs a script of any number of statements without values.
    public func execute(_ script: String) throws {
        let code = sqlite3_exec(handle, script, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code, script) }
    }

    /// Runs one statement that returns nothing; returns the number of rows it changed.
    @discardableResult
    public func run(_ sql: String, _ values: SQLiteValue...) throws -> Int {
        try withStatement(sql, values) { while try $0.step() {} }
        return Int(sqlite3_changes64(handle))
    }

    /// Runs one statement and makes a value of each row.
    public func query<T>(_ sql: String, _ values: [SQLiteValue] = [], _ make: (borrowing Row) throws -> T) throws -> [T] {
        try withStatement(sql, values) { statement in
            var result: [T] = []
            while try statement.step() { result.append(try statement.withRow(make)) }
            return result
        }
    }

    /// Runs one statement and hands over row after row until `body` returns false.
    public func forEach(_ sql: String, _ values: [SQLiteValue] = [], _ body: (borrowing Row) throws -> Bool) throws {
        try withStatement(sql, values) { statement in
            while try statement.step(), try statement.withRow(body) {}
        }
    }

    /// Runs one statement and makes a value of its first row; nil when it has none.
    public func first<T>(_ sql: String, _ values: [SQLiteValue] = [], _ make: (borrowing Row) throws -> T) throws -> T? {
        try withStatement(sql, values) { try $0.step() ? try $0.withRow(make) : nil }
    }

    /// The rowid of the last insert.
    public var lastInsertRowID: Int64 { sqlite3_last_insert_rowid(handle) }
    /// Rows changed since the connection was opened.
    public var totalChanges: Int64 { sqlite3_total_changes64(handle) }

    /// Runs `body` within one write transaction: all of it is stored when this returns, none when it throws. Does not nest.
    @discardableResult
    public func transaction<T>(_ body: () throws -> T) throws -> T {
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // A full disk may have rolled back already; then there is nothing left to do.
            if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
            throw error
        }
    }

    private func withStatement<T>(_ sql: String, _ values: [SQLiteValue], _ body: (Statement) throws -> T) throws -> T {
        // Taken out while in use: a query within a query's closure gets its own.
        let statement = try idle.removeValue(forKey: sql) ?? Statement(sql, in: self)
        defer {
            statement.reset()
            if idle.count < Self.keptStatements { idle[sql] = statement }
        }
        try statement.bind(values)
        return try body(statement)
    }

    func error(_ code: Int32, _ operation: String) -> SQLiteError {
        var message = String(cString: sqlite3_errmsg(handle))
        let number = sqlite3_system_errno(handle)
        if number != 0, code & 0xFF == SQLITE_IOERR || code & 0xFF == SQLITE_CANTOPEN {
            message += ": \(Self.text(ofErrno: number))"
        }
        return SQLiteError(code: ResultCode(rawValue: code), operation: operation, message: message, path: path)
    }

    func misuse(_ message: String, _ operation: String) -> SQLiteError {
        SQLiteError(code: .misuse, operation: operation, message: message, path: path)
    }

    private static func openError(_ code: Int32, _ handle: OpaquePointer?, _ path: String) -> SQLiteError {
        var message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
        let number = handle.map { sqlite3_system_errno($0) } ?? 0
        if number != 0 { message += ": \(text(ofErrno: number))" }
        return SQLiteError(code: ResultCode(rawValue: code), operation: "open", message: message, path: path)
    }

    private static func text(ofErrno number: Int32) -> String { String(cString: strerror(number)) }
}
