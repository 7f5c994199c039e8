import FleetModel
import FleetRuntime
import Foundation
import Testing

@Suite("Configuration files")
struct ConfigurationTests {
    private enum Colour: String, CaseIterable { case red, green }

    private func root(_ text: String) throws -> ConfigurationSection {
        try ConfigurationDocument(text: Array(text.utf8), file: "a.yaml").root
    }

    private func message(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch let error as UserError {
            #expect(error.code == .configuration)
            return error.message
        } catch {
            return "not a UserError: \(error)"
        }
    }

    @Test("Typed values are read, and absent ones are nil")
    func reading() throws {
        let section = try root(
            """
            name: truck-17
            port: 8080
            ratio: 0.25
            isOn: true
            wait: 3 s
            limit: "50 km/h"
            room: 2 MiB
            colour: green
            list: [a, "b"]
            numbers: [1, 2.5]
            inner:
              key: value
            many:
              - key: one
              - key: two
            empty:
            """)
        #expect(try section.string("name") == "truck-17")
        #expect(try section.integer("port", in: 1...65535) == 8080)
        #expect(try section.number("ratio", in: 0...1) == 0.25)
        #expect(try section.bool("isOn") == true)
        #expect(try section.duration("wait", in: 0...10) == 3)
        #expect(try section.speed("limit", in: 0...100) == Speed(50, .kilometresPerHour))
        #expect(try section.byteCount("room", in: 1...10_000_000) == 2_097_152)
        #expect(try section.choice("colour", Colour.self) == .green)
        #expect(try section.strings("list") == ["a", "b"])
        #expect(try section.numbers("numbers", count: 2) == [1, 2.5])
        #expect(try section.section("inner").requiredString("key") == "value")
        #expect(try section.sections("many").map { try $0.requiredString("key") } == ["one", "two"])
        #expect(try section.section("empty").string("anything") == nil)
        #expect(try section.string("missing") == nil)
        #expect(try section.section("missing2").integer("x", in: 0...1) == nil)
        #expect(try section.sections("missing3").isEmpty)
        try section.finish()
    }

    @Test(
        "What only looks like a number, anchors and tabs are refused with their line",
        arguments: [
            ("a: 1\nratio: 0x10", 2), ("a: 1\nratio: +0.5", 2), ("a: 1\nratio: inf", 2), ("ratio: nan", 1), ("&k ratio: 0.5", 1),
            ("a:\n\tratio: 0.5", 2),
        ])
    func lookalikes(text: String, line: Int) throws {
        let said = message { _ = try root(text).number("ratio", in: 0...100) }
        #expect(said?.hasPrefix("a.yaml:\(line): ") == true, "\(said ?? "nothing")")
        if text.contains("\t") { #expect(said?.contains("tab") == true) }
    }

    @Test("Every refusal names file, line, key and what is allowed")
    func refusals() throws {
        let text = """
            speed: 50
            bareTime: 3
            port: 70000
            half: 8.5
            flag: yes
            colour: blue
            list: text
            quoted: "50"
            inner:
              deep: -1 s
            """
        let section = try root(text)
        let table: [(String?, String)] = [
            (
                message { _ = try section.speed("speed", in: 1...50) },
                "a.yaml:1: speed: is \"50\"; give a speed with its unit (km/h, mph, kn, m/s) from 4 to 180 km/h, e.g. \"50 km/h\""
            ),
            (
                message { _ = try section.duration("bareTime", in: 0.5...10) },
                "a.yaml:2: bareTime: is \"3\"; give a time with its unit (ms, s, min, h, d) from 0.5 s to 10 s, e.g. \"3 s\""
            ),
            (message { _ = try section.integer("port", in: 1...65535) }, "a.yaml:3: port: must be a whole number from 1 to 65535"),
            (message { _ = try section.integer("half", in: 1...9) }, "a.yaml:4: half: must be a whole number from 1 to 9"),
            (message { _ = try section.bool("flag") }, "a.yaml:5: flag: must be true or false"),
            (message { _ = try section.choice("colour", Colour.self) }, "a.yaml:6: colour: is \"blue\"; allowed are red, green"),
            (message { _ = try section.strings("list") }, "a.yaml:7: list: must be a list"),
            (message { _ = try section.sections("list") }, "a.yaml:7: list: must be a list"),
            (message { _ = try section.section("list") }, "a.yaml:7: list must be a mapping (key: value)"),
            (message { _ = try section.number("quoted", in: 0...100) }, "a.yaml:8: quoted: must be a number from 0 to 100"),
            (
                message { _ = try section.section("inner").duration("deep", in: 0...1) },
                "a.yaml:10: inner.deep: is \"-1 s\"; give a time with its unit (ms, s, min, h, d) from 0 s to 1 s, e.g. \"3 s\""
            ),
            (message { _ = try section.requiredString("gone") }, "a.yaml:1: gone is missing"),
            (message { _ = try section.string("inner") }, "a.yaml:9: inner: must be text"),
        ]
        for (found, expected) in table { #expect(found == expected) }
    }

    @Test("Keys that nobody asked for are refused, also in inner sections and lists")
    func unknownKeys() throws {
        func finish(_ text: String) -> String? {
            message {
                let document = try ConfigurationDocument(text: Array(text.utf8), file: "a.yaml")
                _ = try document.root.string("known")
                _ = try document.root.section("inner").string("key")
                for item in try document.root.sections("many") { _ = try item.string("key") }
                try document.finish()
            }
        }
        #expect(finish("known: 1\n") == nil)
        #expect(finish("known: 1\nKnown: 2\n") == "a.yaml:2: unknown key Known; allowed here are inner, known, many")
        #expect(finish("inner:\n  key: 1\n  kez: 2\n") == "a.yaml:3: unknown key inner.kez; allowed here are key")
        #expect(finish("many:\n- key: 1\n- kez: 2\n") == "a.yaml:3: unknown key many[1].kez; allowed here are key")
    }

    static let broken: [(text: String, message: String)] = [
        ("a: 1\na: 2\n", "a.yaml:2: a stands here twice"),
        ("a: &x 1\nb: *x\n", "a.yaml:1: anchors are not allowed here"),
        ("b: *x\n", "a.yaml:1: aliases are not allowed here"),
        ("a: &x [1]\n", "a.yaml:1: anchors are not allowed here"),
        ("a: &x {b: 1}\n", "a.yaml:1: anchors are not allowed here"),
        ("? [a, b]\n: 1\n", "a.yaml:1: a key must be text"),
        ("a: 1\n---\nb: 2\n", "a.yaml:2: a second YAML document; one is allowed"),
        ("- a\n- b\n", "a.yaml:1: the file must be a mapping (key: value)"),
        ("just text", "a.yaml:1: the file must be a mapping (key: value)"),
        ("a: [1, 2\n", "a.yaml:2: did not find expected"), ("a: \"x\n", "a.yaml:2: found unexpected end"),
        ("a:\n\tb: 1\n", "a.yaml:2: a tab; indent with blanks"),
        ("a: " + String(repeating: "[", count: 17), "a.yaml:1: nested deeper than 16 levels"),
        ("a: " + String(repeating: "[", count: 100_000), "a.yaml:1: nested deeper than 16 levels"),
    ]

    @Test("Broken YAML, and YAML that is meant to break something, is refused by line", arguments: broken.indices)
    func brokenYAML(index: Int) {
        let (text, expected) = Self.broken[index]
        let found = message { _ = try ConfigurationDocument(text: Array(text.utf8), file: "a.yaml") }
        #expect(found?.hasPrefix(expected) == true, "\(found ?? "accepted")")
    }

    @Test("Bytes that are not UTF-8 are refused with their line")
    func notText() {
        let found = message {
            _ = try ConfigurationDocument(text: Array("a: 1\nb: 2\nc: ".utf8) + [0xC3, 0x28, 0x0A], file: "a.yaml")
        }
        #expect(found?.hasPrefix("a.yaml:3: ") == true, "\(found ?? "accepted")")
    }

    @Test("An empty file and one of comments are empty mappings")
    func empty() throws {
        #expect(try root("").keys.isEmpty)
        #expect(try root("# nothing\n\n").keys.isEmpty)
        #expect(try root("---\n").keys.isEmpty)
        #expect(try root("a: 1\n").has("a"))
    }

    @Test("A file of a hundred thousand keys is read in seconds, not hours", .timeLimit(.minutes(1)))
    func manyKeys() throws {
        let text = (0..<100_000).map { "k\($0): 1\n" }.joined()
        #expect(try root(text).keys.count == 100_000)
    }

    @Test("A file that is missing, a folder or too large is told by name")
    func files() throws {
        let folder = try Folder()
        #expect(throws: UserError(.noInput, "\(folder.path("no.yaml")): No such file or directory")) {
            try ConfigurationDocument(path: folder.path("no.yaml"))
        }
        #expect(throws: UserError(.configuration, "\(folder.root): Is a directory")) {
            try ConfigurationDocument(path: folder.root)
        }
        try Data(count: (1 << 20) + 1).write(to: URL(filePath: folder.path("big.yaml")))
        #expect(throws: UserError(.configuration, "\(folder.path("big.yaml")): larger than 1048576 bytes")) {
            try ConfigurationDocument(path: folder.path("big.yaml"))
        }
    }

    @Test("A relative path refers to the folder of the file, whatever its name holds")
    func paths() throws {
        func path(_ value: String, in file: String) throws -> String? {
            try ConfigurationDocument(text: Array("p: \(value)\n".utf8), file: file).root.path("p")
        }
        #expect(try path("token", in: "/etc/fleet safety/ä.yaml") == "/etc/fleet safety/token")
        #expect(try path("x/token", in: "agent.yaml") == "x/token")
        #expect(try path("token", in: "config/agent.yaml") == "config/token")
        #expect(try path("/run/token", in: "config/agent.yaml") == "/run/token")
        #expect(try path("../a%20b", in: "/etc/a.yaml") == "/etc/../a%20b")
    }
}

/// A folder of a test's own.
private final class Folder {
    let root = FileManager.default.temporaryDirectory.appending(path: "fleet-runtime-\(UUID().uuidString)").path(
        percentEncoded: false)
    init() throws { try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: root) }
    func path(_ name: String) -> String { root + "/" + name }
}
