import Capture
import DurableOutbox
import FleetModel
import FleetRuntime
import Foundation
import Perception
import SpeedLimits
import VisionPipeline

/// The running agent: camera and receiver threads, the pipeline thread, the outbox, delivery.
struct AgentService: Sendable {
    /// Alerts between pipeline and outbox. Far more than any drive raises; the disk would have to stand still for minutes to fill it.
    private static let alertBacklog = 10_000
    /// Seconds that delivery has at the end to get last alerts out; what it does not, goes at the next start.
    private static let lastDeliveryS = 1.0
    /// Seconds that the pipeline has at the end to end its open alerts.
    private static let lastAlertsS = 1.0
    /// Seconds between two looks for alerts that are too old.
    private static let expiryLookS = 3600.0

    private let configuration: AgentConfiguration
    private let clock: VehicleClock
    private let log = Log("agent")

    init(configuration: AgentConfiguration, clock: VehicleClock = VehicleClock()) {
        self.configuration = configuration
        self.clock = clock
    }

    /// Runs until a stop signal, or until a file that stands in for a camera is over. Throws `UserError` for what cannot work at all.
    func run(until signals: StopSignals) async throws {
        let address = try configuration.camera.address()
        // A camera may be plugged in later, and its own thread says what is wrong with it; a file that is not there never comes.
        if case .file = address { try address.check() }
        let detector = try RoadUserDetector(configuration.detector)
        let signs = try configuration.signDetector()
        let modelName = detector.modelName
        let landmarks = try LandmarkWatch.configured(configuration.landmarks)
        let studio = try SnapshotStudio(configuration)
        let limits = try LimitFusion(configuration.overspeed)
        log.info("model \(modelName) on \(detector.engineDescription)")

        let boot = BootID.current()
        let outbox = try await openOutbox()
        for alert in await outbox.endOpenEpisodes(boot: boot, monotonicS: clock.monotonicS(), clockState: clock.reading().state) {
            log.warning("alert \(alert.id) was left open by the last run and is ended as interrupted")
        }
        let state = VehicleState()
        let startedS = clock.monotonicS()
        state.update { $0.perceptionTimes = PerceptionTimes(startS: startedS) }
        let camera = CameraFrameSource(
            address,
            wish: .init(
                width: configuration.camera.width, height: configuration.camera.height,
                framesPerSecond: configuration.camera.framesPerSecond),
            clock: clock)
        let receiver = GPSDTelemetrySource(host: configuration.gps.host, port: configuration.gps.port, clock: clock)
        let heartbeats = HeartbeatMaker(
            identity: configuration.identity, boot: boot, model: modelName, startedS: startedS, state: state, clock: clock)
        let delivery = try DeliveryService(
            identity: configuration.identity, mqtt: configuration.mqtt, outbox: outbox, boot: boot,
            heartbeatIntervalS: configuration.heartbeatIntervalS, clock: clock, makeHeartbeat: { heartbeats.make($0) })

        let (alerts, feed) = AsyncStream.makeStream(of: Alert.self, bufferingPolicy: .bufferingOldest(Self.alertBacklog))
        let keeper = AlertKeeper(outbox: outbox, clock: clock)
        let outlets = LiveOutlets(
            studio: studio, clips: try ClipRecorder(configuration, clock: clock),
            preview: PreviewFeed(configuration, state: state))
        let preview = try outlets.preview.map { try PreviewServer(feed: $0, configuration) }
        let pipeline = LivePipeline(
            configuration: configuration, camera: camera, receiver: receiver, state: state, boot: boot, clock: clock,
            outlets: outlets,
            raise: { [log] alert in
                if case .dropped = feed.yield(alert) { log.error("alert \(alert.id) is lost: the outbox does not take alerts") }
            })
        camera.start()
        receiver.start()
        pipeline.start(detector: detector, signs: signs, landmarks: landmarks, limits: limits) {
            studio?.close()
            outlets.clips?.close()
            feed.finish()
        }
        log.info("watching \(address) for \(configuration.identity)")

        await withTaskGroup(of: Void.self) { group in
            group.addTask { await delivery.run() }
            let keeping = Task { await keep(alerts, keeper) }
            let picturing = Task { await studio?.run { await keeper.keep($0, $1) } }
            let clipping = Task { await outlets.clips?.run() }
            let timeKeeping = Task { await keepTime(of: outbox, boot: boot) }
            let healthKeeping = Task {
                for await _ in state.degradedChanges {
                    heartbeats.noteChange()
                    delivery.beatNow()
                }
            }
            await waitForEnd(signals, camera)
            log.info("stopping")
            pipeline.stop()
            camera.stop()
            receiver.stop()
            // The pipeline ends its open alerts last, and these ends are to go out too; a detector that hangs does not hold up the exit.
            _ = await Self.value(of: keeping, withinS: Self.lastAlertsS)
            let lastPictures = Task {
                await picturing.value
                await clipping.value
            }
            _ = await Self.value(of: lastPictures, withinS: Self.lastAlertsS)
            await preview?.stop()
            if delivery.isConnected { _ = await delivery.waitUntilDelivered(progressTimeoutS: Self.lastDeliveryS) }
            await delivery.stop()
            timeKeeping.cancel()
            healthKeeping.cancel()
            await group.waitForAll()
        }
    }

    /// Waits for `task`, but no longer than `seconds`; whether it has ended.
    private static func value(of task: Task<Void, Never>, withinS seconds: Double) async -> Bool {
        let (ended, feed) = AsyncStream.makeStream(of: Bool.self)
        let timeout = Task {
            try await Task.sleep(for: .seconds(seconds))
            feed.yield(false)
        }
        Task {
            await task.value
            feed.yield(true)
        }
        defer { timeout.cancel() }
        for await isEnded in ended { return isEnded }
        return false
    }

    private func openOutbox() async throws -> DurableOutbox {
        let folder = URL(filePath: configuration.outbox.path).deletingLastPathComponent()
        do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
            throw UserError(.ioError, "\(folder.path()): the outbox's folder cannot be made; check outbox.path and permissions")
        }
        var settings = OutboxSettings(path: configuration.outbox.path, identity: configuration.identity)
        settings.maximumBytes = configuration.outbox.maximumBytes
        settings.maximumAgeS = configuration.outbox.maximumAgeS
        let outbox = try DurableOutbox(settings: settings, clock: clock)
        try await outbox.refuseStrangers()
        return outbox
    }

    private func keep(_ alerts: AsyncStream<Alert>, _ keeper: AlertKeeper) async {
        let commentary = Commentary()
        for await alert in alerts {
            await keeper.keep(alert)
            if let line = AlertWords.line(alert) { commentary.say(line) }
        }
    }

    /// Tells the outbox when the time becomes known, and lets it drop what is too old.
    private func keepTime(of outbox: DurableOutbox, boot: String) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await reading in clock.known { await outbox.fillInTimes(boot: boot, now: reading) } }
            group.addTask {
                while !Task.isCancelled {
                    let now = clock.reading()
                    if now.state != .unsynchronised { await outbox.expire(now: now.at) }
                    try? await Task.sleep(for: .seconds(Self.expiryLookS))
                }
            }
        }
    }

    private func waitForEnd(_ signals: StopSignals, _ camera: CameraFrameSource) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await signals.wait() }
            group.addTask {
                while !Task.isCancelled, !camera.hasEnded { try? await Task.sleep(for: .milliseconds(200)) }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
