import FleetModel
import FleetRuntime
import Imaging
import Synchronization
import VisionPipeline
import WorldModel

/// What the pipeline saw last, for those who watch the preview page. Costs next to nothing while nobody watches. Safe from every thread.
final class PreviewFeed: Sendable {
    /// Viewers at once; each gets its own pictures encoded.
    static let mostViewers = 4
    /// Seconds between two messages while the camera gives no frames.
    private static let idleS = 1.0

    /// One moment: the frame, if there is one, and what was made of it.
    struct Moment: Sendable {
        var frame: SharedFrame?
        var state: PreviewState
    }

    private struct State {
        var viewers: [Int: AsyncStream<Moment>.Continuation] = [:]
        var nextViewer = 0
        var nextS = -Double.infinity
        var alerts = OpenAlerts()
    }

    private let state = Mutex(State())
    private let vehicle: VehicleState
    private let intervalS: Double
    private let identity: VehicleIdentity

    /// The feed that the configuration asks for; nil when there is no preview.
    init?(_ configuration: AgentConfiguration, state vehicle: VehicleState) {
        guard configuration.preview.port != nil else { return nil }
        self.vehicle = vehicle
        identity = configuration.identity
        intervalS = 1 / configuration.preview.framesPerSecond
    }

    /// Takes note of an alert.
    func note(_ alert: Alert) { state.withLock { $0.alerts.follow(alert) } }

    /// Offers what was seen at `timeS`; `frame` nil means that the camera gave none, `result` nil that the detector failed.
    func offer(_ frame: SharedFrame?, _ result: FrameResult?, atS timeS: Double) {
        let open: [Alert]? = state.withLock { state in
            guard !state.viewers.isEmpty, timeS >= state.nextS else { return nil }
            state.nextS = timeS + (frame == nil ? Self.idleS : intervalS * 0.95)
            return state.alerts.all
        }
        guard let open else { return }
        let moment = Moment(
            frame: frame,
            state: PreviewState(vehicle: identity, frame: frame, result: result, alerts: open, state: vehicle.read { $0 }))
        state.withLock { state in
            for viewer in state.viewers.values { viewer.yield(moment) }
        }
    }

    /// The moments from now on, the newest first when the reader is slow; nil when too many watch already.
    func moments() -> AsyncStream<Moment>? {
        let (stream, feed) = AsyncStream.makeStream(of: Moment.self, bufferingPolicy: .bufferingNewest(1))
        let number: Int? = state.withLock { state in
            guard state.viewers.count < Self.mostViewers else { return nil }
            state.nextViewer += 1
            state.viewers[state.nextViewer] = feed
            return state.nextViewer
        }
        guard let number else { return nil }
        feed.onTermination = { [weak self] _ in self?.state.withLock { _ = $0.viewers.removeValue(forKey: number) } }
        return stream
    }
}
