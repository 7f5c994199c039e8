import DurableOutbox
import FleetModel
import FleetTestSupport
import Foundation
import Glibc
import Synchronization
import Testing

/// A file system in memory of a few megabytes, mounted for one test.
final class SmallDisk: Sendable {
    let folder: TemporaryFolder

    /// Mounts one of `bytes`; nil where only root may, or not even root.
    init?(bytes: Int) throws {
        folder = try TemporaryFolder()
        guard mount("tmpfs", folder.url.path(), "tmpfs", 0, "size=\(bytes)") == 0 else { return nil }
    }

    deinit { umount2(folder.url.path(), Int32(MNT_DETACH)) }

    static let isPossible = geteuid() == 0 && (try? SmallDisk(bytes: 1 << 20)) != nil

    /// Takes all the room that is left.
    func fill() {
        let descriptor = open(folder.path("filler"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(descriptor) }
        for size in [65_536, 4096, 1] {
            let block = [UInt8](repeating: 1, count: size)
            while write(descriptor, block, size) == size {}
        }
    }

    /// Gives it back.
    func empty() { unlink(folder.path("filler")) }
}

@Suite struct FullDiskTests {
    /// Free bytes that a test sets.
    final class Free: Sendable {
        private let bytes = Mutex<Int64>(1 << 40)
        var value: Int64 {
            get { bytes.withLock { $0 } }
            set { bytes.withLock { $0 = newValue } }
        }
    }

    static let severities: [Severity] = [.info, .caution, .warning, .critical]

    @Test("D1 As the disk fills up, one severity after the other is refused, the least important first; each number is told once")
    func gradual() async throws {
        let (fixture, free) = (try OutboxFixture(), Free())
        let outbox = try fixture.open {
            $0.freeBytes = { _ in free.value }
            $0.diskReserveBytes = 1 << 20
            $0.window = 1000
        }
        var accepted: [Int: Set<Severity>] = [:]
        var episode = 0
        for megabytes in [50, 5, 4, 3, 2, 1, 0] {
            free.value = Int64(megabytes) << 20
            for severity in Self.severities {
                episode += 1
                if case .stored = await outbox.append(SampleAlerts.alert(episode, severity: severity)) {
                    accepted[megabytes, default: []].insert(severity)
                }
            }
        }
        #expect(accepted[50]?.count == 4 && accepted[5]?.count == 4)
        #expect(accepted[4] == [.caution, .warning, .critical] && accepted[3] == [.caution, .warning, .critical])
        #expect(accepted[2] == [.warning, .critical] && accepted[1] == [.warning, .critical])
        #expect(accepted[0] == [.critical])
        await #expect(throws: OutboxFailure.noRoom) {
            try await outbox.append(snapshot: PolicyTests.jpeg, of: SampleAlerts.id(1), takenAt: nil)
        }
        #expect(await outbox.status().isDiskTroubled)
        let waiting = try await Waiting(outbox)
        #expect(waiting.told.isDisjoint(with: waiting.numbers))
        #expect(waiting.told.union(waiting.numbers) == Set(1...28))
        #expect(waiting.gaps.allSatisfy { $0.reason == .diskFull })
        free.value = 50 << 20
        #expect(await !outbox.status().isDiskTroubled)
        #expect(await outbox.append(SampleAlerts.alert(100, severity: .info)) == .stored(seq: 29))
    }

    @Test(
        "D1, D4 A tmpfs of 2 MB that is full: critical alerts are stored to the end, lesser ones go for them, receipts are noted, and it recovers",
        .enabled(if: SmallDisk.isPossible, "needs to be root and to mount a tmpfs"))
    func full() async throws {
        let disk = try #require(try SmallDisk(bytes: 2 << 20))
        let path = disk.folder.path("outbox.db")
        func open() throws -> DurableOutbox {
            var settings = OutboxSettings(path: path, identity: SampleAlerts.identity)
            settings.window = 100_000
            return try DurableOutbox(settings: settings, clock: ManualClock())
        }
        var seqs: [Int: Int64] = [:]
        func keep(_ outbox: DurableOutbox, _ episodes: ClosedRange<Int>, _ severity: Severity) async -> Int {
            var stored = 0
            for i in episodes {
                guard case .stored(let seq) = await outbox.append(SampleAlerts.alert(i, phase: .end, severity: severity)) else {
                    continue
                }
                seqs[i] = seq
                stored += 1
            }
            return stored
        }
        do {
            let outbox = try open()
            #expect(await keep(outbox, 1...100, .warning) == 100)
            disk.fill()
            #expect(await keep(outbox, 101...110, .info) == 0)
            #expect(await outbox.status().isDiskTroubled)
            // The reserve takes some of them; after that the lesser ones make room, until nothing lesser is left.
            let stored = await keep(outbox, 1001...1500, .critical)
            #expect((100...499).contains(stored), "\(stored)")
            // A receipt is noted although nothing can be written but in the room that is there.
            let known = SampleAlerts.alert(1001, phase: .end, severity: .critical)
            #expect(await outbox.settle(SampleAlerts.receipt(known)) == (1, 0))
            // Nothing is sent twice for it.
            let first = await outbox.handOver(nowS: 0)
            #expect(Set(first.map(\.id)).count == first.count && !first.contains { $0.id == known.id })
            #expect(await outbox.handOver(nowS: 1).isEmpty)
        }
        // Opening works on the full disk too.
        let outbox = try await reopened(open)
        let waiting = try await Waiting(outbox)
        let missing = seqs.filter { $0.key > 1001 && !waiting.numbers.contains($0.value) }
        #expect(missing.isEmpty)
        #expect(waiting.alerts.allSatisfy { $0.severity == .critical }, "lesser ones were kept while a critical one was refused")
        #expect(waiting.told.isDisjoint(with: waiting.numbers))
        disk.empty()
        #expect(await keep(outbox, 2000...2000, .critical) == 1)
        #expect(await !outbox.status().isDiskTroubled)
        #expect(await keep(outbox, 2001...2001, .warning) == 1)
    }

    @Test(
        "D1 A receipt that cannot be noted for want of room is not answered by sending again, and counts once there is room",
        .enabled(if: SmallDisk.isPossible, "needs to be root and to mount a tmpfs"))
    func receiptOnFullDisk() async throws {
        let disk = try #require(try SmallDisk(bytes: 2 << 20))
        var settings = OutboxSettings(path: disk.folder.path("outbox.db"), identity: SampleAlerts.identity)
        // No reserve: the disk is full to the last byte.
        settings.diskReserveBytes = 0
        settings.window = 1000
        let outbox = try DurableOutbox(settings: settings, clock: ManualClock())
        for i in 1...300 { _ = await outbox.append(SampleAlerts.alert(i)) }
        #expect(await outbox.handOver(nowS: 0).count == 300)
        disk.fill()
        var delivered = 0
        for i in 1...300 { delivered += await outbox.settle(SampleAlerts.receipt(SampleAlerts.alert(i))).delivered }
        #expect(await outbox.status().rows == 300 - delivered)
        // A day later: nothing of it is sent again.
        #expect(await outbox.handOver(nowS: 86_400).isEmpty)
        disk.empty()
        _ = await outbox.status()
        #expect(await outbox.status().rows == 0)
        #expect(await !outbox.status().isDiskTroubled)
    }
}
