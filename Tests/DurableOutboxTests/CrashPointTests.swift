import DurableOutbox
import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Testing

/// Every way in which the files can be cut off or damaged: the outbox opens, gives no number twice, hands over nothing that was not stored,
/// and saves what can be read. One after the other: opening blocks, and other tests wait for conditions by the clock.
@Suite(.serialized) struct CrashPointTests {
    static let count = 60
    let image: Image

    /// The files of an outbox at one moment, as a crash leaves them.
    struct Image: Sendable {
        var files: [String: Data]
        /// Alerts by number.
        var stored: [Int64: Alert]

        /// An outbox of 60 alerts whose log holds the last of them and whose database the rest; nothing was closed.
        static func make() async throws -> Image {
            let fixture = try OutboxFixture()
            var stored: [Int64: Alert] = [:]
            // Closing moves the log into the database.
            for part in [1...40, 41...60] {
                let outbox = try await reopened { try fixture.open() }
                for i in part {
                    let alert = SampleAlerts.alert(i, severity: Severity.allCases[i % 4])
                    guard case .stored(let seq) = await outbox.append(alert) else { throw Unstored() }
                    stored[seq] = alert
                    stored[seq]?.seq = seq
                }
                if part.upperBound == 60 {
                    var files: [String: Data] = [:]
                    for name in fixture.files where !name.hasSuffix(".lock") {
                        files[name] = try Data(contentsOf: fixture.folder.url.appending(path: name))
                    }
                    return Image(files: files, stored: stored)
                }
            }
            throw Unstored()
        }
    }

    struct Unstored: Error {}

    /// What opening a damaged image led to.
    struct Outcome {
        var waiting: Waiting
        var nextSeq: Int64
        var asideFiles: [String]
        /// After one more alert, a receipt for everything, and a restart.
        var leftAfterReceipts: Int

        /// Writes `files` into a folder of their own and opens them.
        init(_ files: [String: Data]) async throws {
            let fixture = try OutboxFixture()
            for (name, data) in files { try data.write(to: fixture.folder.url.appending(path: name)) }
            func wide(_ settings: inout OutboxSettings) {
                settings.window = 10_000
                settings.urgentWindow = 10_000
            }
            do {
                let outbox = try fixture.open(wide)
                guard case .stored(let seq) = await outbox.append(SampleAlerts.alert(1000)) else { throw Unstored() }
                nextSeq = seq
                let rows = await outbox.handOver(nowS: 0)
                waiting = try Waiting(rows)
                await outbox.settle(
                    ReceiptMessage(receipts: rows.map { Receipt(id: $0.id, revision: $0.revision, result: .stored) }))
            }
            asideFiles = fixture.files.filter { $0.contains(".corrupt-") }
            leftAfterReceipts = await (try await reopened { try fixture.open(wide) }).status().rows
        }
    }

    init() async throws { image = try await Image.make() }

    /// What holds whatever was done to the files.
    func check(_ outcome: Outcome, _ what: String, isNewFile: Bool = false) {
        let old = outcome.waiting.alerts.filter { $0.id != SampleAlerts.id(1000) }
        #expect(outcome.nextSeq > Int64(Self.count), "\(what): number \(outcome.nextSeq) was given before")
        for alert in old { #expect(image.stored[alert.seq] == alert, "\(what): \(alert.seq) is not what was stored") }
        #expect(Set(old.map(\.seq)).count == old.count, "\(what): a number came twice")
        #expect(outcome.waiting.told.isDisjoint(with: outcome.waiting.numbers), "\(what): a number is told as lost and is there")
        #expect(outcome.leftAfterReceipts == 0, "\(what): \(outcome.leftAfterReceipts) rows do not go")
        let lost = Set(image.stored.keys).subtracting(outcome.waiting.numbers)
        if !lost.isEmpty {
            #expect(lost.isSubset(of: outcome.waiting.told), "\(what): \(lost.sorted()) are lost and not told")
        }
    }

    @Test("The image opens as it is, with every alert")
    func sound() async throws {
        let outcome = try await Outcome(image.files)
        check(outcome, "the image")
        #expect(outcome.waiting.numbers == Set(1...61) && outcome.asideFiles.isEmpty && outcome.waiting.gaps.isEmpty)
    }

    @Test("D3 A log cut off anywhere, as a power cut leaves it: everything the log held is put back or told")
    func cutLog() async throws {
        let log = try #require(image.files["outbox.db-wal"])
        var (saved, rounds) = (0, 0)
        for length in stride(from: 0, through: log.count, by: max(1, log.count / 40)) {
            var files = image.files
            files["outbox.db-wal"] = log.prefix(length)
            let outcome = try await Outcome(files)
            check(outcome, "log of \(length) bytes")
            // The database held the first forty.
            #expect(outcome.waiting.numbers.isSuperset(of: 1...40))
            saved += outcome.waiting.numbers.count
            rounds += 1
        }
        // Half of the twenty in the log on average, and the new one.
        #expect(saved > 49 * rounds)
    }

    @Test("A log cut off without the exact number, as on another disk: no number comes twice within the block that was promised")
    func cutLogWithoutNumber() async throws {
        var files = image.files
        // The record of the last number was never synced.
        files["outbox.db.seq"]?.replaceSubrange(1024..., with: Data())
        let outcome = try await Outcome(files)
        check(outcome, "no last number")
        #expect(outcome.waiting.numbers == Set(1...61))
    }

    @Test("A log cut off while the record of the last number is spoilt as well: what was lost is told, no number comes twice")
    func cutLogWithSpoiltNumber() async throws {
        let log = try #require(image.files["outbox.db-wal"])
        for length in stride(from: 0, through: log.count, by: max(1, log.count / 10)) {
            var files = image.files
            files["outbox.db-wal"] = log.prefix(length)
            files["outbox.db.seq"]?.replaceSubrange(1030..<1034, with: Data("oops".utf8))
            check(try await Outcome(files), "log of \(length) bytes, spoilt number")
        }
    }

    @Test("A folder in the place of the log is moved aside, and the database opens with what it holds")
    func folderForLog() async throws {
        let fixture = try OutboxFixture()
        for (name, data) in image.files where !name.hasSuffix("-wal") {
            try data.write(to: fixture.folder.url.appending(path: name))
        }
        try FileManager.default.createDirectory(atPath: fixture.path + "-wal", withIntermediateDirectories: false)
        let outbox = try fixture.open()
        guard case .stored(let seq) = await outbox.append(SampleAlerts.alert(1000)) else { throw Unstored() }
        #expect(seq == Int64(Self.count) + 1)
        #expect(fixture.files.contains { $0.contains(".corrupt-") && $0.hasSuffix("-wal") })
    }

    @Test("A database cut off anywhere is moved aside, or loses nothing")
    func cutDatabase() async throws {
        let database = try #require(image.files["outbox.db"])
        for length in stride(from: 0, to: database.count, by: max(1, database.count / 40)) {
            var files = image.files
            files["outbox.db"] = database.prefix(length)
            let outcome = try await Outcome(files)
            check(outcome, "database of \(length) bytes")
            #expect(!outcome.asideFiles.isEmpty || outcome.waiting.numbers == Set(1...61), "database of \(length) bytes")
        }
    }

    @Test("Damage anywhere in database, log or index file: no altered alert is handed over, and most are saved", arguments: 1...3)
    func damage(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var saved = 0
        var rounds = 0
        for name in ["outbox.db", "outbox.db-wal", "outbox.db-shm"] {
            let whole = try #require(image.files[name])
            for kind in 0..<12 {
                var files = image.files
                var bytes = [UInt8](whole)
                let at = Int.random(in: 0..<bytes.count, using: &random)
                let length = min([1, 16, 512, 4096][kind % 4], bytes.count - at)
                for i in at..<at + length {
                    bytes[i] = kind % 3 == 0 ? 0 : kind % 3 == 1 ? 0xFF : UInt8.random(in: 0...255, using: &random)
                }
                files[name] = Data(bytes)
                let outcome = try await Outcome(files)
                check(outcome, "\(name), \(length) bytes at \(at), seed \(seed)")
                saved += outcome.waiting.numbers.count { $0 <= 60 }
                rounds += 1
            }
        }
        // One damaged page costs its three or four alerts; only the first pages and the inner ones cost more.
        #expect(saved > 50 * rounds, "\(saved) of \(60 * rounds) saved")
    }

    @Test("Any one byte of the database's first hundred or of the log's first eighty, turned over")
    func headers() async throws {
        for (name, count) in [("outbox.db", 100), ("outbox.db-wal", 80)] {
            for at in stride(from: 0, to: count, by: 5) {
                var files = image.files
                files[name]?[at] ^= 0xFF
                let outcome = try await Outcome(files)
                check(outcome, "byte \(at) of \(name)")
                #expect(outcome.waiting.numbers.count > 40, "byte \(at) of \(name)")
            }
        }
    }

    @Test("A checkpoint that was cut off: any mix of old and new pages with the whole log loses nothing", arguments: 1...10)
    func cutCheckpoint(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let fixture = try OutboxFixture()
        for (name, data) in image.files { try data.write(to: fixture.folder.url.appending(path: name)) }
        // Closing moves the log into the database: these are the new pages.
        _ = try fixture.open()
        let new = try Data(contentsOf: URL(filePath: fixture.path))
        let old = try #require(image.files["outbox.db"])
        var mixed = old + Data(count: max(0, new.count - old.count))
        for page in 0..<new.count / 4096 where Bool.random(using: &random) {
            mixed.replaceSubrange(page * 4096..<(page + 1) * 4096, with: new[page * 4096..<(page + 1) * 4096])
        }
        var files = image.files
        files["outbox.db"] = mixed
        let outcome = try await Outcome(files)
        check(outcome, "a cut checkpoint, seed \(seed)")
        #expect(outcome.waiting.numbers == Set(1...61) && outcome.asideFiles.isEmpty)
    }

    @Test(
        "Nonsense in place of the database: its number file and the log's bytes still count, and the broken files are kept by name")
    func nonsense() async throws {
        var files = image.files
        files["outbox.db"] = Data(repeating: 0x55, count: 20_000)
        let outcome = try await Outcome(files)
        check(outcome, "nonsense")
        #expect(outcome.asideFiles.contains { $0.hasPrefix("outbox.db.corrupt-") && !$0.hasSuffix("-wal") })
        // What the log held is found in its bytes.
        #expect(outcome.waiting.numbers.isSuperset(of: 41...60))
        #expect(outcome.waiting.gaps.allSatisfy { $0.reason == .corrupted })
    }

    @Test("Without database and number file the numbers go on where no count of alerts reaches, even with the clock at 1970")
    func everythingGone() async throws {
        for number in [nil, Data(repeating: 0x39, count: 1100)] {
            let fixture = try OutboxFixture()
            fixture.clock.setWallTime(Timestamp(secondsSinceEpoch: 100))
            try Data(repeating: 0x55, count: 20_000).write(to: URL(filePath: fixture.path))
            try number?.write(to: URL(filePath: fixture.path + ".seq"))
            let outbox = try fixture.open()
            guard case .stored(let seq) = await outbox.append(SampleAlerts.alert(1)) else { throw Unstored() }
            #expect(seq > 1_700_000_000)
        }
    }

    @Test("Of many broken files the newest three are kept")
    func keptBroken() async throws {
        let fixture = try OutboxFixture()
        for _ in 1...6 {
            try Data(repeating: 0x55, count: 20_000).write(to: URL(filePath: fixture.path))
            _ = try await reopened { try fixture.open() }
            fixture.clock.advance(bySeconds: 1)
        }
        #expect(fixture.files.filter { $0.contains(".corrupt-") }.count == 3)
    }

    @Test("Damage that is found while the outbox is in use is dealt with as at the start")
    func damageInUse() async throws {
        let fixture = try OutboxFixture()
        let outbox = try fixture.open { $0.window = 1000 }
        for i in 1...60 { _ = await outbox.append(SampleAlerts.alert(i)) }
        // What SQLite keeps of the file in memory hides the damage until it reads the page again; a second file does not.
        let handle = try FileHandle(forWritingTo: URL(filePath: fixture.path))
        try handle.truncate(atOffset: 0)
        try handle.close()
        let log = try FileHandle(forWritingTo: URL(filePath: fixture.path + "-wal"))
        try log.truncate(atOffset: 0)
        try log.close()
        guard case .stored(let seq) = await outbox.append(SampleAlerts.alert(100)) else { throw Unstored() }
        #expect(seq > 60)
        let waiting = try await Waiting(outbox)
        #expect(waiting.numbers.contains(seq) && waiting.told.isDisjoint(with: waiting.numbers))
    }
}

/// SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
