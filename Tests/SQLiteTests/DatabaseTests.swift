import FleetTestSupport
import Foundation
import SQLite
import Testing

@Suite struct DatabaseTests {
    let folder: TemporaryFolder
    var path: String { folder.path("test.db") }

    init() throws { folder = try TemporaryFolder() }

    @Test func everyKindOfValueComesBackAsItWent() throws {
        let db = try Database(path: path)
        try db.execute("CREATE TABLE t(a, b, c, d, e, f, g)")
        try db.run(
            "INSERT INTO t VALUES (?,?,?,?,?,?,?)", .integer(Int64.min), .real(0.1), .text("Straße\u{0}x"), .blob(Data([0, 255])),
            .null, .text(""), .blob(Data()))
        let found = try db.first("SELECT * FROM t") { row in
            #expect(row.int64(0) == .min)
            #expect(row.double(1) == 0.1)
            #expect(row.string(2) == "Straße\u{0}x")
            #expect(row.data(3) == Data([0, 255]))
            #expect(row.isNull(4) && row.stringIfPresent(4) == nil && row.dataIfPresent(4) == nil)
            #expect(row.stringIfPresent(5) == "")
            #expect(row.dataIfPresent(6) == Data())
            return true
        }
        #expect(found == true)
    }

    @Test func anotherProgramsFileIsRefusedUnchangedAndADeviceIsNoDatabase() throws {
        try Database(path: path).execute("CREATE TABLE theirs(a)")
        let error = #expect(throws: SQLiteError.self) { try Database(path: path).migrate(["CREATE TABLE ours(a)"]) }
        #expect(error?.isCorruption == true)
        #expect(try Database(path: path).first("SELECT count(*) FROM sqlite_schema") { $0.int(0) } == 1)
        #expect(throws: SQLiteError.self) { try Database(path: "/dev/null") }
        #expect(throws: SQLiteError.self) { try Database(path: folder.url.path()) }
    }

    @Test func aNewFileIsForItsOwnerAlone() throws {
        let db = try Database(path: path)
        try db.execute("CREATE TABLE t(a)")
        for file in [path, path + "-wal", path + "-shm"] {
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600, "\(file)")
        }
    }

    @Test func aTransactionThatThrowsLeavesNothing() throws {
        struct Stop: Error {}
        let db = try Database(path: path)
        try db.execute("CREATE TABLE t(a UNIQUE)")
        #expect(throws: Stop.self) {
            try db.transaction {
                try db.run("INSERT INTO t VALUES (1)")
                throw Stop()
            }
        }
        try db.transaction { try db.run("INSERT INTO t VALUES (2)") }
        #expect(try db.query("SELECT a FROM t") { $0.int(0) } == [2])
    }

    @Test func aConstraintIsNamedInTheError() throws {
        let db = try Database(path: path)
        try db.execute("CREATE TABLE t(a UNIQUE); INSERT INTO t VALUES (1)")
        let error = #expect(throws: SQLiteError.self) { try db.run("INSERT INTO t VALUES (?)", 1) }
        #expect(error?.code.primary == .constraint)
        #expect(error?.description.contains("UNIQUE constraint failed: t.a") == true)
        #expect(error?.path == path)
    }

    @Test func wrongUseIsRefused() throws {
        let db = try Database(path: path)
        #expect(throws: SQLiteError.self) { try db.run("SELECT 1; SELECT 2") }
        #expect(throws: SQLiteError.self) { try db.run("SELECT ?", 1, 2) }
        #expect(throws: SQLiteError.self) { try db.run("  ") }
        #expect(throws: SQLiteError.self) { try db.run("SELECT nonsense FROM nowhere") }
    }

    @Test func theSameStatementMayRunWithinItsOwnRows() throws {
        let db = try Database(path: path)
        try db.execute("CREATE TABLE t(a); INSERT INTO t VALUES (1),(2),(3)")
        let sums = try db.query("SELECT a FROM t ORDER BY a") { outer in
            let factor = outer.int(0)
            return try db.query("SELECT a FROM t ORDER BY a") { $0.int(0) * factor }.reduce(0, +)
        }
        #expect(sums == [6, 12, 18])
    }

    @Test func rowsCanBeReadUntilEnoughIsSeen() throws {
        let db = try Database(path: path)
        try db.execute("CREATE TABLE t(a); INSERT INTO t VALUES (1),(2),(3)")
        var seen: [Int] = []
        try db.forEach("SELECT a FROM t ORDER BY a") {
            seen.append($0.int(0))
            return seen.count < 2
        }
        #expect(seen == [1, 2])
    }

    @Test func commitsAreInTheLogWithFullSync() throws {
        let db = try Database(path: path)
        #expect(try db.first("PRAGMA journal_mode") { $0.string(0) } == "wal")
        #expect(try db.first("PRAGMA synchronous") { $0.int(0) } == 2)
    }

    @Test func migrationsRunOnceAndANewerFileIsRefused() throws {
        let steps = ["CREATE TABLE t(a)", "ALTER TABLE t ADD COLUMN b"]
        try Database(path: path).migrate([steps[0]])
        let db = try Database(path: path)
        try db.migrate(steps)
        try db.migrate(steps)
        #expect(try db.schemaVersion == 2)
        try db.run("INSERT INTO t(a, b) VALUES (1, 2)")
        #expect(throws: SQLiteError.self) { try db.migrate([steps[0]]) }
    }

    @Test func aMigrationThatFailsLeavesTheOldVersion() throws {
        let db = try Database(path: path)
        #expect(throws: SQLiteError.self) { try db.migrate(["CREATE TABLE t(a)", "CREATE TABLE u(a); nonsense"]) }
        #expect(try db.schemaVersion == 1)
        #expect(try db.first("SELECT count(*) FROM sqlite_schema WHERE name='u'") { $0.int(0) } == 0)
    }

    @Test func aBackupIsACompleteDatabase() throws {
        let db = try Database(path: path)
        try db.execute("CREATE TABLE t(a)")
        try db.transaction { for i in 0..<1000 { try db.run("INSERT INTO t VALUES (?)", .integer(i)) } }
        try db.backup(to: folder.path("copy.db"))
        let copy = try Database(path: folder.path("copy.db"), options: .reading)
        #expect(try copy.first("SELECT count(*), sum(a) FROM t") { [$0.int(0), $0.int(1)] } == [1000, 499_500])
        #expect(try copy.quickCheck() == nil)
        #expect(!FileManager.default.fileExists(atPath: folder.path("copy.db.partial")))
    }

    @Test func aBackupThatCannotBeWrittenSaysWhere() throws {
        let db = try Database(path: path)
        let error = #expect(throws: SQLiteError.self) { try db.backup(to: folder.path("nowhere/copy.db")) }
        #expect(error?.path.contains("nowhere") == true)
    }

    @Test func aMissingFolderIsNamed() throws {
        let error = #expect(throws: SQLiteError.self) { try Database(path: folder.path("nowhere/test.db")) }
        #expect(error?.code.primary == .cannotOpen)
        #expect(error?.description.contains("No such file or directory") == true)
    }

    @Test func aReaderNeedsTheFileAndCannotWrite() throws {
        #expect(throws: SQLiteError.self) { try Database(path: path, options: .reading) }
        try Database(path: path).execute("CREATE TABLE t(a)")
        let reader = try Database(path: path, options: .reading)
        let error = #expect(throws: SQLiteError.self) { try reader.run("INSERT INTO t VALUES (1)") }
        #expect(error?.code.primary == .readOnly)
    }

    @Test func whatIsNoDatabaseIsCalledCorrupt() throws {
        try Data(repeating: 65, count: 8192).write(to: URL(filePath: path))
        let error = #expect(throws: SQLiteError.self) { try Database(path: path) }
        #expect(error?.isCorruption == true)
    }

    @Test func damageInsideAFileIsFound() throws {
        let db = try Database(path: path)
        try db.execute("CREATE TABLE t(a); CREATE INDEX i ON t(a)")
        try db.transaction { for i in 0..<5000 { try db.run("INSERT INTO t VALUES (?)", .text("value \(i)")) } }
        try db.checkpoint()
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: 3 * 4096)
        try file.write(contentsOf: Data(repeating: 0xAA, count: 4096))
        try file.close()
        let again = try Database(path: path)
        var damaged = false
        do { damaged = try again.quickCheck() != nil } catch let error as SQLiteError { damaged = error.isCorruption }
        #expect(damaged)
    }

    @Test func aFullDatabaseIsAnErrorOfItsOwnKind() throws {
        let db = try Database(path: path)
        try db.execute("CREATE TABLE t(a); PRAGMA max_page_count=8")
        let error = #expect(throws: SQLiteError.self) { try db.run("INSERT INTO t VALUES (zeroblob(100000))") }
        #expect(error?.isDiskTrouble == true)
        try db.run("INSERT INTO t VALUES (1)")
        #expect(try db.query("SELECT a FROM t") { $0.int(0) } == [1])
    }

    @Test func aBusyDatabaseIsAnErrorOfItsOwnKind() throws {
        let db = try Database(path: path)
        try db.execute("CREATE TABLE t(a); BEGIN IMMEDIATE")
        var options = Database.Options()
        options.busyTimeoutS = 0.05
        let other = try Database(path: path, options: options)
        let error = #expect(throws: SQLiteError.self) { try other.transaction { try other.run("INSERT INTO t VALUES (1)") } }
        #expect(error?.isBusy == true)
    }

    @Test func aStoreHasOneOwnerAtATime() throws {
        var first: StoreLock? = try StoreLock(path: path + ".lock")
        let failure = #expect(throws: StoreLock.Failure.self) { try StoreLock(path: path + ".lock") }
        #expect(failure?.isTaken == true)
        #expect(first?.path == path + ".lock")
        first = nil
        _ = try StoreLock(path: path + ".lock")
    }

    @Test func aLockFileThatCannotBeMadeIsNotATakenOne() throws {
        let failure = #expect(throws: StoreLock.Failure.self) { try StoreLock(path: folder.path("nowhere/x.lock")) }
        #expect(failure?.isTaken == false)
    }
}
