import FleetRuntime
import FleetTestSupport
import Foundation
import HTTPServer
import Testing

@Suite("Who may ask")
struct AccessPolicyTests {
    private let tokens = AccessTokens([
        .init(name: "desk", digest: SHA256.digest(of: Data("s3cret".utf8)), createdAt: nil, role: .reviewer),
        .init(name: "script", digest: SHA256.digest(of: Data("other".utf8)), createdAt: nil),
    ])

    private func request(_ headers: [String: String]) -> HTTPRequest { HTTPRequest(method: "GET", path: "/", headers: headers) }

    @Test(
        "only names on the list are answered, with any port, in any case",
        arguments: [
            ("localhost", true), ("localhost:8080", true), ("LOCALHOST:1", true), ("[::1]:8080", true), ("127.0.0.1", true),
            ("evil.example", false), ("localhost.evil.example", false), ("", false), ("[::2]:8080", false),
            ("evil@localhost", false),
        ])
    func hosts(host: String, isAllowed: Bool) {
        let policy = AccessPolicy(hosts: ["localhost", "127.0.0.1", "[::1]"], tokens: nil)
        let refusal = policy.refusalByHost(request(["host": host]))
        #expect((refusal == nil) == isAllowed)
        if let refusal { #expect(refusal.status == 421) }
    }

    @Test(
        "a token is asked for when there are some",
        arguments: [
            ([:], .missing), (["authorization": "Bearer s3cre"], .wrong), (["authorization": "Bearer s3cret "], .wrong),
            (["authorization": "Bearer "], .wrong), (["authorization": "Basic s3cret"], .missing),
            (["authorization": "Bearer s3cret"], .granted(Principal(name: "desk", role: .reviewer))),
            (["authorization": "bearer other"], .granted(Principal(name: "script", role: .viewer))),
            (["cookie": "fleet_session=s3cret"], .missing),
        ] as [([String: String], AccessPolicy.Verdict)])
    func token(headers: [String: String], verdict: AccessPolicy.Verdict) {
        #expect(AccessPolicy(hosts: [], tokens: nil).judge(request(headers), client: "10.0.0.1") == .granted(.local))
        #expect(AccessPolicy(hosts: [], tokens: tokens).judge(request(headers), client: "10.0.0.1") == verdict)
    }

    @Test("a browser's session is opened by a token alone, hidden from scripts, and ends after twelve hours")
    func session() throws {
        let clock = ManualClock()
        let policy = AccessPolicy(hosts: [], tokens: tokens, clock: clock)
        #expect(policy.openSession(token: "wrong", client: "a", isSecure: true).cookie == nil)
        let cookie = try #require(policy.openSession(token: "s3cret", client: "a", isSecure: true).cookie)
        for attribute in ["HttpOnly", "SameSite=Strict", "Secure", "Path=/"] { #expect(cookie.contains(attribute)) }
        #expect(try #require(policy.openSession(token: "s3cret", client: "a", isSecure: false).cookie).contains("Secure") == false)
        let pair = String(cookie.prefix { $0 != ";" })
        #expect(policy.judge(request(["cookie": "other=1; " + pair]), client: "a").principal != nil)
        #expect(policy.judge(request(["cookie": pair + "0"]), client: "a") == .missing)
        clock.advance(bySeconds: 12 * 3600 + 1)
        #expect(policy.judge(request(["cookie": pair]), client: "a") == .missing)
    }

    @Test("signing out ends the session")
    func signOut() throws {
        let policy = AccessPolicy(hosts: [], tokens: tokens)
        let pair = try cookie(policy, "s3cret")
        #expect(policy.closeSession(request(["cookie": pair]), isSecure: true).contains("Max-Age=0"))
        #expect(policy.judge(request(["cookie": pair]), client: "a") == .missing)
    }

    @Test("a token that is taken back takes its sessions with it, and nobody else's")
    func takenBack() throws {
        let policy = AccessPolicy(hosts: [], tokens: tokens)
        let (desk, script) = (try cookie(policy, "s3cret"), try cookie(policy, "other"))
        policy.replace(AccessTokens(tokens.entries.filter { $0.name == "script" }))
        #expect(policy.judge(request(["authorization": "Bearer s3cret"]), client: "a") == .wrong)
        #expect(policy.judge(request(["cookie": desk]), client: "a") == .missing)
        #expect(policy.judge(request(["cookie": script]), client: "a").principal != nil)
    }

    private func cookie(_ policy: AccessPolicy, _ token: String) throws -> String {
        String(try #require(policy.openSession(token: token, client: "a", isSecure: true).cookie).prefix { $0 != ";" })
    }

    @Test("after ten wrong tokens an address has to wait, also with the right one; others and open sessions do not")
    func limit() throws {
        let clock = ManualClock()
        let policy = AccessPolicy(hosts: [], tokens: tokens, clock: clock)
        let session = try cookie(policy, "s3cret")
        let (wrong, right) = (request(["authorization": "Bearer x"]), request(["authorization": "Bearer s3cret"]))
        for _ in 0..<10 { #expect(policy.judge(wrong, client: "10.0.0.1") == .wrong) }
        #expect(policy.judge(right, client: "10.0.0.1") == .limited(waitS: 6))
        #expect(policy.openSession(token: "s3cret", client: "10.0.0.1", isSecure: true).verdict == .limited(waitS: 6))
        #expect(policy.judge(request(["cookie": session]), client: "10.0.0.1").principal != nil)
        #expect(policy.judge(right, client: "10.0.0.2").principal != nil)
        #expect(policy.counts.failures == 10)
        #expect(policy.counts.limited == 2)
        clock.advance(bySeconds: 6)
        #expect(policy.judge(right, client: "10.0.0.1").principal != nil)
        #expect(policy.judge(wrong, client: "10.0.0.1") == .wrong)
        #expect(policy.judge(right, client: "10.0.0.1") == .limited(waitS: 6))
    }

    @Test("addresses of one IPv6 network count as one, an IPv4 address in IPv6 form as itself; none grows the memory")
    func networks() {
        let policy = AccessPolicy(hosts: [], tokens: tokens, clock: ManualClock())
        let wrong = request(["authorization": "Bearer x"])
        for number in 0..<10 { _ = policy.judge(wrong, client: "2001:db8::\(number)") }
        #expect(policy.judge(wrong, client: "2001:db8::ffff") == .limited(waitS: 6))
        #expect(policy.judge(wrong, client: "2001:db8:0:1::1") == .wrong)
        for _ in 0..<10 { _ = policy.judge(wrong, client: "::ffff:10.0.0.1") }
        #expect(policy.judge(wrong, client: "::ffff:10.0.0.1") == .limited(waitS: 6))
        #expect(policy.judge(wrong, client: "::ffff:10.0.0.2") == .wrong)
        for number in 0..<10_000 { _ = policy.judge(wrong, client: "client-\(number)") }
        #expect(policy.judge(wrong, client: "client-10000") == .wrong)
    }
}
