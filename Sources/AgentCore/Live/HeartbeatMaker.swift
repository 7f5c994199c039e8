import FleetModel
import FleetRuntime
import Synchronization

/// Puts a heartbeat together from what pipeline and delivery know.
final class HeartbeatMaker: Sendable {
    private let identity: VehicleIdentity
    private let boot: String
    private let model: String
    private let startedS: Double
    private let state: VehicleState
    private let clock: VehicleClock
    private let book = Mutex(DegradedBook())
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
        var codes = context.degraded
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
            codes.formUnion(values.degraded)
        }
        if clock.reading().state == .unsynchronised { codes.insert(.clockUnsynchronised) }
        heartbeat.degraded = book.withLock { book in
            let change = book.update(codes, at: context.at)
            for code in change.begun { log.warning("\(code.rawValue): \(code.meaning)") }
            for code in change.ended { log.info("\(code.rawValue) is over") }
            return book.degradations
        }
        return heartbeat
    }
}
