import FleetModel
import FleetRuntime
import FleetStore
import Foundation
import HTTPServer
import MQTTClient

/// The sync service: takes in what vehicles send, stores it, answers for it, and serves what is stored.
public struct SyncService: Sendable {
    /// Messages that one transaction takes at most.
    static let batchLimit = 500
    /// Seconds to wait before a batch that the store could not take is tried again.
    static let storeRetryS = 2.0

    private let configuration: SyncConfiguration
    private let store: SQLiteStore
    private let client: MQTTClient
    private let counters = IngestCounters()
    private let feed = LiveFeed()
    private let clock: any FleetClock
    private let log = Log("sync")

    /// Opens the store and checks what can be checked before anything runs. Throws `UserError`.
    public init(configuration: SyncConfiguration, clock: any FleetClock = SystemClock()) throws {
        self.configuration = configuration
        self.clock = clock
        var settings = SQLiteStore.Settings()
        settings.lateAfterS = configuration.lateAfterS
        settings.quarantineBytes = configuration.quarantineBytes
        settings.isSole = true
        store = try SQLiteStore(path: configuration.storePath, settings: settings)
        let mqtt = configuration.mqtt
        let clientID = "sync-\(configuration.instance)"
        @Sendable func connection() throws -> MQTTSettings {
            var settings = try mqtt.settings(clientID: clientID)
            settings.subscriptions = (Topic.sharedFilters + [Topic.statusFilter]).map { ($0, .atLeastOnce) }
            return settings
        }
        // A wrong URL or an unreadable password file ends the program now, not in the supervisor's loop.
        _ = try connection()
        client = MQTTClient(settings: connection)
    }

    /// Serves until a stop signal. `readyFile` gets the page's URL once it can be asked for.
    public func run(until signals: StopSignals, readyFile: String? = nil) async throws {
        try await run(readyFile: readyFile) { _ = await signals.wait() }
    }

    /// Serves until `end` returns.
    func run(readyFile: String?, until end: @Sendable () async -> Void) async throws {
        let server = try makeServer()
        let port = try server.start()
        let url = "\(configuration.http.certFile == nil ? "http" : "https")://\(urlHost):\(port)/"
        log.info("fleet view at \(url)")
        if let readyFile { try write(url + "\n", to: readyFile) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await client.run() }
            group.addTask { await ingest() }
            group.addTask { await drainEvents() }
            await end()
            log.info("stopping")
            await client.stop()
            feed.finish()
            await server.stop()
            await group.waitForAll()
        }
    }

    private var urlHost: String {
        configuration.http.address.contains(":") ? "[\(configuration.http.address)]" : configuration.http.address
    }

    private func write(_ text: String, to path: String) throws {
        do { try Data(text.utf8).write(to: URL(filePath: path), options: .atomic) } catch {
            throw UserError(.ioError, "\(path): cannot be written")
        }
    }

    private func makeServer() throws -> HTTPServer {
        let http = configuration.http
        var settings = HTTPServer.Settings()
        settings.address = http.address
        settings.port = http.port
        if let certFile = http.certFile, let keyFile = http.keyFile {
            settings.tls = (
                String(decoding: try FilePieces.contents(of: certFile, limit: 1 << 20), as: UTF8.self), try SecretFile.text(keyFile)
            )
        }
        let hosts = Set([http.address, "[\(http.address)]", "localhost", "127.0.0.1", "[::1]"] + http.hosts)
        let policy = AccessPolicy(hosts: hosts, token: try http.tokenFile.map(SecretFile.read), clock: clock)
        let api = FleetAPI(
            store: store, feed: feed, counters: counters, policy: policy, http: http, page: try WebPage.load(), clock: clock,
            isBrokerConnected: { [client] in client.isConnected })
        return HTTPServer(settings: settings) { await api.respond(to: $0) }
    }

    /// Takes batches from the broker until the client ends; while the store commits one, the next is read.
    private func ingest() async {
        let ingestor = Ingestor(store: store, lateAfterS: configuration.lateAfterS, counters: counters)
        var next = await readBatch(ingestor)
        while let readings = next {
            async let following = readBatch(ingestor)
            guard await keep(readings, ingestor) else { return }
            next = await following
        }
    }

    /// The next batch, read; nil when the client has ended.
    private func readBatch(_ ingestor: Ingestor) async -> [MessageReader.Reading]? {
        guard let batch = await client.inbound.take(atMost: Self.batchLimit) else { return nil }
        return ingestor.read(
            batch.map { message in
                InboundMessage(
                    topic: message.topic, payload: message.payload, isRetained: message.retain,
                    properties: Dictionary(message.userProperties.map { ($0.name, $0.value) }) { $1 }, receivedAt: clock.wallTime())
            })
    }

    /// Stores a batch and answers for it. A batch that the store cannot take is tried again: it is never dropped, the queue behind it
    /// fills, and the broker holds the rest back. False when it had to be given up because the service ends.
    private func keep(_ readings: [MessageReader.Reading], _ ingestor: Ingestor) async -> Bool {
        var failed = false
        while true {
            do {
                let result = try await ingestor.store(readings)
                if failed { log.info("the store takes alerts again") }
                publish(result)
                return true
            } catch {
                counters.update { $0.storeFailures += 1 }
                if !failed { log.error("the store cannot take alerts: \(error); trying again") }
                failed = true
                try? await Task.sleep(for: .seconds(Self.storeRetryS))
                // At the end of the service nobody is there to retry for; without a receipt the vehicle sends it all again.
                if client.inbound.isClosed { return false }
            }
        }
    }

    private func publish(_ result: Ingestor.Result) {
        for (vehicle, receipts) in result.receipts {
            guard let payload = try? WireCodec.encode(receipts) else { continue }
            let message = MQTTMessage(
                topic: Topic.receipt(vehicle).name, payload: payload, qos: .atMostOnce, contentType: "application/json")
            // A receipt that cannot be sent costs one resend.
            if (try? client.publish(message)) != nil { counters.update { $0.receiptMessages += 1 } }
        }
        if !result.storedAlerts.isEmpty { feed.announce() }
    }

    private func drainEvents() async { for await _ in client.events {} }
}
