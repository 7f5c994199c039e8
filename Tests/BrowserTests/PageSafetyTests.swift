import FleetModel
import FleetRuntime
import FleetStore
import FleetTestSupport
import Foundation
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

    @Test("a page of another site cannot review an alert through the viewer's browser")
    func otherSite() async throws {
        let fixture = try PageFixture()
        let alert = SampleEpisodes.overspeed(1, vehicle: "truck-1", at: fixture.now)[0]
        try await fixture.add(alert)
        let other = try PageFixture()
        let page = try await BrowserPage(browser)
        // Another port is another origin; its pages may send, but not ask first.
        try await page.open(other.url + "/healthz")
        for type in ["text/plain", "application/json"] {
            try await page.value(
                "fetch('\(fixture.url)/api/v1/alerts/\(alert.id)/reviews', {method: 'POST', mode: \(type == "text/plain" ? "'no-cors'" : "'cors'"), headers: {'Content-Type': '\(type)'}, body: JSON.stringify({state: 'false_alarm'})}).catch(() => {})"
            )
        }
        #expect(try await fixture.store.reviews(of: alert.id).isEmpty)
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
            let poor = try await page.value(Self.contrastScript)
            #expect(poor == .list([]), "\(path) \(isDark ? "dark" : "light")")
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
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const node = walker.currentNode.parentElement;
            if (!walker.currentNode.textContent.trim() || !node.checkVisibility() || node.closest('script, .boxes, .unseen, noscript')) continue;
            const style = getComputedStyle(node);
            const colour = parse(node.closest('svg') ? style.fill : style.color);
            const [a, b] = [light(colour), light(ground(node))].sort((x, y) => y - x);
            const ratio = (a + 0.05) / (b + 0.05);
            if (ratio < 4.5) poor.add(`${node.tagName}.${node.className.baseVal ?? node.className} ${walker.currentNode.textContent.trim().slice(0, 30)} ${ratio.toFixed(2)}`);
          }
          return [...poor];
        })()
        """
}
