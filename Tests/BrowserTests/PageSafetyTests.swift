import FleetModel
import FleetRuntime
import FleetStore
import FleetTestSupport
import Foundation
import HTTPServer
import Testing

@testable import SyncCore

@Suite(
    "What the pages bear, in Chromium", .serialized, .enabled(if: Chromium.isInstalled, Chromium.missing), .timeLimit(.minutes(5)))
struct PageSafetyTests {
    let browser: Chromium

    init() throws { browser = try Chromium.shared.get() }

    /// Text that would run in a page which takes it for HTML, for an attribute, or for a script.
    static let hostile = [
        "<img src=x onerror=window.pwned=1>", "</title><script>window.pwned=1</script>", "\"><svg onload=window.pwned=1>",
        "javascript:window.pwned=1//' onmouseover='window.pwned=1",
    ]

    @Test("no text of a vehicle or a person runs: names, models, notes, addresses", arguments: hostile)
    func hostileText(text: String) async throws {
        let fixture = try PageFixture()
        try await fixture.add("truck-1") {
            $0.model = text
            $0.software = String(text.prefix(60))
            $0.suppressed = [String(text.prefix(60)): 3]
        }
        let episode = SampleEpisodes.landmark(1, vehicle: "truck-1", name: text, at: fixture.now).map { alert in
            var alert = alert
            alert.model = text
            return alert
        }
        for alert in episode { try await fixture.add(alert) }
        _ = try await fixture.store.add(
            AlertReview(of: episode[0].id, by: episode[0].identity, state: .confirmed, note: text, name: text, at: fixture.now))
        let asked = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        // With a slash in it, it is another path.
        let name = asked.replacing("%2F", with: "")
        for path in [
            "/?vehicle=\(asked)&fleet=\(asked)&kind=\(asked)&map=\(asked)", "/alerts/\(episode[0].id)#\(asked)",
            "/vehicles/demo/truck-1", "/statistics?x=\(asked)", "/alerts/\(name)",
        ] {
            let page = try await BrowserPage(browser)
            try await page.open(fixture.url + path)
            try await page.wait(
                "document.getElementById('connection').textContent !== 'Connecting …' && !document.querySelector('.waiting')")
            #expect(try await page.value("window.pwned === undefined").bool, "\(path)")
            #expect(try await page.count("main script, main img[onerror], svg[onload]") == 0)
            #expect(page.problems == [])
        }
        let page = try await BrowserPage(browser)
        try await page.open("\(fixture.url)/alerts/\(episode[0].id)")
        try await page.wait("document.querySelector('#history .note')")
        #expect(try await page.text("#history .note") == text)
        try await page.wait("document.querySelector('.pin')")
        try await page.value("document.querySelector('.pin').click()")
        try await page.wait("document.querySelector('.popup')")
        #expect(try await page.text(".popup").contains(text))
        #expect(try await page.value("window.pwned === undefined").bool)
    }

    @Test("words that JavaScript has a meaning of its own for are words like others, in a vehicle's codes and a warning's gates")
    func inheritedNames() async throws {
        let fixture = try PageFixture()
        let codes = ["constructor", "__proto__", "tostring"].compactMap(DegradedCode.init)
        try #require(codes.count == 3)
        try await fixture.add("truck-1") { beat in
            beat.degraded = codes.map { Degradation(code: $0, since: fixture.now) }
        }
        try await fixture.add("truck-2")
        let episode = SampleEpisodes.collision(1, vehicle: "truck-1", at: fixture.now, snapshot: nil).map { alert in
            var alert = alert
            alert.collision?.gates = ["", "constructor", "__proto__", "toString", "in-path"]
            return alert
        }
        for alert in episode { try await fixture.add(alert) }
        let page = try await BrowserPage(browser)
        try await page.open(fixture.url + "/")
        try await page.wait("document.querySelectorAll('#vehicles li').length === 2")
        #expect(try await page.text("#vehicles").contains("reports constructor, which this page does not know"))
        try await page.open("\(fixture.url)/alerts/\(episode[0].id)")
        try await page.wait("document.body.textContent.includes('It is in the vehicle')")
        #expect(try await page.value("document.body.textContent.includes('ToString.')").bool)
        try await page.open("\(fixture.url)/vehicles/demo/truck-1")
        try await page.wait("document.getElementById('degraded').children.length === 3")
        #expect(page.problems == [])
    }

    @Test("a script that got into the page all the same is not run: the policy forbids it")
    func contentPolicy() async throws {
        let fixture = try PageFixture()
        let page = try await BrowserPage(browser)
        try await page.open(fixture.url + "/")
        try await page.value("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.pwned=1\">')")
        try await page.value(
            "(() => { const s = document.createElement('script'); s.textContent = 'window.pwned=1'; document.body.append(s); })()")
        try await page.value("fetch('https://example.com/').catch(() => {})")
        let isRefused = await eventually { page.problems.count >= 2 }
        #expect(isRefused)
        #expect(page.problems.allSatisfy { $0.contains("Content Security Policy") })
        #expect(try await page.value("window.pwned === undefined").bool)
    }

    @Test("a page of another site cannot review an alert through the viewer's browser", arguments: ["127.0.0.1", "localhost"])
    func otherSite(host: String) async throws {
        let fixture = try PageFixture()
        let alert = SampleEpisodes.overspeed(1, vehicle: "truck-1", at: fixture.now)[0]
        try await fixture.add(alert)
        // Another port is another origin, another name another site. Nothing forbids this one's pages to send what they like.
        var settings = HTTPServer.Settings()
        settings.port = FreePort.next()
        let other = HTTPServer(settings: settings) { _ in .data(Data("<!doctype html><p>here</p>".utf8), type: "text/html") }
        _ = try other.start()
        let page = try await BrowserPage(browser)
        try await page.open("http://\(host):\(settings.port)/")
        func post(to url: String, _ mode: String, _ type: String) -> String {
            "fetch('\(url)/api/v1/alerts/\(alert.id)/reviews', {method: 'POST', mode: '\(mode)', headers: {'Content-Type': '\(type)'}, "
                + "body: JSON.stringify({state: 'false_alarm'})}).then((r) => r.status, () => -1)"
        }
        for (mode, type) in [("no-cors", "text/plain"), ("cors", "application/json")] {
            try await page.value(post(to: fixture.url, mode, type))
        }
        let refused = fixture.asked.withLock { $0.filter { $0.hasPrefix("POST") } }
        #expect(refused == ["POST /api/v1/alerts/\(alert.id)/reviews 403"], "what a form could send must have come here")
        #expect(try await fixture.store.reviews(of: alert.id).isEmpty)
        await other.stop()
        // The same from its own page is taken.
        try await page.open(fixture.url + "/")
        #expect(try await page.value(post(to: fixture.url, "cors", "application/json")).double == 201)
        #expect(try await fixture.store.reviews(of: alert.id).count == 1)
    }

    @Test("a viewer is offered no review and no export, a reviewer reviews in the token's name, and signing out ends it")
    func roles() async throws {
        let fixture = try PageFixture(
            tokens: AccessTokens(
                [("desk", Role.viewer), ("kim", .reviewer)].map {
                    .init(name: $0.0, digest: SHA256.digest(of: Data("token-of-\($0.0)".utf8)), createdAt: nil, role: $0.1)
                }))
        let alert = SampleEpisodes.overspeed(1, vehicle: "truck-1", at: fixture.now)[0]
        try await fixture.add(alert)
        for (name, mayReview) in [("desk", false), ("kim", true)] {
            let page = try await BrowserPage(browser)
            try await page.open("\(fixture.url)/")
            try await page.wait("document.getElementById('sign-in').checkVisibility()")
            try await page.value("document.getElementById('token').focus()")
            try await page.type("token-of-\(name)")
            try await page.press("Enter")
            try await page.wait("document.querySelector('#alert-rows li') && !document.getElementById('who').hidden")
            try await page.wait("document.getElementById('export').checkVisibility({ checkVisibilityCSS: true }) === \(mayReview)")
            try await page.open("\(fixture.url)/alerts/\(alert.id)")
            try await page.wait("!document.querySelector('.waiting')")
            #expect(try await page.value("document.getElementById('review').checkVisibility()").bool == mayReview)
            #expect(try await page.value("document.getElementById('may-not').checkVisibility()").bool == !mayReview)
            #expect(try await page.value("document.getElementById('name').checkVisibility()").bool == false)
            if mayReview {
                #expect(try await page.text("#review-as") == "as kim")
                try await page.click("#review input[value=confirmed]")
                try await page.click("#review button")
                try await page.wait("document.getElementById('history').textContent.includes('kim')")
            }
            try await page.click("#preferences summary")
            #expect(try await page.text("#who-name") == (mayReview ? "kim, reviewer" : "desk, viewer"))
            try await page.click("#sign-out")
            try await page.wait("document.getElementById('sign-in').checkVisibility()")
            #expect(page.problems == [])
        }
        #expect(try await fixture.store.reviews(of: alert.id).map(\.name) == ["kim"])
    }

    @Test("with tokens the page asks for one, and shows nothing before")
    func signIn() async throws {
        let fixture = try PageFixture(token: "right-token-0123456789")
        try await fixture.add("truck-1")
        try await fixture.add(SampleEpisodes.overspeed(1, vehicle: "truck-1", at: fixture.now)[0])
        let page = try await BrowserPage(browser)
        try await page.open(fixture.url + "/")
        try await page.wait(
            "document.getElementById('sign-in').checkVisibility() && !document.getElementById('main').checkVisibility()")
        #expect(try await page.count("#alert-rows li") == 0)
        for (token, outcome) in [
            ("wrong", "document.getElementById('sign-in-error').textContent.includes('not a token')"),
            ("right-token-0123456789", "document.querySelector('#alert-rows li')"),
        ] {
            try await page.value("document.getElementById('token').focus()")
            try await page.type(token)
            try await page.press("Enter")
            try await page.wait(outcome)
        }
        #expect(page.problems == [])
    }

    @Test("text stands out from its ground by 4.5 to 1 or more, in light and in dark (WCAG 2.2 AA)", arguments: [false, true])
    func contrast(isDark: Bool) async throws {
        let fixture = try PageFixture()
        try await fixture.fillForPictures()
        for path in ["/", "/alerts/\(PageFixture.pictured)", "/vehicles/demo/truck-3", "/statistics"] {
            let page = try await BrowserPage(browser, isDark: isDark)
            try await page.open(fixture.url + path)
            try await page.wait(
                "document.getElementById('connection').textContent !== 'Connecting …' && !document.querySelector('.waiting')")
            let found = try await page.value(Self.contrastScript)
            #expect(found["texts"].double ?? 0 > 20, "hardly any text was looked at")
            #expect(found["poor"] == .list([]), "\(path) \(isDark ? "dark" : "light")")
        }
    }

    /// Every visible text whose colour is too near to what lies behind it.
    private static let contrastScript = """
        (() => {
          const channel = (c) => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
          const parse = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
          const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
          const ground = (node) => { for (; node; node = node.parentElement) { const c = parse(getComputedStyle(node).backgroundColor); if (c.length === 3 || c[3] === 1) return c; } return [255, 255, 255]; };
          const poor = new Set();
          let texts = 0;
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const node = walker.currentNode.parentElement;
            if (!walker.currentNode.textContent.trim() || !node.checkVisibility() || node.closest('script, .boxes, .unseen, noscript')) continue;
            texts += 1;
            const style = getComputedStyle(node);
            const colour = parse(node.closest('svg') ? style.fill : style.color);
            const [a, b] = [light(colour), light(ground(node))].sort((x, y) => y - x);
            const ratio = (a + 0.05) / (b + 0.05);
            if (ratio < 4.5) poor.add(`${node.tagName}.${node.className.baseVal ?? node.className} ${walker.currentNode.textContent.trim().slice(0, 30)} ${ratio.toFixed(2)}`);
          }
          return { texts, poor: [...poor] };
        })()
        """
}
