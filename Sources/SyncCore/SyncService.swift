import FleetModel
import FleetRuntime
import FleetStore
import Foundation
import HTTPServer
import MQTTClient
import RoadMap

/// The sync service: takes in what vehicles send, stores it, answers for it, and serves what is stored.
public struct SyncService: Sendable {
    /// Messages and bytes that wait for the store at most; a full queue stops the library's thread.
    static let queue = (messages: 8000, bytes: 64 << 20)
    /// Seconds from the stop signal in which broker, viewers and store must have answered; whoever stops a service wants it gone within 5 s.
    static let goodbyeS = 3.0

    private let configuration: SyncConfiguration
    private let store: any AlertStore
    private let snapshots: SnapshotIngestor
    private let client: MQTTClient
    private let counters = IngestCounters()
    private let webhookCounters = WebhookCounters()
    private let feed = LiveFeed()
    private let clock: any FleetClock
    private let log = Log("sync")

    /// Opens the store and checks what can be checked before anything runs. Throws `UserError`.
    public init(configuration: SyncConfiguration, clock: any FleetClock = SystemClock()) throws {
        self.configuration = configuration
        self.clock = clock
        store = try configuration.store.open(isSole: true)
        snapshots = SnapshotIngestor(store: store, folder: SnapshotFolder(path: configuration.store.snapshotPath))
        let mqtt = configuration.mqtt
        let clientID = Self.clientID(instance: configuration.instance, shareKey: store.shareKey)
        let filters = Topic.sharedFilters(key: store.shareKey) + [Topic.statusFilter]
        @Sendable func connection() throws -> MQTTSettings {
            var settings = try mqtt.settings(clientID: clientID)
            settings.subscriptions = filters.map { ($0, .atLeastOnce) }
            return settings
        }
        // A wrong URL or an unreadable password file ends the program now, not in the supervisor's loop.
        _ = try connection()
        client = MQTTClient(inboundCapacity: Self.queue.messages, inboundBytes: Self.queue.bytes, settings: connection)
    }

    /// The name under which an instance connects, the same after every start. Whoever could guess it could throw the instance off the broker by
    /// connecting under it, so it holds 64 bits of a digest of the store's key.
    static func clientID(instance: String, shareKey: String) -> String {
        let digest = SHA256.digest(of: Data("\(instance) \(shareKey)".utf8))
        return "sync-\(instance)-" + digest.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Serves until a stop signal; SIGHUP reads certificate and tokens anew. `readyFile` gets the page's URL once it can be asked for.
    public func run(until signals: StopSignals, readyFile: String? = nil) async throws {
        try await run(readyFile: readyFile, reloads: signals.reloads) { _ = await signals.wait() }
    }

    /// Serves until `end` returns.
    func run(
        readyFile: String?, reloads: AsyncStream<Void> = AsyncStream { $0.finish() }, until end: @Sendable () async -> Void
    ) async throws {
        let server = try makeServer()
        let port = try server.start()
        let reloading = Task { for await _ in reloads { await server.reload() } }
        defer { reloading.cancel() }
        let url = "\(configuration.http.certFile == nil ? "http" : "https")://\(urlHost):\(port)/"
        log.info("fleet view at \(url)")
        if let readyFile { try write(url + "\n", to: readyFile) }
        let serving = Task { await serve() }
        let notifying = Task { await webhooks.run() }
        let ingesting = Task { await ingestLoop.run() }
        await end()
        log.info("stopping")
        let stoppedAtS = MonotonicTime.now()
        await client.stop()
        feed.finish()
        await server.stop()
        serving.cancel()
        notifying.cancel()
        let untilS = stoppedAtS + Self.goodbyeS
        if await !ends([serving, ingesting], untilS: untilS) {
            log.warning("the store does not answer; leaving without it, nothing is receipted that it does not have")
        } else if await !ends([notifying], untilS: untilS) {
            log.warning("a webhook's server does not answer; leaving without it, the message is sent after the next start")
        }
    }

    /// All that runs beside the intake until it is cancelled.
    private func serve() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await client.run() }
            group.addTask { await drainEvents() }
            group.addTask { await RetentionLoop(store: store, retention: configuration.store.retention, clock: clock).run() }
            group.addTask {
                await SnapshotLoop(ingestor: snapshots, maximumAgeS: configuration.store.pictureMaximumAgeS, clock: clock).run()
            }
            group.addTask {
                await LogRetentionLoop(store: store, auditAgeS: configuration.store.auditAgeS, clock: clock).run()
            }
            // Readers here see what other instances store.
            group.addTask { for await _ in store.changesElsewhere() { feed.announce() } }
        }
    }

    private var webhooks: WebhookService {
        WebhookService(rules: configuration.webhooks, store: store, clock: clock, counters: webhookCounters, feed: feed)
    }

    private var ingestLoop: IngestLoop {
        IngestLoop(
            ingestor: Ingestor(store: store, counters: counters), snapshots: snapshots, client: client, feed: feed,
            counters: counters, clock: clock)
    }

    /// Whether all of `tasks` end by `untilS`. Who does not answer is left: without a receipt the vehicles send it all again.
    private func ends(_ tasks: [Task<Void, Never>], untilS: Double) async -> Bool {
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        Task {
            for task in tasks { await task.value }
            end.yield(true)
        }
        let timeout = Task {
            try await Task.sleep(for: .seconds(max(0, untilS - MonotonicTime.now())))
            end.yield(false)
        }
        defer { timeout.cancel() }
        for await isDone in ends { return isDone }
        return false
    }

    private var urlHost: String {
        configuration.http.address.contains(":") ? "[\(configuration.http.address)]" : configuration.http.address
    }

    private func write(_ text: String, to path: String) throws {
        do { try Data(text.utf8).write(to: URL(filePath: path), options: .atomic) } catch {
            throw UserError(.ioError, "\(path): cannot be written")
        }
    }

    private func makeServer() throws -> FleetServer {
        let page = try WebPage.load()
        let roads = try configuration.view.mapFile.map { RoadTiles(map: try MapFile(path: $0)) }
        return try FleetServer(http: configuration.http, clock: clock) {
            [configuration, store, snapshots, feed, counters, webhookCounters, clock, client] policy, http, metrics in
            FleetAPI(
                store: store, snapshots: snapshots.folder, feed: feed, counters: counters, webhooks: webhookCounters,
                policy: policy, http: http, view: configuration.view, roads: roads, page: page, clock: clock, metrics: metrics,
                isBrokerConnected: { client.isConnected })
        }
    }

    private func drainEvents() async { for await _ in client.events {} }
}
