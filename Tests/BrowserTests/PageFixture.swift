import FleetModel
import FleetRuntime
import FleetStore
import FleetTestSupport
import Foundation
import HTTPServer
import Synchronization

@testable import SyncCore

/// Paths that a test has put out of order.
final class BrokenPaths: Sendable {
    private let paths = Mutex<Set<String>>([])
    func contains(_ path: String) -> Bool { paths.withLock { $0.contains(path) } }
    func set(_ broken: Set<String>) { paths.withLock { $0 = broken } }
}

/// The fleet view over a real store behind a real socket, without a broker.
final class PageFixture: Sendable {
    let store: SQLiteStore
    let snapshots: SnapshotFolder
    let feed = LiveFeed()
    let clock: ManualClock
    /// Paths that are answered with an error.
    let broken = BrokenPaths()
    /// What was asked for, `METHOD PATH STATUS`.
    let asked = Mutex<[String]>([])
    /// Requests whose query holds this are answered when it is something else.
    let held = Mutex<String?>(nil)
    let port: Int
    private let folder: TemporaryFolder
    private let server = Mutex<HTTPServer?>(nil)
    private let sequences = Mutex<[VehicleIdentity: Int64]>([:])
    private let api: FleetAPI

    /// A new server; `storePath` opens a store that is there; `tokens` wins over `token`.
    init(token: String? = nil, tokens given: AccessTokens? = nil, storePath: String? = nil, roads: RoadTiles? = nil) throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore(path: storePath ?? folder.path("fleet.db"))
        snapshots = SnapshotFolder(path: folder.path("snapshots"))
        clock = ManualClock(wall: WallClock.now())
        port = FreePort.next()
        let text = "store: {path: x.db}\nmqtt: {url: 'mqtt://localhost'}\nhttp: {}"
        let http = try SyncConfiguration(document: ConfigurationDocument(text: Array(text.utf8), file: "sync.yaml")).http
        let tokens =
            given ?? token.map { AccessTokens([.init(name: "desk", digest: SHA256.digest(of: Data($0.utf8)), createdAt: nil)]) }
        api = FleetAPI(
            store: store, snapshots: snapshots, feed: feed, counters: IngestCounters(),
            policy: AccessPolicy(hosts: ["127.0.0.1"], tokens: tokens, clock: clock), http: http, roads: roads,
            page: try WebPage.load(),
            clock: clock,
            isBrokerConnected: { true })
        try start()
    }

    var url: String { "http://127.0.0.1:\(port)" }
    var now: Timestamp { clock.wallTime() }

    /// Listens on the same port as before.
    func start() throws {
        var settings = HTTPServer.Settings()
        settings.port = port
        let new = HTTPServer(settings: settings) { [weak self, api, broken] request in
            if broken.contains(request.path) { return .problem(503, "out of order") }
            let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
            _ = await eventually { self?.held.withLock { $0.map { !query.contains($0) } } ?? true }
            let response = await api.respond(to: request)
            self?.asked.withLock { $0.append("\(request.method) \(request.path) \(response.status)") }
            return response
        }
        _ = try new.start()
        server.withLock { $0 = new }
    }

    func stop() async {
        let running = server.withLock { server in
            defer { server = nil }
            return server
        }
        await running?.stop()
    }

    /// Stores alerts as if they arrived a second after they happened.
    func add(_ alerts: Alert..., lateBy delayS: Double = 1) async throws {
        let numbered = alerts.map { alert in
            var alert = alert
            alert.seq = sequences.withLock { numbers in
                numbers[alert.identity, default: 0] += 1
                return numbers[alert.identity, default: 0]
            }
            return alert
        }
        _ = try await store.store(
            numbered.map { .alert($0, payload: try WireCodec.encode($0), receivedAt: $0.at.advanced(bySeconds: delayS)) })
        feed.announce()
    }

    /// Stores a vehicle that is connected and has just sent a heartbeat.
    func add(_ vehicle: String, lat: Double = 48.137, lon: Double = 11.575, _ change: (inout Heartbeat) -> Void = { _ in })
        async throws
    {
        let who = Self.identity(vehicle)
        let status = VehicleStatus(identity: who, state: .online, reason: nil, boot: "b", session: 1, connectedAt: now)
        var beat = Heartbeat(
            identity: who, boot: "b", seq: 1, at: now, intervalS: 10, queue: .init(alerts: 0, bytes: 0), uptimeS: 5000,
            software: "1.0.0")
        beat.position = AlertPosition(lat: lat, lon: lon, headingDeg: 87, accuracyM: 4)
        beat.speedMps = 12.5
        beat.limit = Speed(50, .kilometresPerHour)
        change(&beat)
        _ = try await store.store([
            .status(status, receivedAt: now), .heartbeat(beat, payload: try WireCodec.encode(beat), receivedAt: now),
        ])
    }

    static func identity(_ vehicle: String, fleet: String = "demo") -> VehicleIdentity {
        VehicleIdentity(fleet: fleet, vehicle: vehicle)!
    }
}
