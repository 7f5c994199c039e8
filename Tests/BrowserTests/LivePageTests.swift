import FleetModel
import FleetRuntime
import FleetStore
import FleetTestSupport
import Foundation
import Testing

@testable import SyncCore

@Suite("The live page in Chromium", .serialized, .enabled(if: Chromium.isInstalled, Chromium.missing), .timeLimit(.minutes(5)))
struct LivePageTests {
    let browser: Chromium
    let fixture: PageFixture

    init() throws {
        browser = try Chromium.shared.get()
        fixture = try PageFixture()
    }

    private func open(_ query: String = "", width: Int = 1366, height: Int = 768, isPhone: Bool = false) async throws
        -> BrowserPage
    {
        let page = try await BrowserPage(browser, width: width, height: height, isPhone: isPhone)
        try await page.open(fixture.url + "/" + query)
        try await page.wait("document.getElementById('connection').textContent === 'Connected'")
        return page
    }

    @Test("an alert appears without a reload, within a second, and changes in its place")
    func liveUpdate() async throws {
        try await fixture.add("truck-1")
        let page = try await open()
        #expect(try await page.text("#no-alerts") == "No alerts yet.")
        let episode = SampleEpisodes.overspeed(1, vehicle: "truck-1", at: fixture.now)
        // What a look at the page costs by itself on this machine, as busy as it is.
        var begun = MonotonicTime.now()
        for _ in 0..<5 { try await page.value("new Promise((done) => requestAnimationFrame(done))") }
        let slack = MonotonicTime.now() - begun
        begun = MonotonicTime.now()
        try await fixture.add(episode[0])
        try await page.wait("document.querySelector('#alert-rows li')")
        #expect(MonotonicTime.now() - begun < 1 + slack)
        #expect(try await page.text("#alert-rows li").contains("going on"))
        for revision in episode.dropFirst() { try await fixture.add(revision) }
        try await page.wait("document.querySelector('#alert-rows li').textContent.includes('ended')")
        #expect(try await page.count("#alert-rows li") == 1)
        #expect(try await page.text("#announcement").contains("truck-1"))
        #expect(page.problems == [])
    }

    @Test("filters are read from the address, written to it, and taken back by the back button")
    func filtersInAddress() async throws {
        try await fixture.add("truck-1")
        for (number, vehicle) in [(1, "truck-1"), (2, "truck-2")] {
            for alert in SampleEpisodes.overspeed(number, vehicle: vehicle, at: fixture.now) { try await fixture.add(alert) }
        }
        for alert in SampleEpisodes.collision(3, vehicle: "truck-1", at: fixture.now, snapshot: nil) {
            try await fixture.add(alert)
        }
        let page = try await open("?vehicle=truck-1&kind=overspeed")
        try await page.wait("document.querySelectorAll('#alert-rows li').length === 1")
        #expect(try await page.value("document.getElementById('filter-kind').value").string == "overspeed")
        try await page.choose("#filter-kind", "collision")
        try await page.wait("document.querySelector('#alert-rows li')?.textContent.includes('Came close')")
        #expect(try await page.value("location.search").string == "?vehicle=truck-1&kind=collision")
        try await page.value("history.back()")
        try await page.wait("document.querySelector('#alert-rows li')?.textContent.includes('Drove up')")
        try await page.click("#clear-filters")
        try await page.wait("document.querySelectorAll('#alert-rows li').length === 3")
        #expect(try await page.value("location.search.replace(/[?&]map=[^&]*/, '')").string == "")
        // What does not fit does not come in by the stream, either.
        try await page.choose("#filter-severity", "critical")
        try await page.wait("document.querySelectorAll('#alert-rows li').length === 1")
        for alert in SampleEpisodes.headway(4, vehicle: "truck-1", at: fixture.now) { try await fixture.add(alert) }
        for alert in SampleEpisodes.collision(5, vehicle: "truck-2", at: fixture.now, snapshot: nil) {
            try await fixture.add(alert)
        }
        try await page.wait("document.querySelectorAll('#alert-rows li').length === 2")
        #expect(try await !page.text("#alert-rows").contains("behind the vehicle"))
        #expect(page.problems == [])
    }

    @Test("late and unreviewed alerts can be asked for")
    func lateAndReview() async throws {
        try await fixture.add(SampleEpisodes.overspeed(1, vehicle: "truck-1", at: fixture.now)[0])
        try await fixture.add(
            SampleEpisodes.overspeed(2, vehicle: "truck-2", at: fixture.now.advanced(bySeconds: -7200))[0], lateBy: 7200)
        let first = SampleEpisodes.overspeed(1, vehicle: "truck-1", at: fixture.now)[0]
        _ = try await fixture.store.add(
            AlertReview(of: first.id, by: first.identity, state: .falseAlarm, note: "", name: "", at: fixture.now))
        let page = try await open("?late=true")
        try await page.wait("document.querySelectorAll('#alert-rows li').length === 1")
        #expect(try await page.text("#alert-rows").contains("truck-2"))
        try await page.choose("#filter-late", "")
        try await page.choose("#filter-review", "new")
        try await page.wait("document.querySelectorAll('#alert-rows li').length === 1")
        try await page.choose("#filter-review", "false_alarm")
        try await page.wait("document.querySelector('#alert-rows li')?.textContent.includes('false alarm')")
    }

    @Test("after the server was away the page comes back by itself and has missed nothing")
    func reconnect() async throws {
        try await fixture.add("truck-1")
        try await fixture.add(SampleEpisodes.overspeed(1, vehicle: "truck-1", at: fixture.now)[0])
        let page = try await open()
        await fixture.stop()
        try await page.wait("document.getElementById('connection').className === 'lost'")
        try await fixture.add(SampleEpisodes.overspeed(2, vehicle: "truck-1", at: fixture.now)[0])
        try fixture.start()
        try await page.wait("document.getElementById('connection').textContent === 'Connected'", timeout: 30)
        try await page.wait("document.querySelectorAll('#alert-rows li').length === 2")
        try await fixture.add(SampleEpisodes.overspeed(3, vehicle: "truck-1", at: fixture.now)[0])
        try await page.wait("document.querySelectorAll('#alert-rows li').length === 3")
    }

    @Test("a vehicle whose heartbeats stop turns stale without a reload, and is shown among the first")
    func stale() async throws {
        for number in 1...3 { try await fixture.add("truck-\(number)") }
        let page = try await open()
        #expect(try await page.text("#fleet-counts").contains("3 online"))
        fixture.clock.advance(bySeconds: 31)
        for number in [1, 3] { try await fixture.add("truck-\(number)") }
        try await page.wait("document.querySelector('#vehicles li').textContent.includes('stale')", timeout: 20)
        #expect(try await page.text("#vehicles li").contains("truck-2"))
        #expect(try await page.text("#fleet-counts").contains("1 stale"))
    }

    @Test("on a phone nothing is wider than the screen and the newest alert is in sight before any vehicle")
    func phone() async throws {
        for number in 1...40 { try await fixture.add("truck-\(number)") }
        for number in 1...8 {
            try await fixture.add(SampleEpisodes.overspeed(number, vehicle: "truck-\(number)", at: fixture.now)[0])
        }
        let page = try await open("", width: 390, height: 844, isPhone: true)
        try await page.wait("document.querySelectorAll('#vehicles li').length === 40")
        #expect(try await page.value("document.scrollingElement.scrollWidth <= innerWidth").bool)
        #expect(
            try await page.value("document.querySelector('#alert-rows li').getBoundingClientRect().bottom < innerHeight / 2")
                .bool)
        #expect(try await page.value("getComputedStyle(document.getElementById('filters')).display").string == "none")
        try await page.click("#show-filters")
        try await page.wait("document.getElementById('filter-kind').checkVisibility()")
        #expect(try await page.value("document.scrollingElement.scrollWidth <= innerWidth").bool)
    }

    @Test("a thousand vehicles do not push an alert out of sight")
    func alertsInSight() async throws {
        for number in 1...60 {
            try await fixture.add("truck-\(number)") { $0.degraded = [.init(code: .cameraCovered, since: $0.at)] }
        }
        try await fixture.add(SampleEpisodes.overspeed(1, vehicle: "truck-1", at: fixture.now)[0])
        let page = try await open()
        #expect(
            try await page.value("document.querySelector('#alert-rows li').getBoundingClientRect().bottom < innerHeight").bool)
        #expect(try await page.value("document.scrollingElement.scrollHeight <= innerHeight").bool)
        #expect(try await page.text("#vehicles li").contains("Cannot warn of collisions since"))
        #expect(try await page.text("#vehicles li").contains("camera covered"))
    }

    @Test("by keyboard alone: from the top to the first alert, into it, and a review of it")
    func keyboard() async throws {
        let alert = SampleEpisodes.overspeed(1, vehicle: "truck-1", at: fixture.now)[0]
        try await fixture.add(alert)
        let page = try await open()
        try await page.press("Tab")
        #expect(try await page.value("document.activeElement.className").string == "skip")
        func tab(until condition: String, most: Int = 40) async throws {
            for _ in 0..<most where try await !page.value("Boolean(\(condition))").bool { try await page.press("Tab") }
            #expect(try await page.value("Boolean(\(condition))").bool, "never reached: \(condition)")
            #expect(try await page.value("document.activeElement.matches(':focus-visible')").bool)
        }
        try await tab(until: "document.activeElement.matches('#alert-rows a')")
        try await page.press("Enter")
        try await page.wait("location.pathname.startsWith('/alerts/') && document.readyState === 'complete'")
        try await page.wait("!document.querySelector('.waiting')")
        try await tab(until: "document.activeElement.name === 'state'")
        for _ in 0..<4 where try await page.value("document.activeElement.value").string != "false_alarm" {
            try await page.press("ArrowDown")
        }
        try await page.press("Tab")
        try await page.type("Bridge above the road")
        try await tab(until: "document.activeElement.id === 'name'")
        try await page.type("Kim")
        try await page.press("Enter")
        try await page.wait("document.getElementById('review-message').textContent === 'Saved.'")
        let reviews = try await fixture.store.reviews(of: alert.id)
        #expect(reviews.map(\.state) == [.falseAlarm])
        #expect(reviews.map(\.note) == ["Bridge above the road"])
        #expect(reviews.map(\.name) == ["Kim"])
    }

    @Test(
        "a part that fails says so in its place and leaves the others working",
        arguments: ["/api/v1/vehicles", "/api/v1/view", "/api/v1/alerts"])
    func oneFails(path: String) async throws {
        try await fixture.add("truck-1")
        try await fixture.add(SampleEpisodes.overspeed(1, vehicle: "truck-1", at: fixture.now)[0])
        fixture.broken.set([path])
        let page = try await BrowserPage(browser)
        try await page.open(fixture.url + "/")
        try await page.wait("document.querySelector('.failed')")
        #expect(try await page.count(".failed") == 1)
        if path != "/api/v1/alerts" { try await page.wait("document.querySelector('#alert-rows li')") }
        if path != "/api/v1/vehicles" { try await page.wait("document.querySelector('#vehicles li')") }
        if path != "/api/v1/view" { try await page.wait("document.querySelector('.leaflet-container')") }
        fixture.broken.set([])
        try await page.click(".failed button")
        try await page.wait("!document.querySelector('.failed') && document.querySelector('#alert-rows li')")
        #expect(page.problems == [])
    }

    @Test("while somebody reads further down, new alerts wait to be shown")
    func reading() async throws {
        for number in 1...30 {
            try await fixture.add(SampleEpisodes.headway(number, vehicle: "truck-\(number)", at: fixture.now)[0])
        }
        let page = try await open()
        try await page.value("document.getElementById('feed').scrollTop = 600")
        try await fixture.add(SampleEpisodes.overspeed(99, vehicle: "truck-99", at: fixture.now)[0])
        try await page.wait("document.getElementById('show-new').textContent === 'Show 1 new alert'")
        #expect(try await page.count("#alert-rows li") == 30)
        try await page.click("#show-new")
        try await page.wait("document.querySelector('#alert-rows li').textContent.includes('truck-99')")
    }

    @Test("a list that comes late does not take the place of the one asked for after it")
    func lateAnswer() async throws {
        try await fixture.add(SampleEpisodes.overspeed(1, vehicle: "truck-1", at: fixture.now)[0])
        try await fixture.add(SampleEpisodes.headway(2, vehicle: "truck-2", at: fixture.now)[0])
        let page = try await open()
        fixture.held.withLock { $0 = "kind=overspeed" }
        try await page.choose("#filter-kind", "overspeed")
        try await page.choose("#filter-kind", "headway")
        try await page.wait("document.querySelector('#alert-rows li').textContent.includes('truck-2')")
        fixture.held.withLock { $0 = nil }
        let lists =
            "performance.getEntriesByType('resource').filter((e) => e.name.includes('/alerts?kind=overspeed') && e.responseEnd > 0).length"
        try await page.wait("\(lists) === 1")
        try await page.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        #expect(try await page.count("#alert-rows li") == 1)
        #expect(try await page.text("#alert-rows li").contains("truck-2"))
        // Nor does the stream go on with the first one's filter.
        try await fixture.add(SampleEpisodes.headway(3, vehicle: "truck-3", at: fixture.now)[0])
        try await page.wait("document.querySelector('#alert-rows li').textContent.includes('truck-3')")
    }

    @Test(
        "ages and spans are those of the server, however wrong the viewer's clock is",
        arguments: [-259_200.0, 7200.0, 34_560_000.0])
    func wrongClock(aheadByS: Double) async throws {
        try await fixture.add(SampleEpisodes.overspeed(1, vehicle: "truck-1", at: fixture.now.advanced(bySeconds: -600))[0])
        try await fixture.add(SampleEpisodes.overspeed(2, vehicle: "truck-2", at: fixture.now.advanced(bySeconds: -5400))[0])
        try await fixture.add("truck-1")
        let page = try await BrowserPage(browser)
        try await page.setClock(aheadByS: aheadByS)
        try await page.open(fixture.url + "/?when=1h")
        try await page.wait("document.querySelectorAll('#alert-rows li').length === 1")
        try await page.wait("document.querySelector('#alert-rows .ago').textContent === '10 min ago'")
        #expect(try await page.text("#alert-rows li").contains("truck-1"))
        // Of today, so that no date stands there.
        let midnight = fixture.now.millisecondsSinceEpoch % 86_400_000
        if midnight > 3_600_000 * 3 { #expect(try await !page.text("#alert-rows time").contains(",")) }
        try await page.open(fixture.url + "/vehicles/demo/truck-1")
        try await page.wait("!document.querySelector('.waiting')")
        let facts = try await page.text("#facts-line")
        #expect(facts.contains("just now") || facts.contains("s ago"))
        #expect(page.problems == [])
    }

    @Test("pages that nobody sees hold no connection; looked at again they have missed nothing")
    func hidden() async throws {
        try await fixture.add(SampleEpisodes.overspeed(1, vehicle: "truck-1", at: fixture.now)[0])
        // A browser opens six connections to a server at most: were they kept, the eighth page would never be there.
        var pages: [BrowserPage] = [try await open()]
        for _ in 0..<7 {
            try await pages.last?.setHidden(true)
            let page = try await BrowserPage(browser, beside: pages[0])
            try await page.open(fixture.url + "/")
            try await page.wait("document.getElementById('connection').textContent === 'Connected'")
            pages.append(page)
        }
        try await fixture.add(SampleEpisodes.overspeed(2, vehicle: "truck-2", at: fixture.now)[0])
        try await pages[7].wait("document.querySelectorAll('#alert-rows li').length === 2")
        #expect(try await pages[0].count("#alert-rows li") == 1)
        try await pages[0].setHidden(false)
        try await pages[0].wait("document.querySelectorAll('#alert-rows li').length === 2")
        try await fixture.add(SampleEpisodes.overspeed(3, vehicle: "truck-3", at: fixture.now)[0])
        try await pages[0].wait("document.querySelectorAll('#alert-rows li').length === 3")
        #expect(try await pages[0].text("#connection") == "Connected")
    }

    @Test("older alerts are a button away")
    func older() async throws {
        for number in 1...70 {
            try await fixture.add(SampleEpisodes.headway(number, vehicle: "truck-\(number)", at: fixture.now)[0])
        }
        let page = try await open()
        #expect(try await page.count("#alert-rows li") == 50)
        try await page.click("#more")
        try await page.wait(
            "document.querySelectorAll('#alert-rows li').length === 70 && document.getElementById('more').hidden")
    }
}
