import FleetModel
import FleetStore
import FleetTestSupport
import Foundation
import Imaging
import Testing

@testable import SyncCore

@Suite("The alert page in Chromium", .serialized, .enabled(if: Chromium.isInstalled, Chromium.missing), .timeLimit(.minutes(5)))
struct AlertPageTests {
    let browser: Chromium
    let fixture: PageFixture

    init() throws {
        browser = try Chromium.shared.get()
        fixture = try PageFixture()
    }

    /// Opens the page of an alert, of which all revisions are stored.
    private func open(_ episode: [Alert], width: Int = 1366, height: Int = 900) async throws -> BrowserPage {
        for alert in episode { try await fixture.add(alert) }
        let page = try await BrowserPage(browser, width: width, height: height)
        try await page.open("\(fixture.url)/alerts/\(episode[0].id)")
        try await page.wait("!document.querySelector('.waiting')")
        return page
    }

    private func put(_ jpeg: Data, of alert: Alert) async throws {
        try await fixture.snapshots.put(jpeg, of: alert.id, by: alert.identity, hasAlert: true)
    }

    @Test("the page says in words what happened, why, how sure the limit is, and what came before")
    func words() async throws {
        for alert in SampleEpisodes.headway(1, vehicle: "truck-1", at: fixture.now.advanced(bySeconds: -600)) {
            try await fixture.add(alert)
        }
        let page = try await open(SampleEpisodes.overspeed(2, vehicle: "truck-1", at: fixture.now))
        let text = try await page.text("#summary")
        #expect(text.contains("Drove up to 69 km/h where 50 km/h applies (read from a sign), for 9.5 s"))
        #expect(try await page.text("#why").contains("confidence of 97 %"))
        #expect(try await page.count("#chart .mark") == 6)
        #expect(try await page.text("#chart p").contains("the highest is 69 km/h, 19 km/h above the limit"))
        #expect(try await page.text("#near").contains("behind the vehicle ahead"))
        #expect(try await page.count("#near a") == 1)
        #expect(page.problems == [])
    }

    @Test("units and zone are the viewer's choice, kept and said in the page's head")
    func preferences() async throws {
        let page = try await open(SampleEpisodes.overspeed(2, vehicle: "truck-1", at: fixture.now))
        #expect(try await page.text("#chosen") == "km/h · Europe/Berlin time")
        try await page.choose("#unit", "mph")
        try await page.wait(
            "document.getElementById('what').textContent.includes('Drove up to 43 mph where 50 km/h (31 mph) applies')")
        try await page.choose("#zone", "utc")
        try await page.wait("document.getElementById('facts-line').textContent.includes(' UTC')")
        try await page.choose("#theme", "dark")
        try await page.open("\(fixture.url)/")
        #expect(try await page.text("#chosen") == "mph · UTC")
        #expect(try await page.value("document.documentElement.dataset.theme").string == "dark")
    }

    /// The box as the browser drew it must lie on the edges of the green rectangle that the picture holds at the same place.
    @Test(
        "the box lies where the picture shows it, at three sizes, whole and filling",
        arguments: [(1366, 900), (800, 1000), (390, 844)])
    func boxPosition(size: (width: Int, height: Int)) async throws {
        let jpeg = try SamplePictures.target()
        let episode = SampleEpisodes.collision(1, vehicle: "truck-1", at: fixture.now, snapshot: SamplePictures.reference(jpeg))
        try await put(jpeg, of: episode[0])
        let page = try await open(episode, width: size.width, height: size.height)
        try await page.wait("document.querySelector('#picture img')?.complete")
        var widths: [Int] = []
        // A frame of another shape than the picture's, so that whole and filling differ.
        try await page.value("document.getElementById('picture').style.aspectRatio = '1 / 1'")
        for fit in ["fit", "fill"] {
            try await page.click("#fit-toggle [data-fit=\(fit)]")
            try await page.value("document.getElementById('picture').scrollIntoView({block: 'start'})")
            let shot = try Frame.decode(try await page.picture())
            let frame = try await page.value(
                "(() => { const r = document.getElementById('picture').getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; })()"
            )
            guard let found = Self.edges(shot, frame) else {
                Issue.record("no box or no picture to be seen: \(fit) \(size)")
                continue
            }
            widths.append(found.green[2] - found.green[0])
            // The line is 3 pixels wide with a dark seam of one: its middle lies on the rectangle's edge.
            for (line, edge) in zip(found.box, found.green) {
                #expect(abs(line - edge) <= 3, "\(fit) \(size): box \(found.box), picture \(found.green)")
            }
        }
        #expect(widths.count == 2 && widths.last ?? 0 > (widths.first ?? 0) * 3 / 2, "filling shows the same as whole: \(widths)")
    }

    /// Left, upper, right and lower end of the red line's outer edge and of the green area, in pixels of `shot` within `frame`.
    private static func edges(_ shot: borrowing Frame, _ frame: JSONValue) -> (box: [Int], green: [Int])? {
        func number(_ index: Int) -> Int { Int(frame[index].double ?? 0) }
        let xs = max(0, number(0))..<min(shot.width, number(0) + number(2))
        let ys = max(0, number(1))..<min(shot.height, number(1) + number(3))
        var (red, green): ([Int]?, [Int]?)
        func widen(_ edges: [Int]?, _ x: Int, _ y: Int) -> [Int] {
            guard let edges else { return [x, y, x, y] }
            return [min(edges[0], x), min(edges[1], y), max(edges[2], x), max(edges[3], y)]
        }
        for y in ys {
            for x in xs {
                let (b, g, r) = (
                    Int(shot.sample(x: x, y: y, channel: 0) ?? 0), Int(shot.sample(x: x, y: y, channel: 1) ?? 0),
                    Int(shot.sample(x: x, y: y, channel: 2) ?? 0)
                )
                if r > 200, g < 110, b < 110 { red = widen(red, x, y) }
                if g > 200, r < 90, b < 90 { green = widen(green, x, y) }
            }
        }
        guard let red, let green else { return nil }
        // The line covers the rim of the green area by half its width and its seam.
        return (red, [green[0] - 2, green[1] - 2, green[2] + 2, green[3] + 2])
    }

    @Test("a picture that has not arrived is told and can be looked for again")
    func missingPicture() async throws {
        let jpeg = try SamplePictures.road()
        let episode = SampleEpisodes.collision(1, vehicle: "truck-1", at: fixture.now, snapshot: SamplePictures.reference(jpeg))
        let page = try await open(episode)
        try await page.wait("document.getElementById('picture').textContent.includes('has not arrived yet')")
        try await put(jpeg, of: episode[0])
        try await page.click("#picture button")
        try await page.wait("document.querySelector('#picture img') && document.querySelector('#picture rect')")
    }

    @Test("a review is kept with note, name and history, seen by others at once, and counted in the false-alarm rate")
    func review() async throws {
        let episode = SampleEpisodes.overspeed(1, vehicle: "truck-1", at: fixture.now)
        let live = try await BrowserPage(browser)
        try await live.open(fixture.url + "/")
        try await live.wait("document.getElementById('connection').textContent === 'Connected'")
        let page = try await open(episode)
        try await live.wait("document.querySelector('#alert-rows li')?.textContent.includes('ended')")
        for (state, note) in [("confirmed", "Looked at the picture"), ("false_alarm", "It was the service road")] {
            try await page.click("#review input[value=\(state)]")
            try await page.value("document.getElementById('note').focus()")
            try await page.type(note)
            try await page.value("document.getElementById('name').value = 'Kim Doe'")
            try await page.click("#review button")
            try await page.wait("document.getElementById('history').textContent.includes(\(BrowserPage.quoted(note)))")
            // The stream may have brought the review before the form has its answer.
            try await page.wait("!document.querySelector('#review button').disabled")
        }
        #expect(try await page.count("#history li") == 2)
        #expect(try await page.text("#history li").contains("false alarm"))
        #expect(try await page.text("#rates").contains("days: 1, reviewed: 1, of these false alarms: 1 (100\u{a0}%)."))
        try await live.wait("document.querySelector('#alert-rows li').textContent.includes('false alarm')")
        #expect(page.problems == [])
        #expect(live.problems == [])
    }

    @Test("two people who judge the same alert at once: both are kept, the last one holds, and what one is writing stays")
    func twoReviewers() async throws {
        let episode = SampleEpisodes.overspeed(1, vehicle: "truck-1", at: fixture.now)
        let first = try await open(episode)
        let second = try await BrowserPage(browser)
        try await second.open("\(fixture.url)/alerts/\(episode[0].id)")
        try await second.wait(
            "!document.querySelector('.waiting') && document.getElementById('connection').textContent === 'Connected'")
        try await second.click("#review input[value=coached]")
        try await second.value("document.getElementById('note').focus()")
        try await second.type("Half a sen")
        try await first.click("#review input[value=confirmed]")
        try await first.click("#review button")
        try await second.wait("document.querySelector('#history li')?.textContent.includes('confirmed')")
        #expect(try await second.value("document.getElementById('note').value").string == "Half a sen")
        #expect(try await second.value("document.getElementById('review').elements.state.value").string == "coached")
        try await second.type("tence")
        try await second.click("#review button")
        for page in [first, second] {
            try await page.wait("document.querySelectorAll('#history li').length === 2")
            #expect(try await page.text("#history li").contains("driver coached"))
            try await page.wait("document.querySelector('#facts-line .review').textContent === 'driver coached'")
            #expect(page.problems == [])
        }
        #expect(try await fixture.store.reviews(of: episode[0].id).map(\.note) == ["", "Half a sentence"])
    }

    @Test("an alert that nobody knows is told in words")
    func unknown() async throws {
        for id in ["0197f0a0-0000-7000-8000-000000000001", "nonsense"] {
            let page = try await BrowserPage(browser)
            try await page.open("\(fixture.url)/alerts/\(id)")
            try await page.wait("document.getElementById('what').textContent === 'No such alert'")
            #expect(page.problems == [])
        }
    }
}
