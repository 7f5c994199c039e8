import FleetModel
import FleetRuntime
import FleetStore
import FleetTestSupport
import Foundation
import Glibc
import Testing

@testable import SyncCore

@Suite("Rules of webhooks")
struct WebhookRuleTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try write("secret", "whsec_" + Data((0..<32).map { UInt8($0) }).base64EncodedString())
        try write("url", "https://hooks.example.org/services/T000/XYZ?sig=abc")
    }

    private func write(_ name: String, _ text: String, mode: mode_t = 0o600) throws {
        try Data(text.utf8).write(to: folder.url.appending(path: name))
        chmod(folder.path(name), mode)
    }

    private func rules(_ lines: String) throws -> [WebhookRule] {
        let text = "store: {path: x.db}\nmqtt: {url: 'mqtt://localhost'}\n" + lines
        return try SyncConfiguration(document: ConfigurationDocument(text: Array(text.utf8), file: folder.path("sync.yaml")))
            .webhooks
    }

    private func rule(_ more: String = "", groups: String = "") throws -> WebhookRule {
        try #require(
            try rules("\(groups)\nwebhooks: [{name: desk, url: 'https://h.example/x', secretFile: secret\(more)}]").first)
    }

    private func stored(_ alert: Alert, late: Bool = false) -> StoredAlert {
        StoredAlert(alert: alert, receivedAt: alert.at, late: late, cursor: 1)
    }

    @Test(
        "severity, kind, group, lateness and origin decide",
        arguments: [
            ("", true), (", severity: critical", false), (", severity: info", true), (", kinds: [collision]", false),
            (", kinds: [collision, overspeed]", true), (", groups: [trucks]", true), (", groups: [buses]", false),
            (", groups: [buses, trucks]", true),
        ])
    func wants(more: String, isWanted: Bool) throws {
        let rule = try rule(more, groups: "groups: {trucks: [demo/truck-*], buses: [demo/bus-1, other/*]}")
        #expect(rule.wants(stored(SampleAlerts.alert(1))) == isWanted)
    }

    @Test("late alerts are told only on request, replays never")
    func lateAndReplay() throws {
        #expect(try !rule().wants(stored(SampleAlerts.alert(1), late: true)))
        #expect(try rule(", late: true").wants(stored(SampleAlerts.alert(1), late: true)))
        var replay = SampleAlerts.alert(1)
        replay.origin = .replay
        #expect(try !rule(", late: true").wants(stored(replay)))
    }

    @Test(
        "quiet hours over midnight, by the clock on the wall, also where it is put forward",
        arguments: [
            // Berlin is UTC+1 in winter; summer time began on 2026-03-29 at 01:00 UTC.
            ("2026-01-10T20:59:59Z", "2026-01-10T20:59:59Z"), ("2026-01-10T21:00:00Z", "2026-01-11T05:00:00Z"),
            ("2026-01-11T04:59:59Z", "2026-01-11T05:00:00Z"), ("2026-01-11T05:00:00Z", "2026-01-11T05:00:00Z"),
            ("2026-03-28T22:30:00Z", "2026-03-29T04:00:00Z"),
        ])
    func quiet(now: String, told: String) throws {
        let rule = try rule(", quietHours: '22:00-06:00', timeZone: Europe/Berlin, quietExcept: critical")
        let now = try #require(Timestamp(now))
        #expect(rule.dueAt(SampleAlerts.alert(1), now: now) == Timestamp(told))
        #expect(rule.dueAt(SampleAlerts.alert(1, severity: .critical), now: now) == now)
    }

    @Test(
        "patterns of groups",
        arguments: [
            ("demo/*", "demo/truck-17", true), ("demo/truck-*", "demo/bus-1", false), ("*/truck-17", "x/truck-17", true),
            ("*", "demo/truck-17", false), ("demo/*-*7", "demo/truck-17", true), ("demo/truck-17", "demo/truck-171", false),
            ("d*/t*7", "demo/truck-17", true), ("*/*", "a/b", true),
        ])
    func patterns(pattern: String, name: String, matches: Bool) {
        #expect(VehicleGroups.matches(Array(pattern.utf8)[...], Array(name.utf8)[...]) == matches)
    }

    @Test(
        "what is wrong is told with its line, and no secret with it",
        arguments: [
            ("webhooks: [{name: desk, secretFile: secret}]", "either url or urlFile"),
            ("webhooks: [{name: desk, url: 'ftp://h', secretFile: secret}]", "http"),
            ("webhooks: [{name: desk, url: 'https://u:p@h/x', secretFile: secret}]", "must not hold a name or password"),
            ("webhooks: [{name: desk, url: 'https://h/x'}]", "secretFile"),
            ("webhooks: [{name: desk, url: 'https://h/x', secretFile: short}]", "shorter than"),
            ("webhooks: [{name: desk, url: 'https://h/x', secretFile: open}]", "everybody can read it"),
            ("webhooks: [{name: desk, url: 'https://h/x', secretFile: secret, groups: [x]}]", "x is no group"),
            ("webhooks: [{name: desk, url: 'https://h/x', secretFile: secret, kinds: [flying]}]", "allowed are"),
            ("webhooks: [{name: desk, url: 'https://h/x', secretFile: secret, quietHours: '22-6'}]", "22:00-06:00"),
            (
                "webhooks: [{name: desk, url: 'https://h/x', secretFile: secret, quietHours: '22:00-06:00', timeZone: Mars/X}]",
                "Mars/X"
            ),
            ("webhooks: [{name: desk, url: 'https://h/x', secretFile: secret, colour: red}]", "unknown key"),
            ("groups: {a: [demo]}", "no vehicle"), ("groups: {a: []}", "must be a list"),
        ])
    func wrong(lines: String, expected: String) throws {
        try write("short", "abc")
        try write("open", "whsec_" + Data(repeating: 7, count: 32).base64EncodedString(), mode: 0o644)
        do {
            _ = try rules(lines)
            Issue.record("was taken")
        } catch let error as UserError {
            #expect(error.message.contains(expected), "\(error.message)")
            #expect(!error.message.contains("u:p@"))
        }
    }

    @Test("a URL that is a secret comes from a file and keeps its path and query")
    func urlFile() throws {
        let rule = try #require(try rules("webhooks: [{name: desk, urlFile: url, secretFile: secret}]").first)
        #expect(rule.address.server.description == "https://hooks.example.org")
        #expect(rule.address.target == "/services/T000/XYZ?sig=abc")
    }

    @Test("messages are signed after Standard Webhooks: the example of its specification")
    func signature() throws {
        // github.com/standard-webhooks/standard-webhooks, the vector that its libraries test with.
        let signer = try WebhookSigner(secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", file: "x")
        let headers = signer.headers(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: Timestamp(secondsSinceEpoch: 1_614_265_330),
            body: Data(#"{"test": 2432232314}"#.utf8))
        #expect(
            headers.map(\.value) == [
                "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
            ])
    }

    @Test("pauses grow from seconds to hours, about a day in all")
    func pauses() {
        let pauses = (1..<WebhookLoop.attempts).map { _ in 0.0 }
        let sums = (0..<50).map { _ in (1...pauses.count).reduce(0) { $0 + WebhookLoop.pauseS(after: $1) } }
        #expect(sums.allSatisfy { (16.0 * 3600...36.0 * 3600).contains($0) })
        #expect((4...6).contains(WebhookLoop.pauseS(after: 1)))
        #expect(WebhookLoop.pauseS(after: 400) <= 21_600 * 1.2)
    }
}
