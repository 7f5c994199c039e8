import FleetModel
import FleetStore
import FleetTestSupport
import Foundation
import HTTPServer
import Testing

@testable import SyncCore

@Suite("The API")
struct FleetAPITests {
    @Test("an alert carries the vehicle's words, when it was received, whether it is late, and its cursor")
    func alerts() async throws {
        let fixture = try APIFixture()
        try await fixture.fill(SampleAlerts.alert(1), SampleAlerts.alert(1, revision: 2, phase: .end), SampleAlerts.alert(2))
        let page = try APIFixture.json(await fixture.get("/api/v1/alerts"))
        let rows = try #require(page["alerts"] as? [[String: Any]])
        #expect(rows.map { $0["cursor"] as? Int } == [3, 2])
        #expect(rows[1]["revision"] as? Int == 2)
        #expect(rows[1]["receivedAt"] as? String == "2026-03-01T08:00:01.000Z")
        #expect(rows[1]["late"] as? Bool == false)
        #expect(page["nextCursor"] as? Int == 3)
        let changes = try APIFixture.json(await fixture.get("/api/v1/alerts", [("cursor", "2")]))
        #expect((changes["alerts"] as? [[String: Any]])?.map { $0["cursor"] as? Int } == [3])
    }

    @Test("one alert comes with all its revisions")
    func show() async throws {
        let fixture = try APIFixture()
        try await fixture.fill(SampleAlerts.alert(1), SampleAlerts.alert(1, revision: 2, phase: .end))
        let shown = try APIFixture.json(await fixture.get("/api/v1/alerts/\(SampleAlerts.id(1))"))
        #expect((shown["alert"] as? [String: Any])?["revision"] as? Int == 2)
        #expect((shown["revisions"] as? [[String: Any]])?.count == 2)
        #expect(await fixture.get("/api/v1/alerts/\(SampleAlerts.id(2))").status == 404)
        #expect(await fixture.get("/api/v1/alerts/7").status == 400)
    }

    @Test("a vehicle that forges another's id does not speak in its name")
    func forgedID() async throws {
        let fixture = try APIFixture()
        let forger = try #require(VehicleIdentity(fleet: "demo", vehicle: "forger"))
        try await fixture.fill(SampleAlerts.alert(1), SampleAlerts.alert(1, revision: 9, phase: .end, identity: forger))
        let shown = try APIFixture.json(await fixture.get("/api/v1/alerts/\(SampleAlerts.id(1))"))
        #expect((shown["alert"] as? [String: Any])?["vehicle"] as? String == "truck-17")
        #expect((shown["revisions"] as? [[String: Any]])?.count == 1)
    }

    @Test(
        "a query that cannot be read is answered with 400 and what is allowed",
        arguments: [
            ("limit", "0"), ("limit", "1001"), ("limit", "x"), ("since", "yesterday"), ("kind", "flying"), ("severity", "bad"),
            ("fleet", "a/b"), ("vehicle", "+"), ("cursor", "-1"), ("before", "1.5"), ("cursor", "99999999999999999999"),
        ])
    func badQueries(parameter: String, value: String) async throws {
        let answer = try await APIFixture().get("/api/v1/alerts", [(parameter, value)])
        #expect(answer.status == 400)
        let detail = try #require(try APIFixture.json(answer)["detail"] as? String)
        #expect(detail.hasPrefix(parameter))
    }

    @Test("vehicles are judged when they are looked at, and turn stale without a word")
    func vehicles() async throws {
        let fixture = try APIFixture()
        let status = VehicleStatus(
            identity: SampleAlerts.identity, state: .online, reason: nil, boot: "b", session: 1,
            connectedAt: fixture.clock.wallTime())
        _ = try await fixture.store.store([.status(status, receivedAt: fixture.clock.wallTime())])
        func presence() async throws -> String? {
            let list = try APIFixture.json(await fixture.get("/api/v1/vehicles"))
            return (list["vehicles"] as? [[String: Any]])?.first?["presence"] as? String
        }
        #expect(try await presence() == "online")
        fixture.clock.advance(bySeconds: 31)
        #expect(try await presence() == "stale")
    }

    @Test("every answer carries the headers that keep browsers in check, errors included")
    func securityHeaders() async throws {
        let fixture = try APIFixture()
        for path in ["/", "/api/v1/alerts", "/nothing", "/healthz"] {
            let headers = Dictionary(await fixture.get(path).headers.map { ($0.name.lowercased(), $0.value) }) { $1 }
            #expect(headers["x-content-type-options"] == "nosniff")
            #expect(headers["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
            #expect(headers["content-security-policy"]?.contains("unsafe") == false)
            #expect(headers["referrer-policy"] == "no-referrer")
            #expect(headers["strict-transport-security"] == nil)
        }
        for (host, isTold) in [("fleet.example.org", true), ("localhost:8443", false)] {
            let answer = await fixture.get("/", headers: ["host": host], isSecure: true)
            #expect(answer.headers.contains { $0.name == "Strict-Transport-Security" } == isTold)
        }
    }

    @Test("with a token, only the page, sign-in and health are answered to strangers")
    func token() async throws {
        let fixture = try APIFixture(token: "s3cret")
        for path in ["/", "/web/live.js", "/web/style.css", "/healthz", "/readyz"] {
            #expect(await fixture.get(path).status == 200, "\(path)")
        }
        for path in ["/api/v1/alerts", "/api/v1/vehicles", "/api/v1/stats", "/api/v1/stream", "/metrics", "//", "/nothing"] {
            #expect(await fixture.get(path).status == 401, "\(path)")
        }
        #expect(await fixture.get("/api/v1/alerts", headers: ["authorization": "Bearer s3cret"]).status == 200)
        let json = ["content-type": "application/json"]
        #expect(await fixture.get("/api/v1/session", method: "POST", headers: json, body: #"{"token":"no"}"#).status == 401)
        #expect(await fixture.get("/api/v1/session", method: "POST", headers: json, body: "token=s3cret").status == 400)
        let signedIn = await fixture.get("/api/v1/session", method: "POST", headers: json, body: #"{"token":"s3cret"}"#)
        #expect(signedIn.status == 204)
        let cookie = try #require(signedIn.headers.first { $0.name == "Set-Cookie" }?.value.prefix { $0 != ";" })
        #expect(await fixture.get("/api/v1/alerts", headers: ["cookie": String(cookie)]).status == 200)
        #expect(await fixture.get("/api/v1/session", method: "DELETE", headers: ["cookie": String(cookie)]).status == 204)
        #expect(await fixture.get("/api/v1/alerts", headers: ["cookie": String(cookie)]).status == 401)
    }

    @Test("whoever guesses has to wait, is told how long, and is not confused with others behind the same proxy")
    func guessing() async throws {
        let fixture = try APIFixture(token: "s3cret", http: "http: {behindProxy: true, trustedProxies: [10.0.0.9]}")
        func get(_ token: String, _ forwarded: String) async -> HTTPResponse {
            await fixture.get(
                "/api/v1/alerts", headers: ["authorization": "Bearer " + token, "x-forwarded-for": forwarded], from: "10.0.0.9")
        }
        // What the client itself puts in front is not believed.
        for number in 0..<10 { #expect(await get("guess", "198.51.100.\(number), 203.0.113.7").status == 401) }
        let answer = await get("s3cret", "203.0.113.7")
        #expect(answer.status == 429)
        #expect(answer.headers.first { $0.name == "Retry-After" }?.value == "6")
        #expect(await get("s3cret", "203.0.113.8").status == 200)
        let signIn = await fixture.get(
            "/api/v1/session", method: "POST", headers: ["x-forwarded-for": "203.0.113.7", "content-type": "application/json"],
            body: #"{"token":"s3cret"}"#,
            from: "10.0.0.9")
        #expect(signIn.status == 429)
        fixture.clock.advance(bySeconds: 6)
        #expect(await get("s3cret", "203.0.113.7").status == 200)
    }

    @Test("a foreign Host is refused on every path, whatever else is right")
    func foreignHost() async throws {
        let fixture = try APIFixture(token: "s3cret")
        for path in ["/", "/healthz", "/api/v1/alerts"] {
            let headers = ["host": "rebound.example", "authorization": "Bearer s3cret"]
            #expect(await fixture.get(path, headers: headers).status == 421)
        }
    }

    @Test("behind a proxy, others than the proxy are refused")
    func proxies() async throws {
        let fixture = try APIFixture(http: "http: {behindProxy: true, trustedProxies: [10.0.0.9]}")
        #expect(await fixture.get("/healthz", from: "10.0.0.9").status == 200)
        #expect(await fixture.get("/healthz", from: "10.0.0.8").status == 403)
    }

    @Test("the service is ready only while the broker is there")
    func readiness() async throws {
        #expect(try await APIFixture(isBrokerConnected: true).get("/readyz").status == 200)
        #expect(try await APIFixture(isBrokerConnected: false).get("/readyz").status == 503)
        let fixture = try APIFixture(isBrokerConnected: true)
        fixture.counters.update { $0.isStoreFailing = true }
        #expect(await fixture.get("/readyz").status == 503)
        #expect(try await APIFixture(isBrokerConnected: false).get("/healthz").status == 200)
    }

    @Test("what the browser has is not sent again: the page's files and the lists, over a socket")
    func etag() async throws {
        let fixture = try APIFixture()
        try await fixture.fill(SampleAlerts.alert(1))
        let server = HTTPServer(settings: HTTPServer.Settings()) { [api = fixture.api] in await api.respond(to: $0) }
        let port = try server.start()
        for path in ["/web/live.js", "/api/v1/alerts", "/api/v1/alerts/\(SampleAlerts.id(1))"] {
            let first = try await RawConnection.exchange(port, ["GET \(path) HTTP/1.1"])
            let mark = try #require(first.headers["etag"], "\(path)")
            let again = try await RawConnection.exchange(port, ["GET \(path) HTTP/1.1", "If-None-Match: \(mark)"])
            #expect(again.status == 304)
            #expect(again.body.isEmpty)
            let other = try await RawConnection.exchange(port, ["GET \(path) HTTP/1.1", "If-None-Match: \"other\""])
            #expect(other.status == 200)
        }
        let list = try await RawConnection.exchange(port, ["GET /api/v1/alerts HTTP/1.1"])
        try await fixture.fill(SampleAlerts.alert(2))
        let changed = try await RawConnection.exchange(
            port, ["GET /api/v1/alerts HTTP/1.1", "If-None-Match: \(list.headers["etag"] ?? "")"])
        #expect(changed.status == 200)
        await server.stop()
    }

    @Test("the metrics are in Prometheus' format: help, type and value of each")
    func metrics() async throws {
        let fixture = try APIFixture()
        try await fixture.fill(SampleAlerts.alert(1))
        guard case .data(let data) = await fixture.get("/metrics").body else { return }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        #expect(lines.contains("fleet_alerts 1"))
        for name in lines.filter({ !$0.hasPrefix("#") }).map({ $0.prefix { $0 != " " } }) {
            #expect(lines.contains { $0.hasPrefix("# TYPE \(name) ") })
            #expect(lines.contains { $0.hasPrefix("# HELP \(name) ") })
        }
    }
}
