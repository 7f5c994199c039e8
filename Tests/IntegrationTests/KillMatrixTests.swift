import FleetTestSupport
import Foundation
import Testing

/// A short run of the kill matrix; `make chaos` is the long one.
@Suite struct KillMatrixTests {
    @Test(
        "Q1 Q2 Q3 Q19 D1 D3 kill matrix: of 300 alerts, with every part killed, cut off and out of disk, none is lost, doubled or left",
        .timeLimit(.minutes(5)))
    func sqlite() async throws { try await run("sqlite", kills: 10) }

    @Test(
        "the same with two fleet-sync on one PostgreSQL, which is killed as well",
        .timeLimit(.minutes(5)), .enabled(if: PostgreSQLServer.isInstalled, "\(PostgreSQLServer.wanted)"))
    func postgres() async throws { try await run("postgres", kills: 8) }

    private func run(_ store: String, kills: Int) async throws {
        let matrix = try BuiltProgram(
            "fleet-chaos",
            [
                "matrix", "--seed", "1", "--alerts", "300", "--kills", String(kills), "--gap", "1.5", "--drain", "120", "--store",
                store,
            ])
        let status = await matrix.status(timeout: 240)
        #expect(status == 0, "\(matrix.standardOutput)\n\(matrix.standardError)")
        let last = try #require(matrix.standardOutput.split(separator: "\n").last)
        let numbers = try #require(try /alerts (\d+) lost 0 duplicated 0 left 0/.wholeMatch(in: last), "\(last)")
        #expect(Int(numbers.1) ?? 0 >= 300)
    }
}
