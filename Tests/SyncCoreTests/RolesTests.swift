import FleetModel
import FleetStore
import FleetTestSupport
import Foundation
import HTTPServer
import Testing

@testable import SyncCore

@Suite("Who may what")
struct RolesTests {
    private let json = ["content-type": "application/json"]

    private func ask(
        _ fixture: APIFixture, _ method: String, _ path: String, as role: Role, body: String = "", _ more: [String: String] = [:]
    ) async -> HTTPResponse {
        await fixture.get(
            path, method: method, headers: ["authorization": "Bearer \(role.rawValue)"].merging(json) { $1 }.merging(more) { $1 },
            body: body)
    }

    @Test(
        "each role reaches what is meant for it",
        arguments: [
            ("GET", "/api/v1/alerts", [200, 200, 200]), ("GET", "/api/v1/export", [403, 200, 200]),
            ("GET", "/api/v1/audit", [403, 403, 200]), ("GET", "/api/v1/webhooks", [403, 403, 200]),
            ("POST", "/api/v1/alerts/\(SampleAlerts.id(1))/reviews", [403, 201, 201]), ("GET", "/metrics", [200, 200, 200]),
        ])
    func reach(method: String, path: String, expected: [Int]) async throws {
        let fixture = try APIFixture(tokens: APIFixture.roles)
        try await fixture.fill(SampleAlerts.alert(1))
        for (role, status) in zip(Role.allCases, expected) {
            let body = method == "POST" ? #"{"state":"confirmed"}"# : ""
            #expect(await ask(fixture, method, path, as: role, body: body).status == status, "\(role)")
        }
    }

    @Test("every route says what it takes; nothing but the page, sign-in and health is open")
    func routes() throws {
        let routes = try APIFixture().api.routes
        for route in routes where route.pattern.hasPrefix("/api/") { #expect(route.query != nil, "\(route.pattern)") }
        let open = routes.filter { $0.access == .everybody && $0.pattern.hasPrefix("/api/") }.map { "\($0.method) \($0.pattern)" }
        #expect(open.sorted() == ["DELETE /api/v1/session", "GET /api/v1/openapi.json", "POST /api/v1/session"])
        let changing = routes.filter { $0.method != "GET" && $0.access != .everybody }
        for route in changing {
            guard case .role = route.access else {
                Issue.record("\(route.method) \(route.pattern) wants no role")
                continue
            }
        }
    }

    @Test("who am I: the token's name and role; without tokens whoever sits at the machine may everything")
    func whoAmI() async throws {
        let fixture = try APIFixture(tokens: APIFixture.roles)
        let answer = try APIFixture.json(await ask(fixture, "GET", "/api/v1/session", as: .reviewer))
        #expect(answer["name"] as? String == "the-reviewer")
        #expect(answer["role"] as? String == "reviewer")
        #expect(await fixture.get("/api/v1/session").status == 401)
        let open = try APIFixture.json(try await APIFixture().get("/api/v1/session"))
        #expect(open["role"] as? String == "admin")
    }

    @Test("reviews and exports are in the audit log with name, address and filters; looking is not")
    func audit() async throws {
        let fixture = try APIFixture(tokens: APIFixture.roles)
        try await fixture.fill(SampleAlerts.alert(1))
        let path = "/api/v1/alerts/\(SampleAlerts.id(1))/reviews"
        _ = await ask(fixture, "POST", path, as: .reviewer, body: #"{"state":"confirmed"}"#)
        _ = await ask(fixture, "POST", path, as: .reviewer, body: "nonsense")
        _ = await ask(fixture, "GET", "/api/v1/alerts", as: .viewer)
        _ = await fixture.get(
            "/api/v1/export", [("format", "csv"), ("kind", "overspeed")], headers: ["authorization": "Bearer admin"])
        let log = try await fixture.store.auditEntries(before: nil, limit: 10).entries
        #expect(log.map(\.action) == ["export", "review"])
        #expect(log[1].detail == "confirmed, alert \(SampleAlerts.id(1))")
        #expect(log.map(\.name) == ["the-admin", "the-reviewer"])
        #expect(log[0].detail == "format=csv kind=overspeed")
        #expect(log[0].client == "127.0.0.1")
        let shown = try APIFixture.json(await ask(fixture, "GET", "/api/v1/audit", as: .admin))
        #expect((shown["entries"] as? [[String: Any]])?.count == 2)
    }

    @Test("a review bears the name of who signed in, whatever the body says")
    func reviewName() async throws {
        let fixture = try APIFixture(tokens: APIFixture.roles)
        try await fixture.fill(SampleAlerts.alert(1))
        let answer = await ask(
            fixture, "POST", "/api/v1/alerts/\(SampleAlerts.id(1))/reviews", as: .reviewer,
            body: #"{"state":"confirmed","name":"the boss"}"#)
        #expect(try APIFixture.json(answer)["name"] as? String == "the-reviewer")
    }

    @Test(
        "another site's page cannot act, in whatever way it tries",
        arguments: [
            (["sec-fetch-site": "cross-site"], 403), (["sec-fetch-site": "same-site"], 403),
            (["origin": "https://evil.example"], 403),
            (["origin": "null"], 403), (["origin": "http://localhost:8080.evil.example"], 403),
            (["content-type": "text/plain"], 415), (["content-type": "application/x-www-form-urlencoded"], 415),
            (["sec-fetch-site": "same-origin"], 201), (["origin": "http://localhost:8080"], 201), ([:], 201),
            (["content-type": "application/json; charset=utf-8"], 201),
        ] as [([String: String], Int)])
    func crossSite(headers: [String: String], status: Int) async throws {
        // With the browser's session, and where nobody is asked for a token.
        for tokens in [APIFixture.roles, nil] {
            let fixture = try APIFixture(tokens: tokens)
            try await fixture.fill(SampleAlerts.alert(1))
            let signIn = await fixture.get(
                "/api/v1/session", method: "POST", headers: json, body: #"{"token":"reviewer"}"#)
            let cookie = signIn.headers.first { $0.name == "Set-Cookie" }.map { String($0.value.prefix { $0 != ";" }) } ?? ""
            let answer = await fixture.get(
                "/api/v1/alerts/\(SampleAlerts.id(1))/reviews", method: "POST",
                headers: json.merging(["cookie": cookie]) { $1 }.merging(headers) { $1 }, body: #"{"state":"confirmed"}"#)
            #expect(answer.status == status, "\(tokens == nil ? "without tokens" : "with a session")")
        }
    }

    @Test("a proxy's word for who somebody is counts only where it is configured, with the roles of the configuration")
    func proxyUser() async throws {
        let settings = """
            http: {behindProxy: true, trustedProxies: [10.0.0.9], proxyUser: X-Forwarded-User, proxyReviewers: [bob], proxyAdmins: [ann]}
            """
        let fixture = try APIFixture(http: settings)
        func who(_ name: String?, from address: String = "10.0.0.9") async throws -> (Int, String?) {
            let answer = await fixture.get(
                "/api/v1/session", headers: name.map { ["x-forwarded-user": $0] } ?? [:], from: address)
            return (answer.status, try APIFixture.json(answer)["role"] as? String)
        }
        #expect(try await who("ann") == (200, "admin"))
        #expect(try await who("bob") == (200, "reviewer"))
        #expect(try await who("carol") == (200, "viewer"))
        #expect(try await who(nil).0 == 401)
        #expect(try await who("").0 == 401)
        #expect(try await who("eve\u{1B}[2J").0 == 401)
        #expect(try await who("ann", from: "10.0.0.8").0 == 403)
        // Without the key the header is nothing.
        let plain = try APIFixture(tokens: APIFixture.roles, http: "http: {behindProxy: true, trustedProxies: [10.0.0.9]}")
        #expect(await plain.get("/api/v1/session", headers: ["x-forwarded-user": "ann"], from: "10.0.0.9").status == 401)
    }

    @Test("pages of other origins may look with a token only where they are named")
    func crossOrigin() async throws {
        let named = try APIFixture(tokens: APIFixture.roles, http: "http: {corsOrigins: ['https://maps.example.org']}")
        let off = try APIFixture(tokens: APIFixture.roles)
        func allowed(_ fixture: APIFixture, _ origin: String, method: String = "GET") async -> (Int, String?) {
            var headers = ["origin": origin, "authorization": "Bearer viewer"]
            if method == "OPTIONS" { headers = ["origin": origin, "access-control-request-method": "GET"] }
            let answer = await fixture.get("/api/v1/alerts", method: method, headers: headers)
            return (answer.status, answer.headers.first { $0.name == "Access-Control-Allow-Origin" }?.value)
        }
        #expect(await allowed(named, "https://maps.example.org") == (200, "https://maps.example.org"))
        #expect(await allowed(named, "https://maps.example.org", method: "OPTIONS") == (204, "https://maps.example.org"))
        #expect(await allowed(named, "https://evil.example") == (200, nil))
        #expect(await allowed(named, "https://evil.example", method: "OPTIONS").1 == nil)
        #expect(await allowed(off, "https://maps.example.org") == (200, nil))
        #expect(await allowed(off, "https://maps.example.org", method: "OPTIONS").0 == 401)
    }
}
