import FleetTestSupport
import Foundation
import Glibc
import Testing

/// `fleet-sim fleet` against a real broker and a real fleet-sync.
@Suite struct FleetSimTests {
    static let isLong = ProcessInfo.processInfo.environment["FLEET_LONG_TESTS"] != nil

    @Test("Q19 a fleet that doubles, holds back and drops messages is stored exactly once, every malformed message is quarantined")
    func faults() async throws {
        let server = try await FleetServer()
        let report = try await server.simulate(
            [
                "--vehicles", "200", "--rate", "100", "--duration", "8", "--heartbeat", "2", "--resend", "2",
                "--faults", "duplicate=0.1,reorder=0.2,drop=0.05,malformed=0.5",
            ], timeout: 90)
        #expect(report.left == 0 && report.alerts.rejected == 0 && report.malformed.accepted == 0)
        #expect(report.alerts.sent > 200 && report.alerts.receipted == report.alerts.sent)
        #expect(report.alerts.resent > 0)
        let numbers = try await server.metrics()
        #expect(numbers["fleet_alert_revisions"] == report.alerts.sent)
        #expect(numbers["fleet_vehicles"] == 200)
        #expect(try await eventually { try await server.metrics()["fleet_ingest_quarantined_total"] == report.malformed.sent })
        #expect(numbers["fleet_ingest_conflicts_total"] == 0)
    }

    @Test("20,000 malformed MQTT messages: no crash, each quarantined, fleet-sync takes good ones as before")
    func malformed() async throws { try await fuzz(messages: 20_000) }

    @Test("100,000 malformed MQTT messages, and no growth", .enabled(if: isLong, "long; make test-long"))
    func manyMalformed() async throws { try await fuzz(messages: 100_000) }

    /// 50 malformed messages for every alert.
    private func fuzz(messages: Int) async throws {
        let server = try await FleetServer(store: ["quarantineBytes: \"1 GiB\""])
        let arguments = ["--vehicles", "50", "--heartbeat", "0", "--rate", "40", "--faults", "malformed=50", "--drain", "300"]
        // The first round fills buffers and caches.
        var sent = try await server.simulate(arguments + ["--duration", "3"], timeout: 330).malformed.sent
        let before = try #require(server.residentKiB())
        var seed = 2
        while sent < messages {
            let report = try await server.simulate(arguments + ["--duration", "20", "--seed", String(seed)], timeout: 360)
            #expect(report.left == 0 && report.malformed.accepted == 0)
            #expect(report.alerts.receipted == report.alerts.sent)
            sent += report.malformed.sent
            seed += 1
        }
        #expect(try await eventually(timeout: 60) { try await server.metrics()["fleet_ingest_quarantined_total"] == sent })
        #expect(try await server.metrics()["fleet_quarantine_rows"] == sent)
        let after = try #require(server.residentKiB())
        // The store's writer fills its cache of 24 MiB by and by; the rest is noise of the allocator.
        #expect(after < before + 24_576 + 20_480, "\(before) KiB before, \(after) KiB after \(sent) malformed messages")
    }

    /// Minutes of the long run; `FLEET_SOAK_MINUTES` shortens it.
    static let soakMinutes = Double(ProcessInfo.processInfo.environment["FLEET_SOAK_MINUTES"] ?? "") ?? 30

    @Test("fleet-sync's memory is flat over half an hour of a busy fleet", .enabled(if: isLong, "long; make test-long"))
    func soak() async throws {
        let server = try await FleetServer()
        let seconds = Int(Self.soakMinutes * 60)
        async let simulated = server.simulate(
            [
                "--vehicles", "2000", "--rate", "100", "--duration", String(seconds), "--faults",
                "duplicate=0.02,reorder=0.05,malformed=0.05",
            ],
            timeout: Double(seconds) + 120)
        var samples: [Int] = []
        let began = ContinuousClock.now
        while ContinuousClock.now - began < .seconds(seconds) {
            try await Task.sleep(for: .seconds(min(5, Double(seconds) / 60)))
            if let now = server.residentKiB() { samples.append(now) }
        }
        let report = try await simulated
        #expect(report.left == 0)
        // The first third fills SQLite's cache and the allocator's arenas; from then on nothing may grow.
        let third = samples.count / 3
        func median(_ part: ArraySlice<Int>) -> Int { part.sorted()[part.count / 2] }
        let (middle, last) = (median(samples[third..<2 * third]), median(samples[(2 * third)...]))
        print(
            "memory of fleet-sync over \(seconds) s: \(samples.first ?? 0) KiB at first, median \(middle) KiB in the middle, \(last) KiB at the end"
        )
        #expect(last <= middle + max(2048, middle / 20), "\(samples)")
    }
}
