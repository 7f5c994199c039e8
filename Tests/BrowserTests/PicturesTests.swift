import FleetModel
import FleetRuntime
import FleetStore
import FleetTestSupport
import Foundation
import Testing

@testable import SyncCore

extension PageFixture {
    /// The alert whose page is shown.
    static let pictured = SampleEpisodes.collision(3, vehicle: "truck-3", at: .epoch, snapshot: nil)[0].id

    /// A small fleet with something of everything.
    func fillForPictures() async throws {
        let jpeg = try SamplePictures.road()
        // It ends now.
        clock.advance(bySeconds: -31 * 60)
        for minute in 0...30 {
            try await add("truck-3", lat: 48.09 + Double(minute) * 0.0022, lon: 11.46 + 0.1 * sin(Double(minute) / 9)) {
                $0.odometerM = 250_000 + Double(minute) * 1000
            }
            clock.advance(bySeconds: 60)
        }
        for number in 1...14 {
            try await add(
                "truck-\(number)", lat: 48.08 + Double(number * 7 % 11) * 0.011, lon: 11.42 + Double(number * 5 % 13) * 0.022
            ) {
                $0.speedMps = Double(number % 5) * 4
                $0.odometerM = 281_000
                if number == 4 { $0.degraded = [.init(code: .cameraCovered, since: $0.at.advanced(bySeconds: -3000))] }
                if number == 9 { $0.degraded = [.init(code: .gpsNoFix, since: $0.at.advanced(bySeconds: -200))] }
                if number == 6 { $0.queue = .init(alerts: 12, bytes: 80_000) }
            }
        }
        let lost = VehicleStatus(
            identity: Self.identity("truck-12"), state: .offline, reason: .lost, boot: "b", session: 2, connectedAt: now)
        _ = try await store.store([.status(lost, receivedAt: now)])
        func ago(_ seconds: Double) -> Timestamp { now.advanced(bySeconds: -seconds) }
        var episodes: [[Alert]] = [
            SampleEpisodes.headway(1, vehicle: "truck-3", at: ago(1500)),
            SampleEpisodes.overspeed(2, vehicle: "truck-8", at: ago(900)),
            SampleEpisodes.headway(4, vehicle: "truck-5", at: ago(640)),
            SampleEpisodes.overspeed(5, vehicle: "truck-3", severity: .caution, at: ago(480), source: .map),
            SampleEpisodes.landmark(6, vehicle: "truck-2", name: "depot-gate", at: ago(300)),
            SampleEpisodes.collision(3, vehicle: "truck-3", at: ago(240), snapshot: SamplePictures.reference(jpeg)),
        ]
        episodes.append(Array(SampleEpisodes.overspeed(7, vehicle: "truck-10", at: ago(8)).prefix(3)))
        for episode in episodes { for alert in episode { try await add(alert) } }
        try await snapshots.put(jpeg, of: Self.pictured, by: Self.identity("truck-3"), hasAlert: true)
        for (number, state, note) in [(2, ReviewState.coached, "Spoken to on Tuesday"), (4, .falseAlarm, "The other lane")] {
            let id = number == 2 ? episodes[1][0].id : episodes[2][0].id
            let vehicle = number == 2 ? "truck-8" : "truck-5"
            _ = try await store.add(
                AlertReview(of: id, by: Self.identity(vehicle), state: state, note: note, name: "Kim Doe", at: now))
        }
        _ = try await store.add(
            AlertReview(
                of: Self.pictured, by: Self.identity("truck-3"), state: .confirmed, note: "Car ahead braked for a pedestrian.",
                name: "Kim Doe", at: now))
    }
}

/// Takes the documents' pictures; with `FLEET_PICTURES=docs/pictures` they are written there, else only looked at for errors.
@Suite("Pictures of every page", .serialized, .enabled(if: Chromium.isInstalled, Chromium.missing), .timeLimit(.minutes(5)))
struct PicturesTests {
    @Test(
        "every page is drawn without an error and without anything that moves while it appears",
        arguments: [
            ("live", "/", 1366, 768, false), ("live-dark", "/", 1366, 768, true), ("live-phone", "/", 390, 844, false),
            ("alert", "/alerts/\(PageFixture.pictured)", 1366, 1180, false),
            ("vehicle", "/vehicles/demo/truck-3", 1366, 820, false),
            ("statistics", "/statistics", 1366, 820, false),
        ])
    func picture(of: (name: String, path: String, width: Int, height: Int, isDark: Bool)) async throws {
        let fixture = try PageFixture()
        try await fixture.fillForPictures()
        let page = try await BrowserPage(
            Chromium.shared.get(), width: of.width, height: of.height, isPhone: of.width < 500, isDark: of.isDark)
        try await page.open(fixture.url + of.path)
        try await page.wait(
            "!document.querySelector('.waiting') && document.getElementById('connection').textContent !== 'Connecting …'")
        try await page.wait(
            "!document.getElementById('map') || document.querySelector('.leaflet-container .pin') || document.querySelector('#map .empty')"
        )
        if of.path.contains("alerts") { try await page.wait("document.querySelector('#picture img')?.complete") }
        let picture = try await page.picture()
        #expect(picture.count > 10_000)
        #expect(page.problems == [])
        let shift = try await page.layoutShift()
        #expect(shift.sum < 0.001, "what moved: \(shift.who)")
        if let folder = ProcessInfo.processInfo.environment["FLEET_PICTURES"] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try picture.write(to: URL(filePath: "\(folder)/\(of.name).full.png"))
            // Sixty-four colours do for a page, and make a third of the size.
            let small = try await ExternalProgram.run(
                "ffmpeg",
                [
                    "-loglevel", "error", "-y", "-i", "\(folder)/\(of.name).full.png", "-vf",
                    "split[a][b];[a]palettegen=max_colors=64[p];[b][p]paletteuse=dither=none", "\(folder)/\(of.name).png",
                ])
            #expect(small.status == 0, "\(small.output)")
            try FileManager.default.removeItem(atPath: "\(folder)/\(of.name).full.png")
        }
    }
}
