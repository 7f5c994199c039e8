import AgentCore
import DurableOutbox
import FleetLoad
import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation

/// `delivery-bench latency`: from raising an alert in a vehicle, outbox and all, to its appearance in the API's event stream.
enum LatencyCommand {
    static let command = Command(
        "latency", "from an alert raised in a vehicle to its appearance in the API",
        options: [
            .value("--alerts", "N", "alerts raised one by one, 1 to 100000 (default 300)"),
            .value("--rate", "R", "alerts a second, 0.1 to 1000 (default 20)"),
            .value("--backlog", "N", "alerts that wait when the vehicle comes back, 0 to 150000 (default 10000)"),
            .value("--criticals", "N", "critical alerts raised behind the backlog, 1 to 1000 (default 20)"),
        ], run: run)

    private static func run(_ arguments: ParsedArguments) async throws {
        let alerts = try arguments.integer("--alerts", in: 1...100_000) ?? 300
        let rate = try arguments.number("--rate", in: 0.1...1000) ?? 20
        let backlog = try arguments.integer("--backlog", in: 0...150_000) ?? 10_000
        let criticals = try arguments.integer("--criticals", in: 1...1000) ?? 20
        let broker = try await MosquittoBroker(settings: [
            "max_inflight_messages 100", "max_queued_messages 100000", "log_type error",
        ])
        let folder = try TemporaryFolder()
        let sync = try await SyncProcess.start(brokerURL: broker.url, folder: folder, store: "  path: \(folder.path("fleet.db"))")
        let reader = try await StreamReader(url: sync.url)
        let live = try LatencyVehicle(name: "live", broker: broker.url, folder: folder)
        let first = try await live.delivering {
            await measure(live, reader, count: alerts, pauseS: 1 / rate, severity: .warning)
        }
        StandardStreams.print("live, \(alerts) alerts, \(rate) a second, raised to visible: \(first.words)")
        let late = try LatencyVehicle(name: "late", broker: broker.url, folder: folder)
        await late.append(backlog)
        let second = try await late.delivering {
            let times = await measure(late, reader, count: criticals, pauseS: 0.05, severity: .critical)
            let waiting = await late.waiting
            let startedS = MonotonicTime.now()
            _ = await eventually(timeout: 300) { await late.waiting == 0 }
            return (times, waiting, MonotonicTime.now() - startedS)
        }
        StandardStreams.print(
            "fresh critical behind a backlog of \(backlog), raised to visible: \(second.0.words); then \(second.1) waited, delivered in \((second.2).rounded(toPlaces: 1)) s"
        )
        reader.stop()
        await sync.stop()
    }

    /// Raises `count` alerts and waits until the reader has seen them all.
    private static func measure(
        _ vehicle: LatencyVehicle, _ reader: StreamReader, count: Int, pauseS: Double, severity: Severity
    ) async -> LatencyHistogram {
        var raised: [(id: AlertID, atS: Double)] = []
        for _ in 0..<count {
            let atS = MonotonicTime.now()
            raised.append((await vehicle.raise(severity), atS))
            try? await Task.sleep(for: .seconds(pauseS))
        }
        _ = await eventually(timeout: 120) { raised.allSatisfy { reader.seenS($0.id) != nil } }
        var times = LatencyHistogram()
        // What was never seen took longer than anyone would wait.
        for (id, atS) in raised { times.add((reader.seenS(id) ?? .greatestFiniteMagnitude) - atS) }
        return times
    }
}

extension LatencyHistogram {
    fileprivate var words: String {
        func ms(_ share: Double) -> String { percentile(share).map { "\(($0 * 1000).rounded(toPlaces: 1)) ms" } ?? "-" }
        return "p50 \(ms(0.5)), p90 \(ms(0.9)), p99 \(ms(0.99)), longest \((maximumS * 1000).rounded(toPlaces: 1)) ms"
    }
}
