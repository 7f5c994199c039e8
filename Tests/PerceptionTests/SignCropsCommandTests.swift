import FleetTestSupport
import Foundation
import Imaging
import Testing

@Suite("fleet-agent detect --sign-crops")
struct SignCropsCommandTests {
    private func run(_ arguments: [String]) async throws -> (status: Int32?, lines: [[String: Any]], errors: String) {
        let program = try BuiltProgram("fleet-agent", ["detect", "--sign-crops"] + arguments)
        let status = await program.status()
        let lines = try program.standardOutput.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        return (status, lines, program.standardError)
    }

    @Test("One line an image in the order given, with both lists, the sign's box the whole crop")
    func lines() async throws {
        let folder = try TemporaryFolder()
        try SignCanvas.round("50", side: 60).write(path: folder.path("limit.png"))
        try SignCanvas.round("5.5t", side: 40, capHeight: 0.22).write(path: folder.path("weight.png"))
        let (status, lines, errors) = try await run(["--json", folder.path("limit.png"), folder.path("weight.png")])
        #expect(status == 0, "\(errors)")
        #expect(lines.map { $0["image"] as? String } == [folder.path("limit.png"), folder.path("weight.png")])
        let limit = try #require(lines.first)
        #expect(limit["width"] as? Int == 60 && limit["height"] as? Int == 60 && (limit["objects"] as? [Any])?.isEmpty == true)
        let signs = try #require(limit["signs"] as? [[String: Any]])
        #expect(signs.count == 1)
        let sign = try #require(signs.first)
        #expect(sign["kind"] as? String == "speed_limit" && sign["value"] as? Int == 50 && sign["unit"] as? String == "km/h")
        #expect(sign["box"] as? [Int] == [0, 0, 60, 60] && (sign["score"] as? Double).map { (0.5...1).contains($0) } == true)
        let others = try #require(lines.last?["signs"] as? [[String: Any]])
        #expect(others.allSatisfy { $0["kind"] as? String != "speed_limit" })
    }

    @Test("A higher lowest score silences, and the list stays")
    func minimumScore() async throws {
        let folder = try TemporaryFolder()
        // Half of a sign: nothing is sure here.
        let sign = try SignCanvas.round("50", side: 60)
        try sign.cropped(x: 26, y: 0, width: 34, height: 60).write(path: folder.path("half.png"))
        let (status, lines, _) = try await run(["--json", "--min-score", "0.99", folder.path("half.png")])
        #expect(status == 0 && lines.count == 1)
        let signs = try #require(lines.first?["signs"] as? [[String: Any]])
        #expect(signs.allSatisfy { ($0["score"] as? Double ?? 0) >= 0.99 && $0["kind"] as? String != "speed_limit" })
    }

    @Test("A missing picture ends with 66, a broken one with 65, each with its path")
    func badFiles() async throws {
        let folder = try TemporaryFolder()
        let missing = try await run(["--json", folder.path("none.png")])
        #expect(missing.status == 66 && missing.errors.contains(folder.path("none.png")) && missing.lines.isEmpty)
        try Data("no picture".utf8).write(to: folder.url.appending(path: "bad.png"))
        let broken = try await run(["--json", folder.path("bad.png")])
        #expect(broken.status == 65 && broken.errors.contains(folder.path("bad.png")))
    }
}
