import FleetRuntime
import Foundation
import PostgreSQL

/// A copy of the database by PostgreSQL's own `pg_dump`, while it is in use: one consistent state, in the form that `pg_restore` reads.
struct DatabaseDump: Sendable {
    let address: PostgreSQLAddress
    let password: String?

    /// Writes to `path`, which appears in one step when the copy is complete.
    func write(to path: String) async throws {
        let partial = path + ".partial"
        // For nobody else to read: what is stored tells where people were. pg_dump keeps the rights of a file that is there.
        unlink(partial)
        let made = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard made >= 0 else { throw UserError(.ioError, "\(path): cannot be made; check folder and permissions") }
        close(made)
        let passwordFile = try password.map(PasswordFile.init)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["pg_dump", "--format=custom", "--no-owner", "--file", partial, address.url]
        var environment = ProcessInfo.processInfo.environment
        if let passwordFile { environment["PGPASSFILE"] = passwordFile.path }
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        let ended = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
            ended.continuation.yield(process.terminationReason == .exit ? process.terminationStatus : 1)
            ended.continuation.finish()
        }
        do { try process.run() } catch { throw UserError(.unavailable, "pg_dump cannot be started; install postgresql-client") }
        var status: Int32 = 1
        for await code in ended.stream { status = code }
        withExtendedLifetime(passwordFile) {}
        guard status == 0, rename(partial, path) == 0 else {
            unlink(partial)
            let why = status == 127 ? "install postgresql-client" : "see what pg_dump wrote above"
            throw UserError(status == 127 ? .unavailable : .ioError, "\(path): the database was not copied; \(why)")
        }
    }

    /// The password in the form of `.pgpass`, in a file that only this user reads; gone with the object. A password on a command line or in
    /// the environment is seen by others.
    private final class PasswordFile: Sendable {
        let path: String

        init(_ password: String) throws {
            var template = Array("\(FileManager.default.temporaryDirectory.path())/fleet-XXXXXX".utf8CString)
            let descriptor = mkstemp(&template)
            guard descriptor >= 0 else { throw UserError(.ioError, "no temporary file can be made for pg_dump") }
            path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let escaped = password.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
            let line = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            try line.write(contentsOf: Data("*:*:*:*:\(escaped)\n".utf8))
        }

        deinit { unlink(path) }
    }
}
