import FleetModel
import FleetStore
import FleetTestSupport
import Testing

@Suite("The queue of webhooks")
struct WebhookQueueTests {
    private let at = StoreFixture.at

    private func due(_ episodes: Int..., after seconds: Double = 0) -> [(alert: Alert, dueAt: Timestamp)] {
        episodes.map { (SampleAlerts.alert($0), at.advanced(bySeconds: seconds)) }
    }

    @Test("a new rule begins with what changes from now on, and keeps its place", arguments: Engine.present)
    func place(engine: Engine) async throws {
        let fixture = try StoreFixture(engine)
        for n in 1...3 { try await fixture.store(StoreFixture.arriving(SampleAlerts.alert(n))) }
        #expect(try await fixture.store.webhookCursor(of: "desk") == 3)
        _ = try await fixture.store.enqueue([], rule: "desk", upTo: 9, now: at)
        _ = try await fixture.store.enqueue([], rule: "desk", upTo: 7, now: at)
        #expect(try await fixture.store.webhookCursor(of: "desk") == 9)
        #expect(try await fixture.store.webhookCursor(of: "other") == 3)
    }

    @Test("an alert is queued once a rule, whatever number of revisions and instances bring it", arguments: Engine.present)
    func once(engine: Engine) async throws {
        let store = try StoreFixture(engine).store
        _ = try await store.webhookCursor(of: "desk")
        #expect(try await store.enqueue(due(1, 2), rule: "desk", upTo: 2, now: at) == 2)
        #expect(try await store.enqueue(due(2, 3), rule: "desk", upTo: 3, now: at) == 1)
        #expect(try await store.enqueue(due(1), rule: "other", upTo: 3, now: at) == 1)
        let list = try await store.webhookDeliveries(before: nil, limit: 2)
        #expect(list.deliveries.map(\.rule) == ["other", "desk"])
        #expect(try await store.webhookDeliveries(before: list.nextBefore, limit: 9).deliveries.count == 2)
    }

    @Test("what is due is taken by one, is due again when nothing is heard, and ends when it is settled", arguments: Engine.present)
    func claims(engine: Engine) async throws {
        let store = try StoreFixture(engine).store
        _ = try await store.webhookCursor(of: "desk")
        _ = try await store.enqueue(due(1, 2) + due(3, after: 3600), rule: "desk", upTo: 3, now: at)
        func claim(_ seconds: Double) async throws -> [AlertID] {
            try await store.claim(rule: "desk", now: at.advanced(bySeconds: seconds), leaseS: 60, limit: 10).map(\.alert)
        }
        #expect(Set(try await claim(0)) == [SampleAlerts.id(1), SampleAlerts.id(2)])
        #expect(try await claim(30).isEmpty)
        let again = try await store.claim(rule: "desk", now: at.advanced(bySeconds: 61), leaseS: 60, limit: 10)
        #expect(again.count == 2)
        var (sent, failed) = (again[0], again[1])
        (sent.state, sent.attempts, sent.status) = (.delivered, 1, 204)
        (failed.attempts, failed.detail, failed.dueAt) = (1, "no connection", at.advanced(bySeconds: 200))
        try await store.settle(sent)
        try await store.settle(failed)
        #expect(try await claim(150).isEmpty)
        #expect(try await claim(201) == [failed.alert])
        #expect(try await claim(3700).contains(SampleAlerts.id(3)))
        let list = try await store.webhookDeliveries(before: nil, limit: 10).deliveries
        #expect(list.first { $0.number == sent.number } == sent)
    }

    @Test("old deliveries go, those that wait stay", arguments: Engine.present)
    func retention(engine: Engine) async throws {
        let store = try StoreFixture(engine).store
        _ = try await store.webhookCursor(of: "desk")
        _ = try await store.enqueue(due(1, 2), rule: "desk", upTo: 2, now: at)
        var one = try #require(try await store.claim(rule: "desk", now: at, leaseS: 1, limit: 1).first)
        one.state = .failed
        try await store.settle(one)
        #expect(try await store.removeWebhookDeliveries(before: at.advanced(bySeconds: 1)) == 1)
        #expect(try await store.webhookDeliveries(before: nil, limit: 9).deliveries.map(\.state) == [.waiting])
    }
}
