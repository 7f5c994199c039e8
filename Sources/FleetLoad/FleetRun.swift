import FleetModel
import FleetRuntime
import FoundationEssentials
import MQTTClient
import Synchronization

/// One run of a simulated fleet against a broker: paces heartbeats and episodes, puts faults in, waits for the receipts.
final class FleetRun: Sendable {
    private let settings: FleetSettings
    private let connections: FleetConnections
    private let book: Mutex<ReceiptBook>
    private let log = Log("fleet")

    init(_ settings: FleetSettings) throws {
        self.settings = settings
        connections = try FleetConnections(settings)
        book = Mutex(ReceiptBook(resendS: settings.resendS))
    }

    /// Runs to the end of the time, or until `shouldStop`, and returns what came of it.
    func run(shouldStop: @escaping @Sendable () -> Bool) async throws -> FleetReport {
        let report = Mutex(FleetReport(settings))
        try await connections.withConnections(receive: { message in
            self.book.withLock { $0.settle(message, nowS: MonotonicTime.now()) }
        }) {
            var traffic = FleetTraffic(self.settings, nowS: MonotonicTime.now(), wall: WallClock.now())
            var made = FleetReport(self.settings)
            made.startedS = MonotonicTime.now()
            self.sendAll(traffic.greetings(), &made)
            await self.produce(&traffic, &made, shouldStop)
            made.producedS = MonotonicTime.now() - made.startedS
            await self.drain(&made, shouldStop)
            self.sendAll(traffic.goodbyes(), &made)
            report.withLock { [made] in $0 = made }
        }
        var made = report.withLock { $0 }
        (made.receipts, made.latency, made.left) = book.withLock { ($0.counts, $0.latency, $0.left) }
        made.refused = connections.refused
        return made
    }

    private func produce(_ traffic: inout FleetTraffic, _ report: inout FleetReport, _ shouldStop: () -> Bool) async {
        let endS = report.startedS + settings.durationS
        while !shouldStop() {
            let nowS = MonotonicTime.now()
            report.lagS = max(report.lagS, traffic.lagS(at: nowS))
            while let sending = traffic.next(dueBy: min(nowS, endS), wall: WallClock.now()) { send(sending, &report) }
            sendOverdue(nowS, &report)
            guard nowS < endS else { return }
            try? await Task.sleep(for: .milliseconds(5))
        }
    }

    private func drain(_ report: inout FleetReport, _ shouldStop: () -> Bool) async {
        let endS = MonotonicTime.now() + settings.drainS
        while book.withLock({ $0.left }) > 0, MonotonicTime.now() < endS, !shouldStop() {
            sendOverdue(MonotonicTime.now(), &report)
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    private func sendOverdue(_ nowS: Double, _ report: inout FleetReport) {
        while let overdue = book.withLock({ $0.overdue(nowS: nowS) }) {
            if !connections.publish(overdue.message, on: overdue.connection) { report.unsent += 1 }
        }
    }

    private func sendAll(_ sendings: [FleetTraffic.Sending], _ report: inout FleetReport) {
        for sending in sendings { send(sending, &report) }
    }

    private func send(_ sending: FleetTraffic.Sending, _ report: inout FleetReport) {
        report.sent[sending.content, default: 0] += 1
        let connection = sending.vehicle % connections.count
        if let key = sending.key, let expectation = sending.content.expectation {
            // Before it goes out: its receipt may be here before the next line.
            book.withLock {
                $0.expect(
                    key, expectation, sending.message, connection: connection, nowS: MonotonicTime.now(),
                    isTimed: sending.copies == 1 && !sending.isDelayed)
            }
        }
        for _ in 0..<sending.copies where !connections.publish(sending.message, on: connection) { report.unsent += 1 }
        if sending.copies == 2 { report.duplicated += 1 }
        if sending.copies == 0 { report.dropped += 1 }
        if sending.isDelayed { report.reordered += 1 }
    }
}
