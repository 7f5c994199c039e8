import DurableOutbox
import FleetModel
import FleetTestSupport
import Foundation
import Glibc
import Testing

/// A process that stores alerts as fast as it can and is killed with SIGKILL at a random moment.
@Suite(.serialized) struct KillTests {
    @Test("D3 kill -9 at any moment: everything that `append` returned for is there, under its number", arguments: [1, 2, 3, 4, 5])
    func killed(seed: Int) async throws {
        let fixture = try OutboxFixture()
        let path = fixture.path
        // One run after the other on the same files: what one leaves behind the next begins with.
        var acknowledged: [Int64: AlertID] = [:]
        for run in 1...4 {
            let result = try await #require(processExitsWith: .signal(SIGKILL), observing: [\.standardOutputContent]) {
                [path = path as String, run = run as Int, seed = seed as Int] in
                try await KillTests.storeUntilKilled(path, first: run * 100_000, afterMs: UInt32(20 + (seed * 37 + run * 53) % 180))
            }
            let lines = String(decoding: result.standardOutputContent, as: UTF8.self).split(separator: "\n")
            for line in lines where line.hasPrefix("stored ") && line.hasSuffix(";") {
                let words = line.dropLast().split(separator: " ")
                let (seq, episode) = (try #require(Int64(words[1])), try #require(Int(words[2])))
                #expect(acknowledged.updateValue(SampleAlerts.id(episode), forKey: seq) == nil, "\(seq) was given twice")
            }
        }
        #expect(acknowledged.count > 20)
        let outbox = try fixture.open { $0.window = 1_000_000 }
        let waiting = try await Waiting(outbox)
        let found = Dictionary(waiting.alerts.map { ($0.seq, $0.id) }) { first, _ in first }
        for (seq, id) in acknowledged { #expect(found[seq] == id, "\(seq)") }
        #expect(found.count == waiting.alerts.count)
        #expect(waiting.gaps.isEmpty && !fixture.files.contains { $0.contains(".corrupt-") })
    }

    /// Stores batches of one to five alerts and says so after each, until a thread of its own kills the process.
    static func storeUntilKilled(_ path: String, first: Int, afterMs: UInt32) async throws {
        let outbox = try OutboxFixture.open(path)
        Thread.detachNewThread {
            usleep(afterMs * 1000)
            kill(getpid(), SIGKILL)
        }
        var episode = first
        while true {
            let batch = (1...1 + episode % 5).map { SampleAlerts.alert(episode + $0) }
            for (alert, result) in zip(batch, await outbox.append(batch)) {
                guard case .stored(let seq) = result else { continue }
                episode += 1
                precondition(alert.id == SampleAlerts.id(episode))
                let line = Array("stored \(seq) \(episode);\n".utf8)
                _ = write(1, line, line.count)
            }
        }
    }
}
