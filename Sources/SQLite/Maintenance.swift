import CSQLite
import Glibc

extension Database {
    /// Brings the schema up to date: `steps[n]` leads from version n to n + 1 and runs in one transaction with the new number.
    ///
    /// The number is SQLite's `user_version`. A file from a newer program than this, and one that another program made, is
    /// refused, unread and unchanged.
    public func migrate(_ steps: [String]) throws {
        let version = try schemaVersion
        guard version <= steps.count else {
            throw misuse("made by a newer version of this program (schema \(version), known up to \(steps.count))", "migrate")
        }
        for next in version..<steps.count {
            try transaction {
                // Another process may have done this step while this one waited for the lock.
                guard try schemaVersion == next else { return }
                if next == 0 { try refuseForeignTables() }
                try execute(steps[next])
                try execute("PRAGMA user_version=\(next + 1)")
            }
        }
    }

    private func refuseForeignTables() throws {
        let tables = try first("SELECT count(*) FROM sqlite_schema") { $0.int(0) } ?? 0
        guard tables > 0 else { return }
        throw SQLiteError(code: .notADatabase, operation: "migrate", message: "holds the tables of another program", path: path)
    }

    /// SQLite's `user_version`; 0 in a new file.
    public var schemaVersion: Int { get throws { try first("PRAGMA user_version") { $0.int(0) } ?? 0 } }

    /// Reads the whole file and checks its structure; nil when it is sound, else the first finding.
    public func quickCheck() throws -> String? {
        let finding = try first("PRAGMA quick_check(1)") { $0.string(0) }
        return finding == "ok" ? nil : finding ?? "no answer"
    }

    /// `quickCheck` and whether every index says what its table says; several times as long.
    public func integrityCheck() throws -> String? {
        let finding = try first("PRAGMA integrity_check(1)") { $0.string(0) }
        return finding == "ok" ? nil : finding ?? "no answer"
    }

    /// Bytes that the database's pages take, free ones included, the write-ahead log not.
    public var sizeBytes: Int64 {
        get throws {
            let pages = try first("PRAGMA page_count") { $0.int64(0) } ?? 0
            return pages * (try first("PRAGMA page_size") { $0.int64(0) } ?? 0)
        }
    }

    /// Moves the write-ahead log into the database file and empties it, as far as readers allow.
    public func checkpoint() throws {
        let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        guard code == SQLITE_OK || code & 0xFF == SQLITE_BUSY else { throw error(code, "checkpoint") }
    }

    /// Copies the database, while it is in use, into a new file at `destination`, one consistent state.
    ///
    /// `destination` appears in one step when the copy is complete and on disk; an existing file is replaced. Blocks until done.
    public func backup(to destination: String) throws {
        let partial = destination + ".partial"
        unlink(partial)
        var options = Options()
        options.writeAheadLog = false
        do {
            try copyPages(to: Database(path: partial, options: options))
        } catch {
            unlink(partial)
            throw error
        }
        guard rename(partial, destination) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(partial)
            throw SQLiteError(code: .ioError, operation: "backup", message: reason, path: destination)
        }
    }

    private func copyPages(to copy: Database) throws {
        guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
            throw copy.error(sqlite3_errcode(copy.handle), "backup")
        }
        // All pages in one step: a single read transaction, so that writers elsewhere cannot make it start over.
        var code = sqlite3_backup_step(backup, -1)
        while code & 0xFF == SQLITE_BUSY || code & 0xFF == SQLITE_LOCKED {
            sqlite3_sleep(50)
            code = sqlite3_backup_step(backup, -1)
        }
        let finished = sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE, finished == SQLITE_OK else { throw copy.error(code == SQLITE_DONE ? finished : code, "backup") }
    }
}
