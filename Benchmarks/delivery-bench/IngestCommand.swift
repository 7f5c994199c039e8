import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation

/// `delivery-bench ingest`: what fleet-sync takes off a broker, stored and receipted, against what a bare C subscriber takes.
enum IngestCommand {
    static let command = Command(
        "ingest", "a bare C QoS 1 subscriber and fleet-sync take the same load from the same broker",
        discussion: """
            The two take turns, because a machine is never quite the same for long; the ratio is the median of the rounds' own ratios. The
            time runs from the first publication to the last message taken (bare) or to the last receipt that came back (fleet-sync).
            """,
        options: [
            .value("--messages", "N", "alerts a round, 100 to 1000000 (default 100000)"),
            .value("--vehicles", "N", "vehicles that they come from in turn, 1 to 100000 (default 100)"),
            .value("--rounds", "N", "1 to 100 (default 3)"),
            .value("--store", "ENGINE", "sqlite or postgres (default sqlite)", choices: ["sqlite", "postgres"]),
        ], run: run)

    /// Longest time of one round, in s.
    private static let timeoutS = 120.0

    private struct Round {
        let bareS, syncS: Double
        /// Processor time a message in µs, and the most memory in MiB.
        let bareMicroseconds, syncMicroseconds: Double
        let bareMiB, syncMiB: Double
    }

    private static func run(_ arguments: ParsedArguments) async throws {
        let messages = try arguments.integer("--messages", in: 100...1_000_000) ?? 100_000
        let vehicles = try arguments.integer("--vehicles", in: 1...100_000) ?? 100
        let rounds = try arguments.integer("--rounds", in: 1...100) ?? 3
        let broker = try await MosquittoBroker(settings: [
            "max_inflight_messages 100", "max_queued_messages 0", "set_tcp_nodelay true", "log_type error",
        ])
        let folder = try TemporaryFolder()
        let engine = arguments.value("--store") ?? "sqlite"
        let server = engine == "postgres" ? try startServer() : nil
        let store = try server.map { "  url: \(try $0.newDatabase())" } ?? "  path: \(folder.path("fleet.db"))"
        StandardStreams.print("messages a second, \(engine); \(messages) alerts of \(vehicles) vehicles a round")
        StandardStreams.print("round      bare C   fleet-sync    ratio   µs CPU bare   µs CPU sync   MiB bare   MiB sync")
        var done: [Round] = []
        for number in 1...rounds {
            let load = try AlertLoad(count: messages, vehicles: vehicles)
            let bare = try await takeBare(load, broker)
            let sync = try await takeSync(try AlertLoad(count: messages, vehicles: vehicles), broker, folder, store)
            let round = Round(
                bareS: bare.seconds, syncS: sync.seconds, bareMicroseconds: bare.processorS * 1e6 / Double(messages),
                syncMicroseconds: sync.processorS * 1e6 / Double(messages), bareMiB: bare.residentMiB, syncMiB: sync.residentMiB)
            done.append(round)
            StandardStreams.print(line(String(number), round, messages))
        }
        func median(_ value: (Round) -> Double) -> Double { done.map(value).sorted()[done.count / 2] }
        let ratio = median { $0.bareS / $0.syncS }
        StandardStreams.print(
            "median: bare C \(Int(Double(messages) / median(\.bareS))) a second, fleet-sync with receipts \(Int(Double(messages) / median(\.syncS))) a second, ratio \((ratio * 100).rounded(toPlaces: 1)) %"
        )
    }

    private static func startServer() throws -> PostgreSQLServer {
        guard PostgreSQLServer.isInstalled else { throw UserError(.unavailable, "--store postgres \(PostgreSQLServer.wanted)") }
        let server = try PostgreSQLServer(isSynced: true)
        try server.start()
        return server
    }

    private struct Taken {
        let seconds, processorS, residentMiB: Double
    }

    private static func takeBare(_ load: AlertLoad, _ broker: MosquittoBroker) async throws -> Taken {
        let subscriber = try BuiltProgram("bare-subscriber", [String(broker.port), "fleet/v1/+/+/alert", String(load.count)])
        guard await eventually(timeout: 10, { subscriber.standardOutput.contains("ready") }) else {
            throw UserError(.unavailable, "bare-subscriber does not start")
        }
        let seconds = try await load.publish(to: broker.url, timeoutS: timeoutS) {
            subscriber.standardOutput.split(separator: "\n").count > 1
        }
        let words = subscriber.standardOutput.split(whereSeparator: \.isWhitespace)
        guard let seconds, words.count == 3, let processorS = Double(words[1]), let memory = Double(words[2]) else {
            throw UserError(.unavailable, "bare-subscriber did not get all messages within \(Int(timeoutS)) s")
        }
        return Taken(seconds: seconds, processorS: processorS, residentMiB: memory / 1024)
    }

    private static func takeSync(_ load: AlertLoad, _ broker: MosquittoBroker, _ folder: TemporaryFolder, _ store: String)
        async throws -> Taken
    {
        let sync = try await SyncProcess.start(brokerURL: broker.url, folder: folder, store: store)
        let receipts = try await ReceiptCounter(url: broker.url)
        let before = ProcessLoad(of: sync.program.processID)
        let seconds = try await load.publish(to: broker.url, timeoutS: timeoutS) { receipts.count >= load.count }
        let after = ProcessLoad(of: sync.program.processID)
        await receipts.stop()
        await sync.stop()
        guard let seconds, let before, let after else {
            throw UserError(
                .unavailable, "fleet-sync receipted \(receipts.count) of \(load.count) alerts within \(Int(timeoutS)) s")
        }
        return Taken(
            seconds: seconds, processorS: after.processorS - before.processorS, residentMiB: Double(after.residentKiB) / 1024)
    }

    private static func line(_ name: String, _ round: Round, _ messages: Int) -> String {
        func column(_ value: Double, _ places: Int, _ width: Int) -> String {
            let text = places == 0 ? String(Int(value)) : String(value.rounded(toPlaces: places))
            return String(repeating: " ", count: max(0, width - text.count)) + text
        }
        return name + column(Double(messages) / round.bareS, 0, 16) + column(Double(messages) / round.syncS, 0, 13)
            + column(round.bareS / round.syncS, 2, 9) + column(round.bareMicroseconds, 1, 14)
            + column(round.syncMicroseconds, 1, 14)
            + column(round.bareMiB, 1, 11) + column(round.syncMiB, 1, 11)
    }
}
