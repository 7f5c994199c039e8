import FleetModel
import FleetRuntime
import FleetStore
import FleetTestSupport
import Foundation
import Testing

@testable import fleet_chaos

@Suite struct VerdictTests {
    /// Three rows of one vehicle, as numbered by its outbox.
    let alerts: [Alert] = (1...3).map { number in
        var alert = SampleAlerts.alert(number)
        alert.seq = Int64(number)
        return alert
    }

    var journal: [Journal.Row] {
        alerts.map { Journal.Row(id: $0.id, revision: $0.revision, seq: $0.seq, digest: Journal.digest($0)) }
    }

    func verdict(_ stored: [Alert], holes: [VehicleRecord.MissingRange] = []) -> Verdict {
        var verdict = Verdict()
        verdict.judge(SampleAlerts.identity, journal, stored: stored, holes: holes)
        return verdict
    }

    @Test func `what was written and is stored once is neither lost nor duplicated`() {
        #expect(verdict(alerts).line == "alerts 3 lost 0 duplicated 0 left 0")
        #expect(verdict(alerts).isGood)
    }

    @Test func `a row that is not in the store is lost`() {
        #expect(verdict(Array(alerts.dropFirst())).line == "alerts 3 lost 1 duplicated 0 left 0")
    }

    @Test func `a row that is in the store with another content is lost`() {
        var changed = alerts
        changed[1].speedMps = 3
        #expect(verdict(changed).line == "alerts 3 lost 1 duplicated 0 left 0")
    }

    @Test func `a row that is in the store twice is duplicated`() {
        #expect(verdict(alerts + [alerts[0]]).line == "alerts 3 lost 0 duplicated 1 left 0")
    }

    @Test func `a sequence number that two rows have is duplicated`() {
        var stranger = SampleAlerts.alert(9)
        stranger.seq = 2
        #expect(verdict(alerts + [stranger]).line == "alerts 3 lost 0 duplicated 1 left 0")
    }

    @Test func `a number that no journal confirmed and that is nowhere is lost, a stored one without confirmation is counted`() {
        var unconfirmed = SampleAlerts.alert(9)
        unconfirmed.seq = 6
        let found = verdict(alerts + [unconfirmed], holes: [.init(fromSeq: 4, toSeq: 5)])
        #expect(found.line == "alerts 4 lost 2 duplicated 0 left 0")
    }

    @Test func `a picture that is missing, or another one than was confirmed, is lost`() async throws {
        let temporary = try TemporaryFolder()
        let path = temporary.path("journal")
        let journal = try Journal(path: path)
        let folder = SnapshotFolder(path: temporary.path("pictures"))
        for (number, alert) in alerts.enumerated() {
            let jpeg = Data("picture \(number)".utf8)
            try journal.stored(picture: SHA256.hexadecimal(SHA256.digest(of: jpeg)), of: alert.id)
            if number != 1 {
                let stored = number == 2 ? Data("another".utf8) : jpeg
                try await folder.put(stored, of: alert.id, by: SampleAlerts.identity, hasAlert: true)
            }
        }
        try journal.refused()
        let written = Journal.read(path: path)
        #expect(written.refused == 1)
        var verdict = Verdict()
        await verdict.judge(SampleAlerts.identity, written.pictures, in: folder)
        #expect(verdict.pictures == 3)
        #expect(verdict.line == "alerts 0 lost 2 duplicated 0 left 0")
        #expect(!verdict.isGood)
    }
}
