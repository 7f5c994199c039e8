import DurableOutbox
import FleetModel
import FleetRuntime
import MQTTClient

/// Everything between outbox and broker: one connection, alerts with their receipts, retained status, heartbeats.
public final class DeliveryService: Sendable {
    /// Seconds that the broker has to take the goodbye.
    private static let goodbyeS = 1.0
    /// Seconds between two looks for rows whose resend is due.
    private static let resendLookS = 1.0

    /// Where alerts wait.
    public let outbox: DurableOutbox
    private let identity: VehicleIdentity
    private let client: MQTTClient
    private let alerts: AlertPublisher
    /// Nil for a replay: the vehicle's status is the live agent's to tell.
    private let status: StatusPublisher?
    private let heartbeats: HeartbeatPublisher?

    /// Makes the service and checks what can be checked before anything runs. Throws `UserError` (URL, password file).
    ///
    /// `makeHeartbeat` is asked every `heartbeatIntervalS`; nil publishes none. A replay (`isLive` false) says nothing of the vehicle:
    /// no status, no last will, and a client id of its own, so that it throws no live agent off the broker.
    public init(
        identity: VehicleIdentity, mqtt: MQTTConfiguration, outbox: DurableOutbox, boot: String = BootID.current(),
        isLive: Bool = true, heartbeatIntervalS: Double = 10, clock: any FleetClock = SystemClock(), minimumBackoffS: Double = 1,
        makeHeartbeat: (@Sendable (HeartbeatContext) async -> Heartbeat?)? = nil
    ) throws {
        self.identity = identity
        self.outbox = outbox
        let status = isLive ? StatusPublisher(identity: identity, boot: boot, outbox: outbox, clock: clock) : nil
        self.status = status
        let clientID =
            isLive
            ? "agent-\(identity.fleet)-\(identity.vehicle)"
            : "replay-\(identity.fleet)-\(identity.vehicle)-\(UInt32.random(in: 0 ... .max))"
        @Sendable func connection() throws -> MQTTSettings {
            try mqtt.checkCertificate()
            var settings = try MQTTSettings(
                url: mqtt.url, clientID: clientID, username: mqtt.username,
                passwordFile: mqtt.passwordFile,
                tls: .init(caFile: mqtt.caFile, certFile: mqtt.certFile, keyFile: mqtt.keyFile))
            settings.subscriptions = [(Topic.receipt(identity).name, .atMostOnce)]
            if isLive { settings.subscriptions.append((Topic.status(identity).name, .atLeastOnce)) }
            return settings
        }
        // A wrong URL or an unreadable password file ends the program now, not in the supervisor's loop.
        _ = try connection()
        let client = MQTTClient(minimumBackoffS: minimumBackoffS) {
            var settings = try connection()
            settings.will = try await status?.nextWill()
            return settings
        }
        self.client = client
        let alerts = AlertPublisher(identity: identity, outbox: outbox, transport: client, clock: clock)
        self.alerts = alerts
        heartbeats = makeHeartbeat.map { make in
            HeartbeatPublisher(
                identity: identity, intervalS: heartbeatIntervalS, transport: client, outbox: outbox, clock: clock,
                degraded: { await Self.degraded(client, alerts, outbox) }, make: make)
        }
    }

    /// Whether there is a connection.
    public var isConnected: Bool { client.isConnected }

    /// What delivery cannot do at the moment.
    public func degraded() async -> Set<DegradedCode> { await Self.degraded(client, alerts, outbox) }

    private static func degraded(_ client: MQTTClient, _ alerts: AlertPublisher, _ outbox: DurableOutbox) async -> Set<DegradedCode>
    {
        var codes: Set<DegradedCode> = []
        let state = await outbox.status()
        if client.refusal != nil { codes.insert(.brokerRefused) }
        if await alerts.refusal != nil { codes.insert(.brokerRefused) }
        if await alerts.isHoldingBack { codes.insert(.brokerRefused) }
        if client.hasRival { codes.insert(.clientIDTaken) }
        if state.isFull { codes.insert(.outboxFull) }
        if state.isDiskTroubled { codes.insert(.diskFull) }
        if state.rejected > 0 { codes.insert(.alertsRejected) }
        return codes
    }

    /// Publishes a heartbeat now, if there is a connection, and not only at the interval's end.
    public func beatNow() { heartbeats?.beatNow() }

    /// Connects and delivers until `stop`.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.followEvents() }
            group.addTask { await self.followInbound() }
            group.addTask { for await _ in self.outbox.changes { await self.alerts.publishDue() } }
            group.addTask {
                while !Task.isCancelled {
                    await self.alerts.publishDue()
                    try? await Task.sleep(for: .seconds(Self.resendLookS))
                }
            }
            if let heartbeats { group.addTask { await heartbeats.run() } }
            await client.run()
            group.cancelAll()
        }
    }

    /// Says that the vehicle is offline, closes the connection and ends `run`; within 5 s whatever the network does.
    public func stop() async {
        if client.isConnected, let status {
            await status.sayGoodbye(client)
            let deadline = MonotonicTime.now() + Self.goodbyeS
            while await !status.isGoodbyeAnswered, MonotonicTime.now() < deadline { try? await Task.sleep(for: .milliseconds(20)) }
        }
        await client.stop()
    }

    /// Waits until everything in the outbox has its receipt, or until `shouldStop` says so; returns the rows that are left after
    /// `progressTimeoutS` without any progress.
    public func waitUntilDelivered(
        progressTimeoutS: Double = 30, shouldStop: @Sendable () -> Bool = { false }
    ) async -> Int {
        var left = await outbox.status().rows
        var progressAtS = MonotonicTime.now()
        while left > 0, !Task.isCancelled, !shouldStop(), MonotonicTime.now() - progressAtS < progressTimeoutS {
            try? await Task.sleep(for: .milliseconds(100))
            let now = await outbox.status().rows
            if now < left { progressAtS = MonotonicTime.now() }
            left = now
        }
        return left
    }

    private func followEvents() async {
        for await event in client.events {
            switch event {
            case .connected:
                await status?.connected(client)
                await alerts.publishDue()
            case .disconnected(let end): await alerts.connectionLost(end.reason, isOwnDoing: end.isOwnDoing)
            case .published(let token, let reason):
                await status?.answered(token: token)
                await alerts.answered(token: token, reason: reason)
            }
        }
    }

    private func followInbound() async {
        while let batch = await client.inbound.take(atMost: 100) {
            for message in batch {
                switch Topic(name: message.topic) {
                case .receipt(identity): await alerts.received(receipt: message)
                case .status(identity):
                    if await status?.received(message, client) == true { client.reconnect(because: "a higher number is needed") }
                default: break
                }
            }
        }
    }
}
