import Foundation
import Glibc
import Synchronization

/// A real PostgreSQL server of its own for the tests of one process, as Debian packages it: an ordinary user's, in a temporary folder, on a socket
/// there and a free port of 127.0.0.1. Every test makes a database of its own in it.
public final class PostgreSQLServer: Sendable {
    /// Why no server came up.
    public struct Failure: Error, CustomStringConvertible {
        /// What it wrote.
        public let description: String
    }

    /// Says why a test is skipped.
    public static let wanted = "needs PostgreSQL (Debian: postgresql)"
    /// Whether this machine has one that can be started: it refuses to run as root, who therefore becomes somebody else.
    public static let isInstalled =
        programs != nil && (geteuid() != 0 || run("/usr/bin/setpriv", ordinaryUser + ["/bin/true"]) == 0)

    /// The server that the tests of a process share; ended with the process.
    public static func shared() throws -> PostgreSQLServer { try theShared.get() }
    private static let theShared: Result<PostgreSQLServer, any Error> = Result {
        let server = try PostgreSQLServer()
        try server.start()
        left.withLock { $0 = server }
        atexit { PostgreSQLServer.left.withLock { $0 }?.kill() }
        return server
    }
    private static let left = Mutex<PostgreSQLServer?>(nil)

    /// Its port on 127.0.0.1; stays the same over restarts.
    public let port: Int
    /// The folder of its socket and files.
    public let folder: TemporaryFolder
    private let count = Mutex(0)
    private let isSynced: Bool

    private static let ordinaryUser = ["--reuid=nobody", "--regid=nogroup", "--clear-groups"]
    private static let programs: String? = {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
        return versions.compactMap(Int.init).sorted().reversed().map { "\(root)/\($0)/bin" }
            .first { FileManager.default.isExecutableFile(atPath: $0 + "/postgres") }
    }()

    /// Makes the server's files; `start` starts it. Unless `isSynced`, nothing is synced: the machine that runs tests does not fail.
    public init(isSynced: Bool = false) throws {
        self.isSynced = isSynced
        folder = try TemporaryFolder()
        port = FreePort.next()
        if geteuid() == 0 {
            guard Self.run("/bin/chown", ["nobody:nogroup", folder.url.path()]) == 0 else {
                throw Failure(description: "no folder for nobody")
            }
        }
        guard try command("initdb", ["--no-sync", "--encoding=UTF8", "--locale=C", "--auth=trust", "--username=fleet"]) == 0 else {
            throw Failure(description: log)
        }
    }

    deinit { kill() }

    /// What it has written so far.
    public var log: String { (try? String(contentsOfFile: folder.path("log"), encoding: .utf8)) ?? "" }

    /// Starts it and waits until it takes connections.
    public func start() throws {
        let options =
            "-p \(port) -c listen_addresses=127.0.0.1 -c unix_socket_directories=\(folder.url.path()) -c fsync=\(isSynced ? "on" : "off") -c shared_buffers=64MB"
        guard try command("pg_ctl", ["start", "--wait", "--silent", "--log", folder.path("log"), "--options", options]) == 0 else {
            throw Failure(description: log)
        }
    }

    /// Ends it at once, connections and all, as a crash would.
    public func kill() { _ = try? command("pg_ctl", ["stop", "--mode=immediate", "--silent"]) }

    /// Lets all its processes stand still: connections stay, nobody answers.
    public func pause() { for process in processes { _ = Glibc.kill(process, SIGSTOP) } }

    /// Lets them go on.
    public func resume() { for process in processes { _ = Glibc.kill(process, SIGCONT) } }

    /// The server, then the processes it has started.
    private var processes: [pid_t] {
        let file = try? String(contentsOfFile: folder.path("data/postmaster.pid"), encoding: .utf8)
        guard let server = file.flatMap({ $0.split(separator: "\n").first }).flatMap({ pid_t($0) }) else { return [] }
        let children = try? String(contentsOfFile: "/proc/\(server)/task/\(server)/children", encoding: .utf8)
        return [server] + (children ?? "").split(separator: " ").compactMap { pid_t($0) }
    }

    /// The URL of a new, empty database.
    public func newDatabase() throws -> String {
        let number = count.withLock { count in
            count += 1
            return count
        }
        let name = "fleet\(number)"
        guard try command("createdb", ["--host=127.0.0.1", "--port=\(port)", "--username=fleet", name], data: false) == 0 else {
            throw Failure(description: log)
        }
        return "postgres://fleet@127.0.0.1:\(port)/\(name)"
    }

    private func command(_ name: String, _ arguments: [String], data: Bool = true) throws -> Int32 {
        guard let programs = Self.programs else { throw Failure(description: Self.wanted) }
        let all = ["\(programs)/\(name)"] + (data ? ["--pgdata=\(folder.path("data"))"] : []) + arguments
        if geteuid() == 0 { return Self.run("/usr/bin/setpriv", Self.ordinaryUser + all) }
        return Self.run(all[0], Array(all.dropFirst()))
    }

    /// Runs a program to its end and returns its status. Not by `Process`, which waits for what the program leaves running as well.
    private static func run(_ program: String, _ arguments: [String]) -> Int32 {
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        for descriptor: Int32 in 0...2 { posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let words = ([program] + arguments).map { strdup($0) }
        defer {
            posix_spawn_file_actions_destroy(&files)
            posix_spawnattr_destroy(&attributes)
            for word in words { free(word) }
        }
        var process: pid_t = 0
        guard posix_spawn(&process, program, &files, &attributes, words + [nil], environ) == 0 else { return -1 }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return -1 } }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
    }
}
