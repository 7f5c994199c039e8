import FleetModel
import FleetRuntime
import FleetStore
import FleetTestSupport
import Foundation
import HTTPServer
import SharedStore
import Synchronization
import Testing

@testable import SyncCore

/// A receiver that keeps what it is sent and answers as it is told.
private final class Receiver: Sendable {
    private struct State {
        var messages: [HTTPRequest] = []
        var statuses: [Int] = []
    }

    private let state = Mutex(State())
    private let box = Mutex<HTTPServer?>(nil)

    /// Answers `statuses` in turn, then 204.
    func start(_ statuses: [Int] = []) throws -> Int {
        state.withLock { $0.statuses = statuses }
        let server = HTTPServer(settings: HTTPServer.Settings()) { [self] request in
            HTTPResponse(
                status: state.withLock { state in
                    state.messages.append(request)
                    return state.statuses.isEmpty ? 204 : state.statuses.removeFirst()
                })
        }
        box.withLock { $0 = server }
        return try server.start()
    }

    func stop() async { await box.withLock { $0 }?.stop() }

    var messages: [HTTPRequest] { state.withLock { $0.messages } }
    var ids: [String] { messages.map { $0.headers["webhook-id"] ?? "" } }
}

@Suite("Telling others")
struct WebhookLoopTests {
    private static let secret = "a-secret-of-more-than-24-bytes"
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try Data(Self.secret.utf8).write(to: folder.url.appending(path: "secret"))
        chmod(folder.path("secret"), 0o600)
    }

    enum Engine: String, CaseIterable { case sqlite, postgresql }
    static var engines: [Engine] { PostgreSQLServer.isInstalled ? Engine.allCases : [.sqlite] }

    private func makeStore(_ engine: Engine) throws -> any AlertStore {
        switch engine {
        case .sqlite: try SQLiteStore(path: folder.path("fleet.db"))
        case .postgresql: try PostgreSQLStore(url: PostgreSQLServer.shared().newDatabase(), password: nil)
        }
    }

    private func rule(_ port: Int, _ more: String = "") throws -> WebhookRule {
        let text = """
            store: {path: x.db}
            mqtt: {url: 'mqtt://localhost'}
            webhooks: [{name: desk, url: 'http://127.0.0.1:\(port)/in?x=1', secretFile: secret\(more)}]
            """
        let document = try ConfigurationDocument(text: Array(text.utf8), file: folder.path("sync.yaml"))
        return try #require(try SyncConfiguration(document: document).webhooks.first)
    }

    private func take(_ store: any AlertStore, _ alerts: Alert...) async throws {
        _ = try await store.store(alerts.map { .alert($0, payload: try WireCodec.encode($0), receivedAt: $0.at) })
    }

    /// Lets a loop look once for each step of `body`.
    private func withLoop(
        _ rule: WebhookRule, _ store: any AlertStore, _ clock: any FleetClock,
        _ body: (AsyncStream<Void>.Continuation) async throws -> Void
    ) async throws {
        let (wakes, wake) = AsyncStream.makeStream(of: Void.self)
        let loop = WebhookLoop(rule: rule, store: store, clock: clock, counters: WebhookCounters())
        let running = Task { await loop.run(wakes: wakes) }
        try await body(wake)
        wake.finish()
        await running.value
    }

    @Test("an alert is told once, signed, whatever number of revisions follow, over a restart too", arguments: engines)
    func once(engine: Engine) async throws {
        let store = try makeStore(engine)
        let receiver = Receiver()
        let rule = try rule(receiver.start())
        let clock = ManualClock()
        try await take(store, SampleAlerts.alert(1))
        try await withLoop(rule, store, clock) { wake in
            wake.yield()
            // From now on: what was there before is no news.
            _ = try await store.webhookCursor(of: "desk")
            try await take(store, SampleAlerts.alert(2, severity: .caution))
            try await take(store, SampleAlerts.alert(2, revision: 2, phase: .update), SampleAlerts.alert(3))
            wake.yield()
            #expect(await eventually { receiver.messages.count == 2 })
        }
        try await withLoop(rule, store, clock) { wake in
            try await take(store, SampleAlerts.alert(2, revision: 3, phase: .end), SampleAlerts.alert(4))
            wake.yield()
            #expect(await eventually { receiver.messages.count == 3 })
            wake.yield()
        }
        #expect(Set(receiver.ids) == Set([2, 3, 4].map { "desk.demo.truck-17.\(SampleAlerts.id($0))" }))
        #expect(receiver.ids.count == 3)
        let message = try #require(receiver.messages.first)
        #expect(message.path == "/in")
        #expect(message.queryValue("x") == "1")
        let stamp = try #require(message.headers["webhook-timestamp"])
        let code = MessageCode.hmacSHA256(
            key: Array(Self.secret.utf8), message: Data("\(message.headers["webhook-id"] ?? "").\(stamp).".utf8) + message.body)
        #expect(message.headers["webhook-signature"] == "v1," + Data(code).base64EncodedString())
        let body = try #require(try JSONSerialization.jsonObject(with: message.body) as? [String: Any])
        #expect(body["type"] as? String == "alert")
        #expect((body["data"] as? [String: Any])?["vehicle"] as? String == "truck-17")
        #expect(try await store.webhookDeliveries(before: nil, limit: 9).deliveries.allSatisfy { $0.state == .delivered })
        await receiver.stop()
    }

    @Test("what is not taken is sent again later under the same id, and given up after 410")
    func retries() async throws {
        let store = try makeStore(.sqlite)
        let receiver = Receiver()
        let rule = try rule(receiver.start([500, 503, 204, 410]))
        let clock = ManualClock()
        _ = try await store.webhookCursor(of: "desk")
        try await take(store, SampleAlerts.alert(1))
        try await withLoop(rule, store, clock) { wake in
            for count in 1...3 {
                wake.yield()
                #expect(await eventually { receiver.messages.count == count })
                // Not before its time.
                let isNoted = try await eventually {
                    try await store.webhookDeliveries(before: nil, limit: 1).deliveries.first?.attempts == count
                }
                #expect(isNoted)
                wake.yield()
                clock.advance(bySeconds: 30)
            }
            #expect(Set(receiver.ids).count == 1)
            try await take(store, SampleAlerts.alert(2))
            wake.yield()
            let isGivenUp = try await eventually {
                try await store.webhookDeliveries(before: nil, limit: 9).deliveries.map(\.state) == [.failed, .delivered]
            }
            #expect(isGivenUp)
        }
        let failed = try #require(try await store.webhookDeliveries(before: nil, limit: 1).deliveries.first)
        #expect(failed.status == 410)
        #expect(failed.detail.contains("410"))
        await receiver.stop()
    }

    @Test("two services on one store tell it once", .enabled(if: PostgreSQLServer.isInstalled, "needs PostgreSQL"))
    func twoInstances() async throws {
        let url = try PostgreSQLServer.shared().newDatabase()
        let stores = try (0..<2).map { _ in try PostgreSQLStore(url: url, password: nil) }
        let receiver = Receiver()
        let rule = try rule(receiver.start())
        _ = try await stores[0].webhookCursor(of: "desk")
        let alerts = (0..<40).map { SampleAlerts.alert($0) }
        _ = try await stores[0].store(
            alerts.map { .alert($0, payload: try WireCodec.encode($0), receivedAt: $0.at) })
        let clock = ManualClock()
        try await withLoop(rule, stores[0], clock) { first in
            try await withLoop(rule, stores[1], clock) { second in
                for wake in [first, second] { wake.yield() }
                #expect(await eventually { receiver.messages.count >= 40 })
            }
        }
        #expect(receiver.ids.count == 40)
        #expect(Set(receiver.ids).count == 40)
        await receiver.stop()
    }

    @Test("in quiet hours nothing is sent; when they end everything is")
    func quietHours() async throws {
        let store = try makeStore(.sqlite)
        let receiver = Receiver()
        let rule = try rule(receiver.start(), ", quietHours: '22:00-06:00', timeZone: UTC")
        let night = try #require(Timestamp("2026-03-01T23:00:00Z"))
        let clock = ManualClock(wall: night)
        _ = try await store.webhookCursor(of: "desk")
        try await take(store, SampleAlerts.alert(1, at: night))
        try await withLoop(rule, store, clock) { wake in
            wake.yield()
            let isQueued = try await eventually { try await store.webhookDeliveries(before: nil, limit: 9).deliveries.count == 1 }
            #expect(isQueued)
            wake.yield()
            #expect(receiver.messages.isEmpty)
            clock.advance(bySeconds: 7 * 3600)
            wake.yield()
            #expect(await eventually { receiver.messages.count == 1 })
        }
        await receiver.stop()
    }
}
