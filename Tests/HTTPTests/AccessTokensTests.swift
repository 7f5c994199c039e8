import FleetModel
import FleetRuntime
import Foundation
import HTTPServer
import Testing

@Suite("Access tokens at rest")
struct AccessTokensTests {
    // printf abc | sha256sum
    private static let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    @Test("a line is a name, the SHA-256 of the token, perhaps a time and a role; without one it lets its holder look")
    func lines() throws {
        let text =
            "# tokens\n\ndesk \(Self.abc) 2026-03-01T08:15:02.120Z\n  script\t\(Self.abc.uppercased())  \r\nboss \(Self.abc) admin"
        let tokens = try AccessTokens(text: text, file: "tokens")
        #expect(tokens.entries.map(\.name) == ["desk", "script", "boss"])
        #expect(tokens.entries.map(\.role) == [.viewer, .viewer, .admin])
        #expect(tokens.entries[0].digest == SHA256.digest(of: Data("abc".utf8)))
        #expect(tokens.entries[1].digest == tokens.entries[0].digest)
        #expect(tokens.entries[0].line == "desk \(Self.abc) 2026-03-01T08:15:02.120Z viewer")
        #expect(tokens.entries[2].line == "boss \(Self.abc) admin")
    }

    @Test(
        "anything else is refused with its line, and never repeated: it may be a token",
        arguments: [
            "5ca1ab1e5ca1ab1e", "desk 5ca1ab1e", "desk \(abc) yesterday", "desk \(abc) 2026-03-01T08:15:02Z x",
            "desk \(abc) admin 2026-03-01T08:15:02Z", "desk \(abc) root", "a/b \(abc)",
            "desk \(abc.dropLast())g", "desk \(abc)\ndesk \(abc)", "\(String(repeating: "n", count: 65)) \(abc)",
        ])
    func refused(text: String) throws {
        let line = text.contains("\n") ? 2 : 1
        let error = #expect(throws: UserError.self) { try AccessTokens(text: text, file: "tokens") }
        #expect(error?.message.hasPrefix("tokens:\(line): ") == true)
        #expect(error?.message.contains("5ca1ab1e") == false)
        #expect(error?.message.contains(Self.abc) == false)
    }

    @Test("a new token is 256 bits in hexadecimal, never twice the same, and found by nothing but its digest")
    func making() {
        var tokens = AccessTokens([])
        let made = (0..<100).map { _ in AccessTokens.make() }
        #expect(Set(made).count == 100)
        #expect(made.allSatisfy { $0.count == 64 && $0.allSatisfy(\.isHexDigit) })
        let added = [tokens.add(made[0], name: "desk", createdAt: nil), tokens.add(made[1], name: "desk", createdAt: nil)]
        #expect(added == [true, false])
        #expect(!tokens.entries[0].line.contains(made[0]))
        let removed = [tokens.remove("desk"), tokens.remove("desk")]
        #expect(removed == [true, false])
    }
}
