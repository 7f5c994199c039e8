import FleetModel
import FleetRuntime
import Foundation
import MQTTClient

/// Everything that a simulated fleet has to say, in the order of its time: made by the seed alone, nothing here knows a network.
struct FleetTraffic: Sendable {
    /// What a message is.
    enum Content: String, Sendable, CaseIterable {
        case heartbeats, alerts, snapshots, malformed, statuses

        /// What its receipt must say; nil for what is not receipted.
        var expectation: ReceiptBook.Expectation? {
            switch self {
            case .alerts: .stored
            case .snapshots: .snapshot
            case .malformed: .rejected
            case .heartbeats, .statuses: nil
            }
        }
    }

    /// A message and how it is to be sent.
    struct Sending: Sendable {
        var content: Content
        var message: MQTTMessage
        /// Index of the vehicle; decides the connection.
        var vehicle: Int
        /// What its receipt names; nil when none will come.
        var key: ReceiptBook.Key?
        /// 0: left out on purpose; 2: published twice.
        var copies = 1
        /// Held back so that others overtake it.
        var isDelayed = false
    }

    private enum Event {
        case heartbeat(Int)
        case episode
        case follow(Int, Alert, updatesLeft: Int)
        case send(Sending)
    }

    /// Seconds between revisions of an episode.
    private static let revisionPauseS = 1.0...3.0
    /// Mean number of messages of an episode: start, 0 to 4 updates, end.
    private static let messagesAnEpisode = 4.0

    private let settings: FleetSettings
    private var vehicles: [SimulatedVehicle]
    private let session: Int64
    private let connectedAt: Timestamp
    private var random: SeededGenerator
    private var fuzzer: PayloadFuzzer
    private var malformedOwed = 0.0
    private var events = DueQueue<Event>()
    /// Made out of the last event, to be sent before the next.
    private var ready: [Sending] = []
    private var nowS: Double

    /// A fleet that begins at `nowS`.
    init(_ settings: FleetSettings, nowS: Double, wall: Timestamp) {
        self.settings = settings
        self.nowS = nowS
        connectedAt = wall
        // Grows from run to run, as the stored counters of real vehicles do.
        session = Int64(wall.secondsSinceEpoch)
        random = SeededGenerator(seed: settings.seed, purpose: "fleet")
        fuzzer = PayloadFuzzer(seed: settings.seed)
        let digits = max(4, String(settings.vehicles).count)
        vehicles = (0..<settings.vehicles).compactMap { number in
            let text = String(number + 1)
            let name = "sim-" + String(repeating: "0", count: digits - text.count) + text
            return VehicleIdentity(fleet: settings.fleet, vehicle: name).map {
                SimulatedVehicle($0, seed: settings.seed, nowS: nowS, firstSeq: Int64(wall.secondsSinceEpoch) * 1000)
            }
        }
        if settings.heartbeatS > 0 {
            for index in vehicles.indices {
                events.add(.heartbeat(index), atS: nowS + settings.heartbeatS * Double(index) / Double(vehicles.count))
            }
        }
        if settings.rate > 0 { events.add(.episode, atS: nowS + pauseBetweenEpisodesS()) }
    }

    /// How far behind its time the fleet is.
    func lagS(at time: Double) -> Double { max(0, time - (events.nextS ?? time)) }

    /// Every vehicle's "online".
    func greetings() -> [Sending] { vehicles.indices.compactMap { status($0, .online, nil) } }
    /// Every vehicle's goodbye.
    func goodbyes() -> [Sending] { vehicles.indices.compactMap { status($0, .offline, .stopped) } }

    /// The next message that is due by `dueS`; nil when none is.
    mutating func next(dueBy dueS: Double, wall: Timestamp) -> Sending? {
        while ready.isEmpty {
            guard let at = events.nextS, let event = events.take(dueBy: dueS) else { return nil }
            nowS = at
            take(event, wall)
        }
        return ready.removeFirst()
    }

    private mutating func take(_ event: Event, _ wall: Timestamp) {
        switch event {
        case .send(let sending): ready.append(sending)
        case .heartbeat(let index):
            events.add(.heartbeat(index), atS: nowS + settings.heartbeatS)
            let heartbeat = vehicles[index].heartbeat(atS: nowS, wall: wall, intervalS: settings.heartbeatS, waiting: 0)
            guard let payload = try? WireCodec.encode(heartbeat) else { return }
            let message = MQTTMessage(
                topic: Topic.heartbeat(vehicles[index].identity).name, payload: payload, qos: .atMostOnce,
                contentType: "application/json", expiryS: UInt32(max(1, 2 * settings.heartbeatS)),
                userProperties: [("schema", Heartbeat.schema)])
            ready.append(Sending(content: .heartbeats, message: message, vehicle: index))
        case .episode:
            events.add(.episode, atS: nowS + pauseBetweenEpisodesS())
            begin(Int(random.next() % UInt64(vehicles.count)), wall)
        case .follow(let index, let last, let updatesLeft):
            let alert = vehicles[index].continue(last, atS: nowS, wall: wall, ends: updatesLeft == 0)
            if updatesLeft > 0 { follow(index, alert, updatesLeft - 1) }
            add(alert, index, wall)
        }
    }

    private mutating func begin(_ index: Int, _ wall: Timestamp) {
        let picture = random.uniform(0...1) < settings.snapshots ? SnapshotPicture(using: &random) : nil
        let alert = vehicles[index].beginEpisode(atS: nowS, wall: wall, picture: picture?.reference)
        follow(index, alert, Int(random.next() % 5))
        add(alert, index, wall)
        guard let picture else { return }
        let message = MQTTMessage(
            topic: Topic.snapshot(alert.identity, alertID: alert.id.description).name, payload: picture.jpeg,
            contentType: "image/jpeg",
            userProperties: [("id", alert.id.description)])
        ready.append(
            Sending(content: .snapshots, message: message, vehicle: index, key: ReceiptBook.Key(id: alert.id, revision: 0)))
    }

    private mutating func follow(_ index: Int, _ alert: Alert, _ updatesLeft: Int) {
        events.add(.follow(index, alert, updatesLeft: updatesLeft), atS: nowS + random.uniform(Self.revisionPauseS))
    }

    /// Puts an alert on its way, with the faults that are wanted.
    private mutating func add(_ alert: Alert, _ index: Int, _ wall: Timestamp) {
        guard let payload = try? WireCodec.encode(alert) else { return }
        let message = MQTTMessage(
            topic: Topic.alert(alert.identity).name, payload: payload, contentType: "application/json",
            userProperties: [("schema", Alert.schema), ("id", alert.id.description), ("revision", String(alert.revision))])
        var sending = Sending(
            content: .alerts, message: message, vehicle: index, key: ReceiptBook.Key(id: alert.id, revision: alert.revision))
        let faults = settings.faults
        if random.uniform(0...1) < faults.duplicate { sending.copies = 2 }
        if random.uniform(0...1) < faults.drop { sending.copies = 0 }
        if random.uniform(0...1) < faults.reorder {
            sending.isDelayed = true
            events.add(.send(sending), atS: nowS + random.uniform(0...FaultMix.reorderS))
        } else {
            ready.append(sending)
        }
        malformedOwed += faults.malformed
        while malformedOwed >= 1 {
            malformedOwed -= 1
            addMalformed(alert, index, wall)
        }
    }

    private mutating func addMalformed(_ alert: Alert, _ index: Int, _ wall: Timestamp) {
        let malformed = fuzzer.malformed(from: alert, wall: wall)
        var message = MQTTMessage(topic: malformed.topic, payload: malformed.payload)
        if let (id, revision) = malformed.names {
            message.userProperties = [("schema", Alert.schema), ("id", id.description), ("revision", String(revision))]
        }
        let key = malformed.names.map { ReceiptBook.Key(id: $0.id, revision: $0.revision) }
        ready.append(Sending(content: .malformed, message: message, vehicle: index, key: key))
    }

    /// Exponential pauses: episodes do not know of each other.
    private mutating func pauseBetweenEpisodesS() -> Double {
        -log(1 - random.uniform(0...0.999_999)) * Self.messagesAnEpisode / settings.rate
    }

    private func status(_ index: Int, _ state: VehicleStatus.State, _ reason: VehicleStatus.Reason?) -> Sending? {
        let who = vehicles[index].identity
        let status = VehicleStatus(
            identity: who, state: state, reason: reason, boot: "sim-\(settings.seed)", session: session, connectedAt: connectedAt)
        guard let payload = try? WireCodec.encode(status) else { return nil }
        let message = MQTTMessage(
            topic: Topic.status(who).name, payload: payload, retain: true, contentType: "application/json",
            userProperties: [("schema", VehicleStatus.schema)])
        return Sending(content: .statuses, message: message, vehicle: index)
    }
}
