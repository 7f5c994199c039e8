import FleetModel
import FleetRuntime
import FleetTestSupport
import Foundation
import SimCore
import Testing

@Suite struct DriveWriterTests {
    private func settings(_ folder: String, seed: UInt64 = 7) -> DriveSettings {
        var settings = DriveSettings(scenario: .leadBrakes, seed: seed, folder: folder)
        (settings.width, settings.height, settings.durationS) = (320, 180, 0.5)
        return settings
    }

    private func content(_ folder: String, _ name: String) throws -> Data {
        try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
    }

    @Test func `the same seed writes the same telemetry, truth and frame times byte for byte`() throws {
        let folder = try TemporaryFolder()
        let (a, b) = (folder.path("a"), folder.path("b"))
        try DriveWriter(settings(a)).write { _ in }
        try DriveWriter(settings(b)).write { _ in }
        for name in ["session.json", "telemetry.jsonl", "truth.jsonl", "frames.csv"] {
            #expect(try content(a, name) == content(b, name), "\(name) differs")
        }
    }

    @Test func `every frame has its line of truth, and every line reads back`() throws {
        let folder = try TemporaryFolder()
        try DriveWriter(settings(folder.path("a"))).write { _ in }
        let lines = try content(folder.path("a"), "truth.jsonl").split(separator: UInt8(ascii: "\n"))
        #expect(lines.count == 10)
        for (number, line) in lines.enumerated() {
            let truth = try WireCodec.decode(TruthLine.self, from: Data(line))
            #expect(truth.frame == number)
            #expect(abs(truth.t - Double(number) / 20) < 1e-9)
            // 40 to 80 km/h, held at first, and half the speedometer in metres to the lead.
            #expect((11.1...22.3).contains(truth.egoSpeedMps))
            let lead = try #require(truth.objects.first { $0.inPath })
            #expect((1.5...1.9).contains(lead.distanceM / truth.egoSpeedMps))
            #expect(lead.ttcS == nil)
        }
    }

    @Test func `a folder that is not empty is refused by name, and with force only the session in it is replaced`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a")
        try DriveWriter(settings(path)).write { _ in }
        try Data("mine".utf8).write(to: URL(filePath: path + "/notes.txt"))
        let error = #expect(throws: UserError.self) { try DriveWriter(settings(path)).write { _ in } }
        #expect(error?.code == .ioError)
        #expect(error?.message.contains(path) == true)
        var replacing = settings(path, seed: 8)
        replacing.replaces = true
        let before = try content(path, "telemetry.jsonl")
        try DriveWriter(replacing).write { _ in }
        #expect(try content(path, "telemetry.jsonl") != before)
        #expect(try content(path, "notes.txt") == Data("mine".utf8))
    }

    @Test func `a folder that cannot be made is an input-output error that names it`() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(filePath: folder.path("file")))
        let path = folder.path("file") + "/session"
        let error = #expect(throws: UserError.self) { try DriveWriter(settings(path)).write { _ in } }
        #expect(error?.code == .ioError)
        #expect(error?.message.contains(path) == true)
    }

    @Test(
        "a wrong command line ends with status 64",
        arguments: [
            [], ["--scenario", "moon", "--out", "x"], ["--scenario", "cruise"],
            ["--scenario", "cruise", "--out", "x", "--fps", "0"],
            ["--scenario", "cruise", "--out", "x", "--width", "641"], ["--scenario", "cruise", "--out", "x", "--seed", "-1"],
        ])
    func badArguments(arguments: [String]) async {
        #expect(await SimProgram.program.run(["drive"] + arguments) == ExitCode.usage.rawValue)
    }
}
