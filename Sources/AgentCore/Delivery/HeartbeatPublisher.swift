import DurableOutbox
import FleetModel
import FleetRuntime
import FoundationEssentials
import MQTTClient

/// What the delivery side adds to a heartbeat.
public struct HeartbeatContext: Sendable {
    /// Number of this heartbeat since start, from 1.
    public var seq: Int64
    /// When.
    public var at: Timestamp
    /// Time between heartbeats in s.
    public var intervalS: Double
    /// What waits in the outbox.
    public var queue: Heartbeat.Queue
    /// What delivery cannot do.
    public var degraded: Set<DegradedCode>
}

/// Publishes a heartbeat every interval, and at once when asked to, while connected: QoS 0, expiring, never queued.
struct HeartbeatPublisher: Sendable {
    /// Least time between two heartbeats in s: a state that flickers must not flood the network.
    private static let leastPauseS = 1.0

    let identity: VehicleIdentity
    let intervalS: Double
    let transport: any MQTTTransport
    let outbox: DurableOutbox
    let clock: any FleetClock
    /// What holds at the moment on the delivery side.
    let degraded: @Sendable () async -> Set<DegradedCode>
    /// The rest of the heartbeat; nil when there is nothing to say.
    let make: @Sendable (HeartbeatContext) async -> Heartbeat?
    private let beats = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(
        identity: VehicleIdentity, intervalS: Double, transport: any MQTTTransport, outbox: DurableOutbox, clock: any FleetClock,
        degraded: @escaping @Sendable () async -> Set<DegradedCode>,
        make: @escaping @Sendable (HeartbeatContext) async -> Heartbeat?
    ) {
        self.identity = identity
        self.intervalS = intervalS
        self.transport = transport
        self.outbox = outbox
        self.clock = clock
        self.degraded = degraded
        self.make = make
    }

    /// Asks for one without waiting for the interval's end.
    func beatNow() { beats.continuation.yield() }

    /// Runs until the task is cancelled. The first heartbeat comes as soon as there is a connection.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await keepTime() }
            var seq: Int64 = 0
            for await _ in beats.stream where transport.isConnected {
                seq += 1
                await publish(seq)
                try? await Task.sleep(for: .seconds(min(Self.leastPauseS, intervalS)))
            }
            group.cancelAll()
        }
    }

    /// Asks for one every interval.
    private func keepTime() async {
        var dueS = clock.monotonicS()
        while !Task.isCancelled {
            if transport.isConnected {
                beatNow()
                // Without a connection the time is not moved on, so that the first one after it comes at once.
                dueS = max(dueS + intervalS, clock.monotonicS())
                try? await Task.sleep(for: .seconds(max(0.01, dueS - clock.monotonicS())))
            } else {
                try? await Task.sleep(for: .milliseconds(200))
                dueS = clock.monotonicS()
            }
        }
    }

    private func publish(_ seq: Int64) async {
        let context = HeartbeatContext(
            seq: seq, at: clock.wallTime(), intervalS: intervalS, queue: await outbox.status().queue, degraded: await degraded())
        guard let heartbeat = await make(context), let payload = try? WireCodec.encode(heartbeat) else { return }
        // One that is older than two intervals says nothing any more.
        let message = MQTTMessage(
            topic: Topic.heartbeat(identity).name, payload: payload, qos: .atMostOnce, contentType: "application/json",
            expiryS: UInt32(max(1, (2 * intervalS).rounded(.up))), userProperties: [("schema", Heartbeat.schema)])
        // Lost without regret: the next one comes.
        _ = try? transport.publish(message)
    }
}
