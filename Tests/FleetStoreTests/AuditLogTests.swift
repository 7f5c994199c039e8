import FleetModel
import FleetStore
import FleetTestSupport
import Testing

@Suite("The audit log")
struct AuditLogTests {
    private func entry(_ n: Int) -> AuditEntry {
        AuditEntry(
            at: StoreFixture.at.advanced(bySeconds: Double(n)), name: "ann", role: "admin", client: "10.0.0.7", action: "export",
            detail: "number \(n)")
    }

    @Test("entries come back as they were noted, the newest first, page by page", arguments: Engine.present)
    func pages(engine: Engine) async throws {
        let store = try StoreFixture(engine).store
        #expect(try await store.auditEntries(before: nil, limit: 10) == AuditList(entries: [], nextBefore: nil))
        for n in 1...5 { try await store.record(entry(n)) }
        let first = try await store.auditEntries(before: nil, limit: 3)
        #expect(first.entries.map(\.detail) == ["number 5", "number 4", "number 3"])
        var expected = entry(5)
        expected.number = first.entries[0].number
        #expect(first.entries[0] == expected)
        let second = try await store.auditEntries(before: first.nextBefore, limit: 3)
        #expect(second.entries.map(\.detail) == ["number 2", "number 1"])
        #expect(second.nextBefore == nil)
    }

    @Test("what is older than the policy says goes, nothing else", arguments: Engine.present)
    func retention(engine: Engine) async throws {
        let store = try StoreFixture(engine).store
        for n in 1...5 { try await store.record(entry(n)) }
        #expect(try await store.removeAuditEntries(before: StoreFixture.at.advanced(bySeconds: 4)) == 3)
        #expect(try await store.auditEntries(before: nil, limit: 10).entries.map(\.detail) == ["number 5", "number 4"])
    }
}
