import FleetModel
import FleetRuntime
import Synchronization

/// Puts a heartbeat together from what pipeline and delivery know.
final class HeartbeatMaker: Sendable {
    private struct Health {
        var book = DegradedBook()
        /// What delivery could not do when it was last asked.
        var delivery: Set<DegradedCode> = []
    }

    private let identity: VehicleIdentity
    private let boot: String
    private let model: String
    private let startedS: Double
    private let state: VehicleState
    private let clock: VehicleClock
    private let health = Mutex(Health())
    private let log = Log("health")

    init(identity: VehicleIdentity, boot: String, model: String, startedS: Double, state: VehicleState, clock: VehicleClock) {
        self.identity = identity
        self.boot = boot
        self.model = model
        self.startedS = startedS
        self.state = state
        self.clock = clock
    }

    /// The heartbeat of this moment.
    func make(_ context: HeartbeatContext) -> Heartbeat {
        var heartbeat = Heartbeat(
            identity: identity, boot: boot, seq: context.seq, at: context.at, intervalS: context.intervalS, queue: context.queue,
            uptimeS: clock.monotonicS() - startedS, software: SoftwareVersion.current)
        heartbeat.model = model
        state.read { values in
            heartbeat.position = values.position
            heartbeat.speedMps = values.speedMps
            heartbeat.odometerM = values.odometerM
            heartbeat.limit = values.limit
            heartbeat.gps = values.gpsMode.map(Heartbeat.Receiver.init(mode:))
            heartbeat.camera = .init(
                fps: values.perceptionTimes.framesPerSecond(atS: clock.monotonicS())?.rounded(toPlaces: 1) ?? 0,
                dropped: values.droppedFrames)
            heartbeat.perceptionMs = values.perceptionTimes.take(atS: clock.monotonicS())
            heartbeat.suppressed = values.suppressed
        }
        heartbeat.degraded = degradations(delivery: context.degraded, at: context.at)
        return heartbeat
    }

    /// Takes note that the vehicle's state has changed: the log tells it, and when it began is kept, also without a connection.
    func noteChange() { _ = degradations(delivery: nil, at: clock.wallTime()) }

    /// What holds at `now`; `delivery` nil takes what it said last.
    private func degradations(delivery: Set<DegradedCode>?, at now: Timestamp) -> [Degradation] {
        health.withLock { health in
            if let delivery { health.delivery = delivery }
            var codes = health.delivery.union(state.read { $0.degraded })
            if clock.reading().state == .unsynchronised { codes.insert(.clockUnsynchronised) }
            let change = health.book.update(codes, at: now)
            for code in change.begun { log.warning("\(code.rawValue): \(code.meaning)") }
            for code in change.ended { log.info("\(code.rawValue) is over") }
            return health.book.degradations
        }
    }
}
