import FleetRuntime
import FleetTestSupport
import Foundation
import HTTPServer
import Testing

@Suite("Who may ask")
struct AccessPolicyTests {
    private func request(_ headers: [String: String]) -> HTTPRequest { HTTPRequest(method: "GET", path: "/", headers: headers) }

    @Test(
        "only names on the list are answered, with any port, in any case",
        arguments: [
            ("localhost", true), ("localhost:8080", true), ("LOCALHOST:1", true), ("[::1]:8080", true), ("127.0.0.1", true),
            ("evil.example", false), ("localhost.evil.example", false), ("", false), ("[::2]:8080", false),
            ("evil@localhost", false),
        ])
    func hosts(host: String, isAllowed: Bool) {
        let policy = AccessPolicy(hosts: ["localhost", "127.0.0.1", "[::1]"], token: nil)
        let refusal = policy.refusalByHost(request(["host": host]))
        #expect((refusal == nil) == isAllowed)
        if let refusal { #expect(refusal.status == 421) }
    }

    @Test("a token is asked for when there is one")
    func token() {
        let open = AccessPolicy(hosts: [], token: nil)
        #expect(open.isAuthorised(request([:])))
        let closed = AccessPolicy(hosts: [], token: "s3cret")
        #expect(!closed.isAuthorised(request([:])))
        #expect(!closed.isAuthorised(request(["authorization": "Bearer s3cre"])))
        #expect(!closed.isAuthorised(request(["authorization": "Basic s3cret"])))
        #expect(closed.isAuthorised(request(["authorization": "Bearer s3cret"])))
        #expect(closed.isAuthorised(request(["authorization": "bearer s3cret"])))
    }

    @Test("a browser's session is opened by the token alone, hidden from scripts, and ends after twelve hours")
    func session() throws {
        let clock = ManualClock()
        let policy = AccessPolicy(hosts: [], token: "s3cret", clock: clock)
        #expect(policy.openSession(token: "wrong", isSecure: true) == nil)
        let cookie = try #require(policy.openSession(token: "s3cret", isSecure: true))
        for attribute in ["HttpOnly", "SameSite=Strict", "Secure", "Path=/"] { #expect(cookie.contains(attribute)) }
        #expect(try #require(policy.openSession(token: "s3cret", isSecure: false)).contains("Secure") == false)
        let pair = String(cookie.prefix { $0 != ";" })
        #expect(policy.isAuthorised(request(["cookie": "other=1; " + pair])))
        #expect(!policy.isAuthorised(request(["cookie": pair + "0"])))
        clock.advance(bySeconds: 12 * 3600 + 1)
        #expect(!policy.isAuthorised(request(["cookie": pair])))
    }
}
