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
    /// Bytes of pictures that wait beside the alerts at most.
    static let pictureBytes = 64 << 20
    /// Pictures that are answered for together.
    static let picturesAtOnce = 16

    let ingestor: Ingestor
    let snapshots: SnapshotIngestor
    let client: MQTTClient
    let feed: LiveFeed
    let counters: IngestCounters
    let clock: any FleetClock
    private let log = Log("sync")

    init(
        ingestor: Ingestor, snapshots: SnapshotIngestor, client: MQTTClient, feed: LiveFeed, counters: IngestCounters,
        clock: any FleetClock
    ) {
        self.ingestor = ingestor
        self.snapshots = snapshots
        self.client = client
        self.feed = feed
        self.counters = counters
        self.clock = clock
    }

    func run() async {
        let pictures = PictureQueue(capacityBytes: Self.pictureBytes)
        async let writing: Void = write(pictures)
        await takeAlerts(pictures)
        pictures.close()
        await writing
    }

    /// While the store commits a batch, the next is read.
    private func takeAlerts(_ pictures: PictureQueue) async {
        var next = await readBatch()
        while let batch = next {
            async let following = readBatch()
            // Alerts first: a picture that comes with its alert need not wait for it.
            guard await store(batch.readings) else { return }
            let left = batch.pictures.count { !pictures.offer($0) }
            if left > 0 { log.debug("\(left) pictures are left to be sent again: too many at once") }
            next = await following
        }
    }

    /// Beside the alerts: each picture is a question to the store and a file that is synced.
    private func write(_ pictures: PictureQueue) async {
        var isFailing = false
        while let batch = await pictures.take(atMost: Self.picturesAtOnce) {
            guard await store(take(batch, isFailing: &isFailing)) else { return }
        }
    }

    /// Messages that are read, and pictures that are not looked at yet.
    private struct Batch {
        let readings: [MessageReader.Reading]
        let pictures: [InboundMessage]
    }

    /// The next batch; nil when the client has ended.
    private func readBatch() async -> Batch? {
        guard let batch = await client.inbound.take(atMost: Self.batchLimit) else { return nil }
        let receivedAt = clock.wallTime()
        let messages = batch.map { InboundMessage($0, receivedAt: receivedAt) }
        let pictures = messages.filter(\.isSnapshot)
        let others = pictures.isEmpty ? messages : messages.filter { !$0.isSnapshot }
        return Batch(readings: ingestor.read(others), pictures: pictures)
    }

    /// Tries until the store takes it; false when the service ends before.
    private func store(_ readings: [MessageReader.Reading]) async -> Bool {
        guard !readings.isEmpty else { return true }
        var backoff = Backoff(minimumS: Self.retryS.minimum, maximumS: Self.retryS.maximum)
        var failed = false
        while true {
            do {
                let result = try await ingestor.store(readings)
                if failed {
                    log.info("the store takes alerts again")
                    counters.update { $0.isStoreFailing = false }
                }
                publish(result)
                return true
            } catch {
                counters.update {
                    $0.storeFailures += 1
                    $0.isStoreFailing = true
                }
                if !failed { log.error("the store cannot take alerts: \(error); trying again") }
                failed = true
                // At the end of the service nobody is there to retry for; without a receipt the vehicle sends it all again.
                guard await pause(seconds: backoff.next()) else { return false }
            }
        }
    }

    /// Pictures that cannot be stored now hold no alert up: they are not answered for, and the vehicle sends them again. Returns what goes
    /// into quarantine; `isFailing` says whether the last ones could not be stored.
    private func take(_ pictures: [InboundMessage], isFailing: inout Bool) async -> [MessageReader.Reading] {
        guard !pictures.isEmpty else { return [] }
        let result = await snapshots.ingest(pictures)
        if let failure = result.failure {
            counters.update { $0.storeFailures += 1 }
            if !isFailing { log.error("snapshots cannot be stored: \(failure)") }
        }
        isFailing = result.failure != nil
        for (vehicle, ids) in result.stored {
            counters.update { $0.snapshots += ids.count }
            var receipts = ReceiptWriter()
            for id in ids { receipts.add(snapshot: id) }
            publish(receipts, to: vehicle)
        }
        return result.rejected
    }

    /// False when the service ended meanwhile.
    private func pause(seconds: Double) async -> Bool {
        let end = MonotonicTime.now() + seconds
        while MonotonicTime.now() < end, !client.inbound.isClosed { try? await Task.sleep(for: .milliseconds(200)) }
        return !client.inbound.isClosed
    }

    private func publish(_ result: Ingestor.Result) {
        for (vehicle, receipts) in result.receipts { publish(receipts, to: vehicle) }
        if result.storedAlerts > 0 { feed.announce() }
    }

    private func publish(_ receipts: ReceiptWriter, to vehicle: VehicleIdentity) {
        let message = MQTTMessage(
            topic: Topic.receipt(vehicle).name, payload: receipts.payload, qos: .atMostOnce, contentType: "application/json")
        // A receipt that cannot be sent costs one resend.
        if (try? client.publish(message)) != nil { counters.update { $0.receiptMessages += 1 } }
    }
}
