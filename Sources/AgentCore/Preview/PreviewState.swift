import FleetModel
import Imaging
import VisionPipeline
import WorldModel

/// What the preview page shows of one moment; JSON on its event stream. Boxes are relative to the frame.
struct PreviewState: Encodable, Sendable {
    /// One road user.
    struct Object: Encodable, Sendable {
        var track: Int
        var `class`: RoadUserClass
        var box: Box
        var ttcS: Double?
        var distanceM: Double?
        var inPath: Bool
        /// The severity of an open alert about it.
        var severity: Severity?
    }

    /// One open alert.
    struct OpenAlert: Encodable, Sendable {
        var kind: AlertKind
        var severity: Severity
        var words: String
        /// The limit that is exceeded.
        var limit: Speed?
    }

    /// A landmark in sight.
    struct Landmark: Encodable, Sendable {
        var name: String
        var box: Box
    }

    var vehicle: String
    /// Size of the camera's frame in pixels; nil while there is none.
    var width: Int?
    var height: Int?
    /// JPEG in base64; filled in for each viewer.
    var image: String?
    var objects: [Object] = []
    var landmarks: [Landmark] = []
    var alerts: [OpenAlert]
    var speed: Double?
    var unit: SpeedUnit
    var limit: Speed?
    /// What does not work, in words.
    var degraded: [String]

    init(vehicle: VehicleIdentity, frame: SharedFrame?, result: FrameResult?, alerts: [Alert], state: VehicleState.Values) {
        self.vehicle = vehicle.description
        self.alerts = alerts.map {
            OpenAlert(kind: $0.kind, severity: $0.severity, words: OpenAlerts.words($0), limit: $0.overspeed?.limit)
        }
        limit = result.map { $0.world.limit?.limit } ?? state.limit
        unit = limit?.unit ?? .kilometresPerHour
        let speedMps = result?.world.ego.speedMps ?? state.speedMps
        speed = speedMps.map { [unit] in Speed.value(ofMps: $0, in: unit).rounded() }
        degraded = state.degraded.map(\.meaning).sorted()
        guard let frame else { return }
        (width, height) = (frame.frame.width, frame.frame.height)
        let (scaleX, scaleY) = (1 / Double(frame.frame.width), 1 / Double(frame.frame.height))
        let severities = Dictionary(
            alerts.compactMap { alert in alert.collision.map { ($0.track, alert.severity) } }, uniquingKeysWith: max)
        objects = (result?.world.objects ?? []).map {
            Object(
                track: $0.track, class: $0.roadUser, box: $0.box.scaled(x: scaleX, y: scaleY),
                ttcS: $0.timeToCollision?.seconds.rounded(toPlaces: 1), distanceM: $0.distanceM?.rounded(toPlaces: 0),
                inPath: $0.isInPath, severity: severities[$0.track])
        }
        landmarks = (result?.world.landmarks ?? []).map { Landmark(name: $0.name, box: $0.box) }
    }
}
