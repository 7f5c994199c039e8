import FleetModel
import FleetStore
import FleetTestSupport
import Foundation
import Testing

@testable import SyncCore

@Suite(
    "The pages of vehicles and statistics in Chromium", .serialized, .enabled(if: Chromium.isInstalled, Chromium.missing),
    .timeLimit(.minutes(5)))
struct VehiclePageTests {
    let browser: Chromium
    let fixture: PageFixture

    init() throws {
        browser = try Chromium.shared.get()
        fixture = try PageFixture()
    }

    /// Twelve kilometres in as many minutes, and two alerts.
    private func drive() async throws {
        for minute in 0...12 {
            try await fixture.add("truck-1", lat: 48.1 + Double(minute) * 0.008) {
                $0.odometerM = 250_000 + Double(minute) * 1000
                $0.degraded = [.init(code: .cameraCovered, since: $0.at)]
                $0.queue = .init(alerts: 3, bytes: 40_960)
            }
            fixture.clock.advance(bySeconds: 60)
        }
        for number in 1...2 {
            for alert in SampleEpisodes.overspeed(number, vehicle: "truck-1", at: fixture.now) { try await fixture.add(alert) }
        }
    }

    @Test("the vehicle page shows what it cannot do and since when, the track, the queue, and alerts for every 100 km")
    func vehicle() async throws {
        try await drive()
        fixture.clock.advance(bySeconds: 60)
        let page = try await BrowserPage(browser)
        try await page.open(fixture.url + "/vehicles/demo/truck-1")
        try await page.wait("!document.querySelector('.waiting')")
        #expect(try await page.text("#degraded").contains("Cannot warn of collisions since"))
        #expect(try await page.text("#degraded").contains("camera covered"))
        #expect(try await page.text("#facts").contains("3 messages, 40 KiB"))
        #expect(try await page.text("#track-facts") == "13 positions · 12 km by the odometer")
        #expect(try await page.text("#rates").contains("Alerts per 100 km16.7"))
        #expect(try await page.count("#near a") == 2)
        #expect(try await page.text("#what").contains("stale"))
        fixture.clock.advance(bySeconds: 1)
        try await fixture.add("truck-1")
        try await page.wait("document.getElementById('what').textContent.includes('online')", timeout: 20)
        #expect(page.problems == [])
    }

    @Test("a day has the hours that it has where the viewer is: 25 when summer time ends")
    func longDay() async throws {
        try await drive()
        let page = try await BrowserPage(browser)
        try await page.open(fixture.url + "/vehicles/demo/truck-1")
        try await page.wait("!document.querySelector('.waiting')")
        try await page.choose("#day", "2026-10-25")
        try await page.wait("document.getElementById('track-facts').textContent.includes('no positions on this day')")
        let asked = try await page.value(
            "decodeURIComponent(performance.getEntriesByType('resource').filter((e) => e.name.includes('/track?')).at(-1).name)")
        #expect(asked.string?.hasSuffix("since=2026-10-24T22:00:00.000Z&until=2026-10-25T23:00:00.000Z") == true)
        // The hour that comes twice is told with its zone.
        let stamps = try await page.value(
            "import('/web/format.js').then((f) => ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'].map(f.stamp))")
        #expect(
            stamps[0] != stamps[1] && stamps[0].string?.contains("2:30:00") == true && stamps[1].string?.contains("2:30:00") == true
        )
    }

    @Test("a vehicle that nobody knows is told in words")
    func unknown() async throws {
        let page = try await BrowserPage(browser)
        try await page.open(fixture.url + "/vehicles/demo/ghost")
        try await page.wait("document.getElementById('what').textContent === 'No such vehicle'")
        #expect(page.problems == [])
    }

    @Test("the statistics page counts by rule and vehicle, with distances and false alarms")
    func statistics() async throws {
        try await drive()
        let alert = SampleEpisodes.overspeed(1, vehicle: "truck-1", at: fixture.now)[0]
        _ = try await fixture.store.add(
            AlertReview(of: alert.id, by: alert.identity, state: .falseAlarm, note: "", name: "", at: fixture.now))
        let page = try await BrowserPage(browser)
        try await page.open(fixture.url + "/statistics")
        try await page.wait("document.querySelector('#by-vehicle td')")
        #expect(try await page.text("#by-kind tbody tr").contains("Too fast"))
        #expect(try await page.text("#by-vehicle tbody tr") == "demo/truck-1202001" + "1 (100\u{a0}%)12 km16.7")
        // The drive took the fixture's clock twelve minutes ahead of the browser's: near midnight its day has not begun there.
        if fixture.now.description.prefix(10) == Date().ISO8601Format().prefix(10) {
            #expect(try await page.count("#by-day .bar") == 1)
        }
        #expect(page.problems == [])
    }
}
