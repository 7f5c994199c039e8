import FleetModel
import FleetRuntime
import FleetStore
import FoundationEssentials
import MQTTClient

/// Takes batches from the broker, stores them and answers for them, until the client ends.
///
/// A batch that the store cannot take is tried again: it is never dropped, the queue behind it fills, the library's thread stands still
/// in its callback, and the broker holds the rest back. Nothing is receipted before it is stored.
struct IngestLoop: Sendable {
    /// Messages that one transaction takes at most.
    static let batchLimit = 2000
    /// Seconds to wait before a batch that the store could not take is tried again: at first, and at most.
    static let retryS = (minimum: 0.5, maximum: 15.0)

    let ingestor: Ingestor
    let client: MQTTClient
    let feed: LiveFeed
    let counters: IngestCounters
    let clock: any FleetClock
    private let log = Log("sync")

    init(ingestor: Ingestor, client: MQTTClient, feed: LiveFeed, counters: IngestCounters, clock: any FleetClock) {
        self.ingestor = ingestor
        self.client = client
        self.feed = feed
        self.counters = counters
        self.clock = clock
    }

    /// While the store commits a batch, the next is read.
    func run() async {
        var next = await readBatch()
        while let readings = next {
            async let following = readBatch()
            guard await store(readings) else { return }
            next = await following
        }
    }

    /// The next batch, read; nil when the client has ended.
    private func readBatch() async -> [MessageReader.Reading]? {
        guard let batch = await client.inbound.take(atMost: Self.batchLimit) else { return nil }
        let receivedAt = clock.wallTime()
        return ingestor.read(batch.map { InboundMessage($0, receivedAt: receivedAt) })
    }

    /// Tries until the store takes it; false when the service ends before.
    private func store(_ readings: [MessageReader.Reading]) async -> Bool {
        var backoff = Backoff(minimumS: Self.retryS.minimum, maximumS: Self.retryS.maximum)
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
                // At the end of the service nobody is there to retry for; without a receipt the vehicle sends it all again.
                guard await pause(seconds: backoff.next()) else { return false }
            }
        }
    }

    /// False when the service ended meanwhile.
    private func pause(seconds: Double) async -> Bool {
        let end = MonotonicTime.now() + seconds
        while MonotonicTime.now() < end, !client.inbound.isClosed { try? await Task.sleep(for: .milliseconds(200)) }
        return !client.inbound.isClosed
    }

    private func publish(_ result: Ingestor.Result) {
        for (vehicle, receipts) in result.receipts {
            let message = MQTTMessage(
                topic: Topic.receipt(vehicle).name, payload: receipts.payload, qos: .atMostOnce, contentType: "application/json")
            // A receipt that cannot be sent costs one resend.
            if (try? client.publish(message)) != nil { counters.update { $0.receiptMessages += 1 } }
        }
        if result.storedAlerts > 0 { feed.announce() }
    }
}
