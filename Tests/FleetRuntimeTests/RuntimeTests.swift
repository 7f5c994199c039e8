import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import Testing

@Suite("Quantities")
struct QuantityTests {
    @Test("Spans of time need their unit")
    func seconds() {
        let table: [(String, Double?)] = [
            ("3 s", 3), ("250 ms", 0.25), ("10 min", 600), ("5m", 300), ("24h", 86_400), ("7d", 604_800), ("0 s", 0),
            ("1.5 s", 1.5), ("3", nil),
            ("", nil), ("s", nil), ("-3 s", nil), ("3 S", nil), ("3 weeks", nil), ("1.2.3 s", nil), ("1e3 s", nil), ("٣ s", nil),
            ("inf s", nil),
            ("3 s ", nil), ("3  s", 3), (" 3 s", nil), (String(repeating: "9", count: 400) + " s", nil),
        ]
        for (text, expected) in table { #expect(Quantity.seconds(text) == expected, "\(text)") }
    }

    @Test("S1 speeds need their unit")
    func speeds() {
        let table: [(String, Speed?)] = [
            ("50 km/h", Speed(50, .kilometresPerHour)), ("60mph", Speed(60, .milesPerHour)), ("20 kn", Speed(20, .knots)),
            ("5.5 m/s", Speed(5.5, .metresPerSecond)), ("50", nil), ("50 kmh", nil), ("-50 km/h", nil), ("km/h", nil),
            ("50 KM/H", nil),
        ]
        for (text, expected) in table { #expect(Quantity.speed(text) == expected, "\(text)") }
    }

    @Test("Sizes need their unit")
    func bytes() {
        let table: [(String, Int64?)] = [
            ("512 B", 512), ("64 KiB", 65_536), ("1.5 MiB", 1_572_864), ("2 GiB", 2_147_483_648), ("64", nil), ("64 KB", nil),
            ("-1 B", nil),
            ("99999999999999 GiB", nil),
        ]
        for (text, expected) in table { #expect(Quantity.bytes(text) == expected, "\(text)") }
    }
}

@Suite("Small parts of the runtime")
struct RuntimeTests {
    @Test("SHA-256 gives the digests of FIPS 180-4's examples")
    func sha256() throws {
        let known = [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ]
        for (text, digest) in known { #expect(SHA256.hexadecimal(SHA256.digest(of: Array(text.utf8))) == digest) }
        var pieces = SHA256()
        for _ in 0..<1000 { pieces.update(Array(repeating: UInt8(ascii: "a"), count: 1000)) }
        #expect(SHA256.hexadecimal(pieces.finish()) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
        let folder = try TemporaryFolder()
        try Data(repeating: UInt8(ascii: "a"), count: 1_000_000).write(to: URL(filePath: folder.path("a")))
        #expect(try SHA256.hexadecimal(SHA256.digest(ofFile: folder.path("a"))).hasPrefix("cdc76e5c"))
        #expect(throws: UserError.self) { try SHA256.digest(ofFile: folder.path("none")) }
    }

    @Test("What came from outside cannot steer a terminal")
    func printable() {
        #expect("plain ä 🚚".printable == "plain ä 🚚")
        #expect("a\u{1B}[31mb\r\n\tc\u{7F}\u{9B}d".printable == "a?[31mb???c??d")
        #expect("a\u{202E}b\u{2066}c\u{200E}d\u{FEFF}e\u{2028}f\u{0}".printable == "a?b?c?d?e?f?")
    }

    @Test("Waits double up to their bound, half of each at random, and begin again after a reset")
    func backoff() {
        var backoff = Backoff(minimumS: 1, maximumS: 10)
        for _ in 0..<2 {
            for bound in [1.0, 2, 4, 8, 10, 10] { #expect((bound / 2...bound).contains(backoff.next())) }
            backoff.reset()
        }
        for _ in 0..<100_000 { _ = backoff.next() }
        let late = (0..<100).map { _ in backoff.next() }
        #expect(late.allSatisfy { (5...10).contains($0) })
        #expect(Set(late).count > 90, "a fleet must not come back in one wave")
        var zero = Backoff(minimumS: 0, maximumS: 0)
        #expect(zero.next() == 0)
    }

    @Test("Paths are split and joined as text")
    func paths() {
        let folders = [("/a/b", "/a"), ("/b", "/"), ("b", "."), ("a/b/", "a"), ("/", "/"), ("//b", "/"), ("a b/c%20", "a b")]
        for (path, folder) in folders { #expect(FilePath.folder(of: path) == folder, "\(path)") }
        #expect(FilePath.name(of: "/a/b/") == "b")
        #expect(FilePath.name(of: "b") == "b")
        #expect(FilePath.resolve("c", from: "/a") == "/a/c")
        #expect(FilePath.resolve("c", from: "/") == "/c")
        #expect(FilePath.resolve("c", from: ".") == "c")
        #expect(FilePath.resolve("/c", from: "/a") == "/c")
    }

    @Test("The program's folder is that of its executable, and a build's checkout is found")
    func installation() {
        #expect(FileManager.default.fileExists(atPath: InstallationFolder.executableFolder))
        #expect(!BuildResources.folders(target: "X").contains { $0.contains("%") || $0.contains("//") })
        #expect(BuildResources.folders(target: "X").allSatisfy { $0.hasSuffix("/fleet-safety_X.resources") })
    }

    @Test("A secret is the first line of its file, and one that everybody can read is refused")
    func secrets() throws {
        let folder = try TemporaryFolder()
        let file = folder.path("token")
        try Data("s3cret\r\nmore\n".utf8).write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        #expect(try SecretFile.read(file) == "s3cret")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        #expect(throws: UserError(.configuration, "\(file): everybody can read it; chmod o= \(file)")) {
            try SecretFile.read(file)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o660], ofItemAtPath: file)
        #expect(throws: UserError(.configuration, "\(file): others than its owner can change it; chmod go-w \(file)")) {
            try SecretFile.read(file)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
        #expect(try SecretFile.read(file) == "s3cret")
        #expect(throws: UserError(.configuration, "\(folder.path("")): is no ordinary file")) {
            try SecretFile.read(folder.path(""))
        }
        try Data("\n".utf8).write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        #expect(throws: UserError.self) { try SecretFile.read(file) }
        #expect(throws: UserError(.noInput, "\(folder.path("none")): No such file or directory")) {
            try SecretFile.read(folder.path("none"))
        }
    }

    @Test("What is trusted may be read by everybody and changed by its owner alone")
    func trusted() throws {
        let folder = try TemporaryFolder()
        let file = folder.path("ca.pem")
        try Data("x".utf8).write(to: URL(filePath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        try SecretFile.checkUnchangeable(file)
        for mode in [0o664, 0o646] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
            #expect(throws: UserError.self) { try SecretFile.checkUnchangeable(file) }
        }
    }

    @Test("Files are read in pieces and refused beyond their limit")
    func filePieces() throws {
        let folder = try TemporaryFolder()
        let bytes = Data((0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try bytes.write(to: URL(filePath: folder.path("f")))
        var sizes: [Int] = []
        var all = Data()
        try FilePieces.forEach(of: folder.path("f")) { piece in
            sizes.append(piece.count)
            all.append(piece)
        }
        #expect(all == bytes)
        #expect(sizes.allSatisfy { $0 <= 1 << 20 })
        #expect(try FilePieces.contents(of: folder.path("f"), limit: 2_500_000) == bytes)
        #expect(throws: UserError.self) { try FilePieces.contents(of: folder.path("f"), limit: 2_499_999) }
    }

    @Test("The clocks move, and the boot has a UUID")
    func clocks() {
        let (wall, steady) = (WallClock.now(), MonotonicTime.now())
        #expect(wall > Timestamp("2020-01-01T00:00:00Z")!)
        #expect(MonotonicTime.now() >= steady)
        #expect(AlertID(BootID.current()) != nil)
        #expect(BootID.current() == BootID.current())
        let clock = ManualClock()
        clock.advance(bySeconds: 2.5)
        #expect(clock.monotonicS() == 1002.5)
    }

    @Test("A signal is an event that a service waits for", .timeLimit(.minutes(1)))
    func stopSignals() async {
        let signals = StopSignals()
        #expect(!signals.isRaised)
        kill(getpid(), SIGTERM)
        #expect(await signals.wait() == SIGTERM)
        #expect(signals.isRaised)
        // Writing to a pipe that nobody reads is an error, not the end of the process.
        let pipe = Pipe()
        try? pipe.fileHandleForReading.close()
        #expect(write(pipe.fileHandleForWriting.fileDescriptor, "x", 1) == -1 && errno == EPIPE)
    }

    @Test("Log levels rise from debug to error")
    func logLevels() { #expect(LogLevel.allCases.sorted() == [.debug, .info, .warning, .error]) }
}
