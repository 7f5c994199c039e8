import FleetModel
import FleetRuntime
import FleetStore
import FleetTestSupport
import Foundation
import HTTPServer

@testable import SyncCore

/// The API over a real store, asked without a socket.
struct APIFixture {
    let folder: TemporaryFolder
    let store: SQLiteStore
    let snapshots: SnapshotFolder
    let feed = LiveFeed()
    let counters = IngestCounters()
    let clock = ManualClock()
    let api: FleetAPI

    /// `tokens` wins over `token`.
    init(
        token: String? = nil, tokens: AccessTokens? = nil, http settings: String = "http: {}", isBrokerConnected: Bool = true,
        view: SyncViewConfiguration = SyncViewConfiguration(), roads: RoadTiles? = nil
    ) throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore(path: folder.path("fleet.db"))
        snapshots = SnapshotFolder(path: folder.path("snapshots"))
        let text = "store: {path: x.db}\nmqtt: {url: 'mqtt://localhost'}\n" + settings
        let http = try SyncConfiguration(document: ConfigurationDocument(text: Array(text.utf8), file: "sync.yaml")).http
        api = FleetAPI(
            store: store, snapshots: snapshots, feed: feed, counters: counters,
            policy: AccessPolicy(hosts: ["localhost"], tokens: tokens ?? token.map { Self.tokens($0) }, clock: clock),
            http: http, view: view, roads: roads, page: try WebPage.load(), clock: clock, isBrokerConnected: { isBrokerConnected })
    }

    /// One token, called `desk`.
    static func tokens(_ text: String, role: Role = .viewer) -> AccessTokens {
        AccessTokens([.init(name: "desk", digest: SHA256.digest(of: Data(text.utf8)), createdAt: nil, role: role)])
    }

    /// A token of each role, whose text is the role's name.
    static let roles = AccessTokens(
        Role.allCases.map {
            .init(name: "the-\($0)", digest: SHA256.digest(of: Data($0.rawValue.utf8)), createdAt: nil, role: $0)
        })

    /// Stores alerts as if they arrived a second after they happened.
    func fill(_ alerts: Alert...) async throws {
        _ = try await store.store(
            alerts.map { .alert($0, payload: try WireCodec.encode($0), receivedAt: $0.at.advanced(bySeconds: 1)) })
        feed.announce()
    }

    func get(
        _ path: String, _ query: [(name: String, value: String)] = [], method: String = "GET", headers: [String: String] = [:],
        body: String = "", from address: String = "127.0.0.1", isSecure: Bool = false
    ) async -> HTTPResponse {
        await api.respond(
            to: HTTPRequest(
                method: method, path: path, query: query, headers: ["host": "localhost:8080"].merging(headers) { $1 },
                body: Data(body.utf8), remoteAddress: address, isSecure: isSecure))
    }

    /// The JSON of an answer.
    static func json(_ response: HTTPResponse) throws -> [String: Any] {
        guard case .data(let data) = response.body else { return [:] }
        return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }
}
