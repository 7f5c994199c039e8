import FleetTestSupport
import Foundation
import HTTPClient

/// A broker and a fleet-sync of its own for one test.
struct FleetServer {
    /// What did not work, in the words of the program.
    struct Failure: Error { let description: String }

    let broker: MosquittoBroker
    let sync: BuiltProgram
    let folder: TemporaryFolder
    private let url: String

    /// Starts both and waits until fleet-sync listens. `store` are further lines below `store:`.
    init(store: [String] = []) async throws {
        folder = try TemporaryFolder()
        broker = try await MosquittoBroker(settings: ["max_inflight_messages 100", "max_queued_messages 100000", "log_type error"])
        let (ready, config) = (folder.path("ready"), folder.path("sync.yaml"))
        let lines = ["path: \(folder.path("fleet.db"))"] + store
        try "store:\n\(lines.map { "  \($0)\n" }.joined())mqtt:\n  url: \(broker.url)\nhttp:\n  bind: 127.0.0.1:0\n"
            .write(toFile: config, atomically: true, encoding: .utf8)
        let sync = try BuiltProgram("fleet-sync", ["run", "--config", config, "--ready-file", ready])
        self.sync = sync
        let isUp = await eventually(timeout: 20) {
            FileManager.default.fileExists(atPath: ready) && sync.standardError.contains("connected to")
        }
        guard isUp else { throw Failure(description: "fleet-sync does not start: \(sync.standardError)") }
        url = try String(contentsOfFile: ready, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The numbers on fleet-sync's metrics page.
    func metrics() async throws -> [String: Int] {
        let client = HTTPClient(server: try ServerAddress(url.hasSuffix("/") ? String(url.dropLast()) : url))
        let page = String(decoding: try await client.get("/metrics", accept: "text/plain"), as: UTF8.self)
        return page.split(separator: "\n").filter { !$0.hasPrefix("#") }.reduce(into: [:]) { numbers, line in
            let words = line.split(separator: " ")
            if words.count == 2 { numbers[String(words[0])] = Int(words[1]) }
        }
    }

    /// Resident memory of fleet-sync in KiB.
    func residentKiB() -> Int? {
        let status = try? String(contentsOfFile: "/proc/\(sync.processID)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line.flatMap { Int($0.split(whereSeparator: \.isWhitespace)[1]) }
    }

    /// Runs `fleet-sim fleet` to its end and returns its report.
    func simulate(_ arguments: [String], timeout: Double) async throws -> FleetSimReport {
        let simulation = try BuiltProgram(
            "fleet-sim", ["fleet", "--broker", broker.url, "--json", "--log-level", "warning"] + arguments)
        let status = await simulation.status(timeout: timeout)
        guard status == 0 else {
            throw Failure(
                description:
                    "fleet-sim ended with \(String(describing: status)): \(simulation.standardOutput) \(simulation.standardError)")
        }
        return try JSONDecoder().decode(FleetSimReport.self, from: Data(simulation.standardOutput.utf8))
    }
}

/// What `fleet-sim fleet --json` prints, as far as tests look at it.
struct FleetSimReport: Decodable {
    struct Alerts: Decodable { let sent, receipted, stored, duplicate, rejected, resent: Int }
    struct Malformed: Decodable { let sent, rejected, accepted: Int }
    struct Receipt: Decodable { let count: Int, p50, p99, max: Double? }
    let heartbeats, left, unsent: Int
    let lagS: Double
    let alerts: Alerts
    let malformed: Malformed
    let receiptS: Receipt
}
