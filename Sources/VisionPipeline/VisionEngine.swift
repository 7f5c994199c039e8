import FleetModel
import FleetRuntime
import Foundation
import Imaging
import Perception
import SafetyRules
import SpeedLimits
import Synchronization
import WorldModel

/// The engine for programs of one's own: frames and fixes go in, streams of what is known come out.
///
/// ```swift
/// let engine = VisionEngine(detector: try RoadUserDetector(modelPath: nil), identity: vehicle)
/// Task { for await objects in engine.collisionObjects { show(objects) } }
/// for await update in engine.updates { ... }       // one for every frame, when all of it is done
/// engine.submit(frame, atS: 12.4)                  // returns at once; the engine has a thread of its own
/// engine.submit(fix)
/// engine.finish()                                  // ends open alerts, then all streams
/// ```
///
/// Every stream can be asked for as often as you like; each reader gets every value from then on. Values are small and a reader that falls
/// behind by more than `backlog` loses the oldest. Safe from every thread.
public final class VisionEngine: Sendable {
    /// What the own vehicle does, after every fix and frame.
    public typealias VehicleState = EgoState

    /// What the law asks of the own vehicle here, as far as it is known.
    public struct RoadRestrictions: Hashable, Sendable {
        /// The moment: seconds on the clock of frames and fixes.
        public var timeS: Double
        /// The speed limit that applies; nil when unknown.
        public var speedLimit: SpeedLimit?
    }

    /// All road users of one frame.
    public struct CollisionObjects: Hashable, Sendable {
        /// The frame's number, from 0.
        public var frame: Int
        /// Its time, in s.
        public var timeS: Double
        /// Its size in pixels.
        public var size: FrameSize
        /// The tracks, with boxes in pixels, time to collision, distance and whether they are in the path.
        public var objects: [WorldObject]
    }

    /// A frame, or a fix between two frames, is done: everything that came of it has gone to the streams before.
    public struct Update: Sendable {
        /// The moment, in s.
        public var timeS: Double
        /// The frame's number; nil for a fix.
        public var frame: Int?
        /// Alerts that began, changed or ended.
        public var alerts: [Alert]
        /// Time spent on the frame; nil for a fix.
        public var timings: StageTimings?
        /// What failed, in words; the engine goes on with the next frame.
        public var failures: [String]
    }

    /// Frames that may wait: when the engine is slower than its frames, the oldest go.
    public enum Waiting: Sendable {
        /// The newest frame only, as a live camera wants it.
        case newest
        /// Every frame, as a recording wants it. Memory is the caller's care.
        case all
    }

    /// Values that a slow reader may be behind.
    public static let backlog = 64

    private enum Input: Sendable {
        case frame(SharedFrame, timeS: Double)
        case fix(PositionFix)
    }

    private struct State {
        var inputs: [Input] = []
        var isFinished = false
        var dropped = 0
    }

    private let state = Mutex(State())
    private let bell = DispatchSemaphore(value: 0)
    private let waiting: Waiting
    private let vehicle = Broadcast<VehicleState>()
    private let restrictions = Broadcast<RoadRestrictions>()
    private let collisions = Broadcast<CollisionObjects>()
    private let completed = Broadcast<Update>()

    /// An engine that runs at once. `identity` stands in its alerts; `startedAt` is the wall time of the clock's 0.
    public init(
        settings: Pipeline.Settings = .init(), detector: sending (any Detector)?, landmarks: sending LandmarkWatch? = nil,
        limits: any SpeedLimitProvider & Sendable = LimitPrecedence([]), identity: VehicleIdentity,
        startedAt: Timestamp = .epoch, waiting: Waiting = .newest
    ) {
        self.waiting = waiting
        let context = AlertGate.Context(
            identity: identity, origin: .live, boot: "engine", software: SoftwareVersion.current,
            model: detector?.modelName)
        let pipeline = Pipeline(
            settings: settings, detector: detector, landmarks: landmarks, limits: limits,
            gate: AlertGate(context: context, makeID: LiveAlertID.source()))
        let handover = Handover(pipeline)
        Thread.detachNewThread { [self] in
            guard var pipeline = handover.take() else { return }
            run(&pipeline, startedAt: startedAt)
        }
    }

    /// The own vehicle, after every fix and frame.
    public var vehicleStates: AsyncStream<VehicleState> { vehicle.stream() }
    /// The limit that applies, after every fix and frame.
    public var roadRestrictions: AsyncStream<RoadRestrictions> { restrictions.stream() }
    /// The road users of every frame.
    public var collisionObjects: AsyncStream<CollisionObjects> { collisions.stream() }
    /// One for every frame and fix, when it is done.
    public var updates: AsyncStream<Update> { completed.stream() }
    /// Frames that were left out because a newer one came.
    public var droppedFrames: Int { state.withLock { $0.dropped } }

    /// Gives the engine a frame with three channels, taken at `timeS`; times must grow. Returns at once. After `finish` nothing is taken.
    public func submit(_ frame: consuming Frame, atS timeS: Double) {
        let input = Input.frame(SharedFrame(frame), timeS: timeS)
        state.withLock { state in
            guard !state.isFinished else { return }
            if waiting == .newest {
                let before = state.inputs.count
                state.inputs.removeAll { if case .frame = $0 { true } else { false } }
                state.dropped += before - state.inputs.count
            }
            state.inputs.append(input)
        }
        bell.signal()
    }

    /// Gives the engine a fix.
    public func submit(_ fix: PositionFix) {
        state.withLock { if !$0.isFinished { $0.inputs.append(.fix(fix)) } }
        bell.signal()
    }

    /// No more comes: what waits is processed, open alerts end, then the streams do.
    public func finish() {
        state.withLock { $0.isFinished = true }
        bell.signal()
    }

    private func run(_ pipeline: inout Pipeline, startedAt: Timestamp) {
        var estimator = EgoStateEstimator()
        var (frames, lastS) = (0, 0.0)
        func moment(_ timeS: Double) -> Pipeline.Moment {
            Pipeline.Moment(at: startedAt.advanced(bySeconds: timeS), timeS: timeS, clock: .unsynchronised)
        }
        while let input = next() {
            switch input {
            case .fix(let fix):
                estimator.update(fix)
                lastS = max(lastS, fix.timeS)
                let ego = estimator.state(at: lastS)
                let result = pipeline.process(ego: ego, at: moment(lastS))
                tell(ego, result.limit, atS: lastS)
                completed.send(
                    Update(timeS: lastS, frame: nil, alerts: result.alerts, timings: nil, failures: result.failures.map(Self.words))
                )
            case .frame(let shared, let timeS):
                lastS = max(lastS, timeS)
                let ego = estimator.state(at: timeS)
                do {
                    let result = try pipeline.process(shared.frame, index: frames, ego: ego, at: moment(timeS))
                    tell(ego, result.world.limit, atS: timeS)
                    if let size = result.world.frame {
                        collisions.send(
                            CollisionObjects(frame: frames, timeS: timeS, size: size, objects: result.world.objects))
                    }
                    completed.send(
                        Update(
                            timeS: timeS, frame: frames, alerts: result.alerts, timings: result.timings,
                            failures: result.failures.map(Self.words)))
                } catch {
                    completed.send(Update(timeS: timeS, frame: frames, alerts: [], timings: nil, failures: ["\(error)"]))
                }
                frames += 1
            }
        }
        completed.send(Update(timeS: lastS, frame: nil, alerts: pipeline.stop(at: moment(lastS)), timings: nil, failures: []))
        vehicle.finish()
        restrictions.finish()
        collisions.finish()
        completed.finish()
    }

    private func tell(_ ego: EgoState, _ limit: SpeedLimit?, atS timeS: Double) {
        vehicle.send(ego)
        restrictions.send(RoadRestrictions(timeS: timeS, speedLimit: limit))
    }

    /// The next input, waiting for one; nil when all is done.
    private func next() -> Input? {
        while true {
            let (input, isOver) = state.withLock { state -> (Input?, Bool) in
                guard !state.inputs.isEmpty else { return (nil, state.isFinished) }
                return (state.inputs.removeFirst(), false)
            }
            if let input { return input }
            if isOver { return nil }
            bell.wait()
        }
    }

    private static func words(_ failure: RuleSet.Failure) -> String { "rule \(failure.rule): \(failure.error)" }

    /// The pipeline on its way to its thread; taken once.
    private final class Handover: Sendable {
        private let pipeline: Mutex<Pipeline?>
        init(_ pipeline: consuming sending Pipeline) { self.pipeline = Mutex(consume pipeline) }
        func take() -> sending Pipeline? { pipeline.withLock { $0.take() } }
    }
}
