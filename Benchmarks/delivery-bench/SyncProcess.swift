import FleetRuntime
import FleetTestSupport
import Foundation
import Glibc

/// A fleet-sync of its own on a broker, with what the kernel says of it.
struct SyncProcess {
    let program: BuiltProgram
    /// Where its API is, e.g. `http://127.0.0.1:40123`.
    let url: String

    /// Starts it with its store in `folder` and waits until it listens to the broker. `store` are the lines below `store:`.
    static func start(brokerURL: String, folder: TemporaryFolder, store: String) async throws -> SyncProcess {
        let (ready, config) = (folder.path("ready"), folder.path("sync.yaml"))
        try? FileManager.default.removeItem(atPath: ready)
        try "store:\n\(store)\nmqtt:\n  url: \(brokerURL)\nhttp:\n  bind: 127.0.0.1:0\n"
            .write(toFile: config, atomically: true, encoding: .utf8)
        let program = try BuiltProgram("fleet-sync", ["run", "--config", config, "--ready-file", ready])
        let isUp = await eventually(timeout: 20) {
            FileManager.default.fileExists(atPath: ready) && program.standardError.contains("connected to")
        }
        guard isUp else { throw UserError(.unavailable, "fleet-sync does not start: \(program.standardError)") }
        let url = try String(contentsOfFile: ready, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        return SyncProcess(program: program, url: url.hasSuffix("/") ? String(url.dropLast()) : url)
    }

    /// Ends it.
    func stop() async {
        program.signal(SIGTERM)
        if await program.status(timeout: 10) == nil { program.signal(SIGKILL) }
    }
}

/// Processor time and memory of another process, from proc(5).
struct ProcessLoad {
    /// User and system time of all threads, in s.
    let processorS: Double
    /// Resident memory in KiB.
    let residentKiB: Int

    /// Of process `id`; nil when it is gone.
    init?(of id: Int32) {
        guard let stat = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8), let end = stat.lastIndex(of: ")") else {
            return nil
        }
        // Behind the name in brackets: state is field 3, utime 14, stime 15, rss 24.
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        guard fields.count > 21, let user = Double(fields[11]), let system = Double(fields[12]), let pages = Int(fields[21]) else {
            return nil
        }
        processorS = (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
        residentKiB = pages * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024
    }
}
