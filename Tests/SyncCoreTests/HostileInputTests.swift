import FleetModel
import FleetStore
import FleetTestSupport
import Foundation
import HTTPServer
import Testing

@testable import SyncCore

/// What comes from vehicles and visitors never becomes part of a page, a header, a path or a formula.
@Suite("Hostile input")
struct HostileInputTests {
    private static let hostile = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "javascript:alert(1)", "</title><svg/onload=alert(1)>",
        "{{7*7}}", "\u{2028}alert(1)\u{2029}", "&lt;script&gt;",
    ]

    /// Whether no browser can take the answer for a page of its own.
    private func isInert(_ response: HTTPResponse) -> Bool {
        let headers = Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }) { $1 }
        let type = headers["content-type"] ?? ""
        let isData = ["application/json", "application/problem+json", "text/csv", "application/jsonl", "image/jpeg"].contains {
            type.hasPrefix($0)
        }
        return (isData || type.isEmpty) && headers["x-content-type-options"] == "nosniff"
            && headers["content-security-policy"]?.contains("unsafe") == false
    }

    @Test("a script in a name, a note or a filter comes back as data, never as a page", arguments: hostile)
    func scripts(script: String) async throws {
        let fixture = try APIFixture()
        var alert = SampleAlerts.alert(1)
        alert.software = String(script.prefix(60))
        try await fixture.fill(alert)
        let id = SampleAlerts.id(1)
        let note = String(
            decoding: try JSONEncoder().encode(["state": "confirmed", "note": script, "name": script]), as: UTF8.self)
        let posted = await fixture.get(
            "/api/v1/alerts/\(id)/reviews", method: "POST", headers: ["content-type": "application/json"], body: note)
        #expect([201, 400].contains(posted.status))
        for (path, query) in [
            ("/api/v1/alerts", [(name: "vehicle", value: script)]), ("/api/v1/alerts", [(name: script, value: "1")]),
            ("/api/v1/alerts/\(id)", []), ("/api/v1/alerts/\(script)", []), ("/api/v1/stats", [(name: "by", value: script)]),
            ("/api/v1/export", [(name: "format", value: script)]), ("/\(script)", []), ("/api/v1/vehicles/\(script)/x", []),
            ("/api/v1/alerts", []),
        ] as [(String, [(name: String, value: String)])] {
            let answer = await fixture.get(path, query)
            #expect(isInert(answer), "\(path) \(query)")
        }
        // A page is a file: whatever its path says, it holds nothing of it.
        let page = await fixture.get("/alerts/\(script.replacing("/", with: ""))")
        if case .data(let data) = page.body { #expect(!String(decoding: data, as: UTF8.self).contains(script)) }
        let host = await fixture.get("/", headers: ["host": script])
        #expect(host.status == 421)
        #expect(isInert(host))
    }

    @Test(
        "no path leads out of what is served",
        arguments: [
            "/../etc/passwd", "/web/../../../etc/passwd", "/web/..%2f..%2fetc/passwd", "/web/%2e%2e/%2e%2e/etc/passwd",
            "/web//etc/passwd", "/web/..", "/web/.", "/web/openapi.json%00.js", "/web/live.js%00", "/..\\..\\etc\\passwd",
            "/api/v1/alerts/../../../etc/passwd", "/api/v1/alerts/..%2f..%2f..%2fetc%2fpasswd/snapshot",
            "/api/v1/vehicles/../..", "/api/v1/vehicles/..%2f..%2f/x", "/web/live.js/", "//", "/web",
        ])
    func traversal(path: String) async throws {
        let fixture = try APIFixture()
        let server = HTTPServer(settings: HTTPServer.Settings()) { [api = fixture.api] in await api.respond(to: $0) }
        let port = try server.start()
        let answer = try await RawConnection.exchange(port, ["GET \(path) HTTP/1.1"])
        await server.stop()
        #expect([400, 404].contains(answer.status), "\(answer.status)")
        #expect(!answer.body.contains("root:"))
    }

    @Test("a name cannot break out of a header or a file name")
    func headers() async throws {
        let fixture = try APIFixture()
        try await fixture.fill(SampleAlerts.alert(1))
        for value in ["csv\r\nX-Injected: 1", "csv\"; filename=\"x.exe"] {
            let answer = await fixture.get("/api/v1/export", [("format", value)])
            #expect(answer.status == 400)
            #expect(!answer.headers.contains { $0.name == "X-Injected" || $0.value.contains("\r") || $0.value.contains("x.exe") })
        }
    }

    @Test("what a spreadsheet would run is defused in exports", arguments: ["=1+1", "+1", "-1", "@SUM(A1)", "＝1+1", " =1"])
    func formulas(text: String) async throws {
        var alert = SampleAlerts.alert(1)
        alert.kind = .landmark
        alert.overspeed = nil
        alert.landmark = LandmarkDetails(name: text, score: 0.9, box: Box(x: 0.1, y: 0.1, width: 0.1, height: 0.1))
        let line = try #require(
            AlertFile.csv.line(StoredAlert(alert: alert, receivedAt: alert.at, late: false, cursor: 1)))
        #expect(line.contains("'" + text))
    }

    @Test("oversize is refused: bodies, heads, parameters, notes")
    func oversize() async throws {
        let fixture = try APIFixture()
        try await fixture.fill(SampleAlerts.alert(1))
        let server = HTTPServer(settings: HTTPServer.Settings()) { [api = fixture.api] in await api.respond(to: $0) }
        let port = try server.start()
        let long = String(repeating: "x", count: 70_000)
        let path = "/api/v1/alerts/\(SampleAlerts.id(1))/reviews"
        let body = try await RawConnection.exchange(
            port, ["POST \(path) HTTP/1.1", "Content-Type: application/json"], body: #"{"state":"confirmed","note":"\#(long)"}"#)
        #expect(body.status == 413)
        let note = try await RawConnection.exchange(
            port, ["POST \(path) HTTP/1.1", "Content-Type: application/json"],
            body: #"{"state":"confirmed","note":"\#(long.prefix(5000))"}"#)
        #expect(note.status == 400)
        let head = try await RawConnection.exchange(port, ["GET /?\(long) HTTP/1.1"])
        #expect([400, 414, 431, 0].contains(head.status))
        let many = (0..<200).map { "a\($0)=1" }.joined(separator: "&")
        #expect(try await RawConnection.exchange(port, ["GET /api/v1/alerts?\(many) HTTP/1.1"]).status == 400)
        await server.stop()
        #expect(try await fixture.store.reviews(of: SampleAlerts.id(1)).isEmpty)
    }
}
