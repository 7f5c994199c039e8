/// What a vehicle cannot do at the moment; stands in the heartbeat's `degraded` list and in logs.
public enum DegradedCode: String, Codable, Hashable, Sendable, CaseIterable {
    case cameraMissing = "camera_missing"
    case cameraStalled = "camera_stalled"
    case cameraFrozen = "camera_frozen"
    case cameraCovered = "camera_covered"
    case cameraBlurred = "camera_blurred"
    case detectorFailed = "detector_failed"
    case notCalibrated = "not_calibrated"
    case gpsMissing = "gps_missing"
    case gpsNoFix = "gps_no_fix"
    case gpsStale = "gps_stale"
    case gpsRejected = "gps_rejected"
    case speedUnknown = "speed_unknown"
    case limitUnknown = "limit_unknown"
    case clockUnsynchronised = "clock_unsynchronised"
    case outboxFull = "outbox_full"
    case diskFull = "disk_full"
    case brokerRefused = "broker_refused"
    case alertsRejected = "alerts_rejected"

    /// One plain sentence for a person: what does not work because of it.
    public var meaning: String {
        switch self {
        case .cameraMissing: "No camera: cannot warn of collisions."
        case .cameraStalled: "The camera delivers no frames: cannot warn of collisions."
        case .cameraFrozen: "The camera repeats one frame: cannot warn of collisions."
        case .cameraCovered: "The camera is covered or sees nothing: cannot warn of collisions."
        case .cameraBlurred: "The picture is blurred: collision warnings are unreliable."
        case .detectorFailed: "The detector does not run: cannot warn of collisions."
        case .notCalibrated: "The camera is not calibrated: distances in metres are not known."
        case .gpsMissing: "No connection to gpsd: cannot warn of overspeed."
        case .gpsNoFix: "The receiver has no fix: cannot warn of overspeed."
        case .gpsStale: "The receiver repeats an old fix: cannot warn of overspeed."
        case .gpsRejected: "The receiver's fixes contradict each other and are not used."
        case .speedUnknown: "Own speed unknown: speed gates are off, vision alone decides."
        case .limitUnknown: "No speed limit is known here: cannot warn of overspeed."
        case .clockUnsynchronised: "The clock is not set: times are not trustworthy."
        case .outboxFull: "The outbox is full: less important alerts are dropped."
        case .diskFull: "The disk is full: alerts cannot be stored."
        case .brokerRefused: "The broker refuses the connection or the messages."
        case .alertsRejected: "The fleet server rejected alerts; they are kept in the vehicle."
        }
    }
}

/// A degraded state and since when it lasts.
public struct Degradation: Codable, Hashable, Sendable {
    /// What does not work.
    public var code: DegradedCode
    /// Since when.
    public var since: Timestamp

    /// `code` since `since`.
    public init(code: DegradedCode, since: Timestamp) {
        self.code = code
        self.since = since
    }
}
