import FleetModel
import FleetStore
import FleetTestSupport
import Foundation
import HTTPServer
import Testing

@testable import SyncCore

@Suite("Reviews, vehicles and tracks over the API")
struct ReviewsAPITests {
    private static let path = "/api/v1/alerts/\(SampleAlerts.id(1))/reviews"

    private func post(_ fixture: APIFixture, _ body: String, headers: [String: String] = ["content-type": "application/json"]) async
        -> HTTPResponse
    {
        await fixture.get(Self.path, method: "POST", headers: headers, body: body)
    }

    @Test("a review is stored, shown with the alert and counted")
    func review() async throws {
        let fixture = try APIFixture()
        try await fixture.fill(SampleAlerts.alert(1))
        let answer = await post(fixture, #"{"state":"false_alarm","note":"  A bridge\nabove ","name":"Kim"}"#)
        #expect(answer.status == 201)
        #expect(try APIFixture.json(answer)["note"] as? String == "A bridge\nabove")
        let shown = try APIFixture.json(await fixture.get("/api/v1/alerts/\(SampleAlerts.id(1))"))
        let reviews = try #require(shown["reviews"] as? [[String: Any]])
        #expect(reviews.map { $0["state"] as? String } == ["false_alarm"])
        #expect(reviews[0]["at"] as? String == "2026-03-01T08:00:00.000Z")
        #expect((shown["alert"] as? [String: Any])?["review"] as? String == "false_alarm")
        let stats = try APIFixture.json(await fixture.get("/api/v1/stats", [("by", "kind"), ("since", "2026-01-01T00:00:00Z")]))
        #expect((stats["rows"] as? [[String: Any]])?.first?["falseAlarm"] as? Int == 1)
    }

    @Test(
        "a review that cannot be meant is refused in words",
        arguments: [
            (#"{"state":"guilty"}"#, 400), ("{}", 400), ("nonsense", 400), (#"{"state":"confirmed","note":7}"#, 400),
            (#"{"state":"confirmed","note":"\#(String(repeating: "x", count: 2001))"}"#, 400),
            (#"{"state":"confirmed","name":"\#(String(repeating: "x", count: 101))"}"#, 400),
            (#"{"state":"confirmed","name":"a\u0007b"}"#, 400),
        ])
    func refused(body: String, status: Int) async throws {
        let fixture = try APIFixture()
        try await fixture.fill(SampleAlerts.alert(1))
        let answer = await post(fixture, body)
        #expect(answer.status == status)
        #expect(try APIFixture.json(answer)["detail"] as? String != nil)
        #expect(try await fixture.store.reviews(of: SampleAlerts.id(1)).isEmpty)
    }

    @Test("an alert that is not there cannot be reviewed")
    func unknown() async throws {
        let fixture = try APIFixture()
        #expect(await post(fixture, #"{"state":"confirmed"}"#).status == 404)
        let nonsense = await fixture.get(
            "/api/v1/alerts/nonsense/reviews", method: "POST", headers: ["content-type": "application/json"],
            body: #"{"state":"new"}"#)
        #expect(nonsense.status == 400)
    }

    @Test(
        "what another site sends through a browser is refused",
        arguments: [
            (["content-type": "text/plain"], 415), (["content-type": "application/x-www-form-urlencoded"], 415), ([:], 415),
            (["content-type": "application/json", "origin": "https://evil.example"], 403),
            (["content-type": "application/json", "origin": "null"], 403),
            (["content-type": "application/json", "origin": "http://localhost:9999"], 403),
            (["content-type": "application/json", "sec-fetch-site": "cross-site"], 403),
            (["content-type": "application/json", "sec-fetch-site": "same-site"], 403),
            (["content-type": "application/json", "origin": "http://localhost:8080", "sec-fetch-site": "same-origin"], 201),
            (["content-type": "application/json; charset=utf-8"], 201),
        ])
    func crossSite(headers: [String: String], status: Int) async throws {
        let fixture = try APIFixture()
        try await fixture.fill(SampleAlerts.alert(1))
        #expect(await post(fixture, #"{"state":"confirmed"}"#, headers: headers).status == status)
        #expect(try await fixture.store.reviews(of: SampleAlerts.id(1)).count == (status == 201 ? 1 : 0))
    }

    @Test("one vehicle, its track, and a thousand of them in brief")
    func vehicles() async throws {
        let fixture = try APIFixture()
        var beat = Heartbeat(
            identity: SampleAlerts.identity, boot: "b", seq: 1, at: fixture.clock.wallTime(), intervalS: 10,
            queue: .init(alerts: 2, bytes: 9), uptimeS: 1, software: "1.0.0")
        beat.position = AlertPosition(lat: 48.1, lon: 11.5)
        beat.degraded = [Degradation(code: .cameraCovered, since: beat.at)]
        _ = try await fixture.store.store([.heartbeat(beat, payload: WireCodec.encode(beat), receivedAt: beat.at)])
        let one = try APIFixture.json(await fixture.get("/api/v1/vehicles/demo/truck-17"))
        #expect((one["vehicles"] as? [[String: Any]])?.first?["staleAfterS"] as? Double == 30)
        #expect(await fixture.get("/api/v1/vehicles/demo/ghost").status == 404)
        #expect(await fixture.get("/api/v1/vehicles/demo/a b").status == 400)
        let track = try APIFixture.json(await fixture.get("/api/v1/vehicles/demo/truck-17/track"))
        #expect((track["points"] as? [[String: Any]])?.first?["lat"] as? Double == 48.1)
        for (query, status) in [
            ([("since", "x")], 400), ([("until", "")], 400),
            ([("since", "2026-03-02T00:00:00Z"), ("until", "2026-03-01T00:00:00Z")], 200),
            ([("since", "2020-01-01T00:00:00Z")], 200),
        ] as [([(name: String, value: String)], Int)] {
            #expect(await fixture.get("/api/v1/vehicles/demo/truck-17/track", query).status == status)
        }
        let brief = try APIFixture.json(await fixture.get("/api/v1/vehicles", [("brief", "true")]))
        let row = try #require((brief["vehicles"] as? [[String: Any]])?.first)
        #expect(row["waiting"] as? Int == 2)
        #expect(row["heartbeat"] == nil)
        #expect(await fixture.get("/api/v1/vehicles", [("brief", "yes")]).status == 400)
    }

    @Test("the stream tells of reviews, without an id that a cursor could be confused with")
    func stream() async throws {
        let fixture = try APIFixture()
        try await fixture.fill(SampleAlerts.alert(1))
        let server = HTTPServer(settings: HTTPServer.Settings()) { [api = fixture.api] in await api.respond(to: $0) }
        let connection = try RawConnection(port: try server.start())
        connection.send("GET /api/v1/stream HTTP/1.0\r\nHost: localhost\r\n\r\n")
        _ = await connection.read(through: "\n: \n\n")
        #expect(await post(fixture, #"{"state":"coached"}"#).status == 201)
        let text = await connection.read(through: "\"coached\"")
        #expect(text.contains("event: review\n"))
        #expect(!text.contains("id: "))
        fixture.feed.finish()
        await server.stop()
    }

    @Test(
        "tiles of another host are allowed by the policy, and nothing else of it is",
        arguments: [
            ("https://tile.example.org/{z}/{x}/{y}.png", "img-src 'self' data: https://tile.example.org;"),
            ("/tiles/{z}/{x}/{y}.png", "img-src 'self' data:;"),
        ])
    func tiles(pattern: String, policy: String) async throws {
        let text =
            "store: {path: x.db}\nmqtt: {url: 'mqtt://localhost'}\nview: {tiles: '\(pattern)', tileAttribution: '© <b>Example</b>'}"
        let configuration = try SyncConfiguration(document: .init(text: Array(text.utf8), file: "sync.yaml"))
        let fixture = try APIFixture(view: configuration.view)
        let answer = await fixture.get("/api/v1/view")
        #expect(try APIFixture.json(answer)["tiles"] as? String == pattern)
        #expect(answer.headers.first { $0.name == "Content-Security-Policy" }?.value.contains(policy) == true)
    }

    @Test(
        "a pattern of tiles that could not work, or could loosen the policy, is refused",
        arguments: [
            "https://tile.example.org/", "ftp://x/{z}/{x}/{y}", "https://a b/{z}/{x}/{y}", "https://x; script-src */{z}/{x}/{y}",
            "https://{s}.x/{z}/{x}/{y}",
            "https:///{z}/{x}/{y}",
        ])
    func badTiles(pattern: String) throws {
        let text = "store: {path: x.db}\nmqtt: {url: 'mqtt://localhost'}\nview: {tiles: '\(pattern)'}"
        #expect(throws: (any Error).self) { try SyncConfiguration(document: .init(text: Array(text.utf8), file: "sync.yaml")) }
    }
}
