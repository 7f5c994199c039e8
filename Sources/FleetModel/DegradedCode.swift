/// What a vehicle cannot do at the moment; stands in the heartbeat's `degraded` list and in logs.
///
/// Not an enumeration, because agents and servers are updated at different times: a code that a newer agent sends is kept and shown
/// as it is. The codes of this version are `allCases`.
public struct DegradedCode: RawRepresentable, Hashable, Sendable {
    /// The word on the wire, `[a-z0-9_]{1,64}`.
    public let rawValue: String

    /// Nil when `rawValue` is not `[a-z0-9_]{1,64}`.
    public init?(rawValue: String) {
        let bytes = rawValue.utf8
        guard (1...64).contains(bytes.count),
            bytes.allSatisfy({ (97...122).contains($0) || (48...57).contains($0) || $0 == 95 })
        else { return nil }
        self.rawValue = rawValue
    }

    private init(_ known: StaticString) { rawValue = known.description }

    /// No camera.
    public static let cameraMissing = DegradedCode("camera_missing")
    /// The camera delivers no frames.
    public static let cameraStalled = DegradedCode("camera_stalled")
    /// The camera repeats one frame.
    public static let cameraFrozen = DegradedCode("camera_frozen")
    /// The camera sees nothing.
    public static let cameraCovered = DegradedCode("camera_covered")
    /// The picture is blurred.
    public static let cameraBlurred = DegradedCode("camera_blurred")
    /// The camera looks another way than the vehicle drives.
    public static let cameraMisdirected = DegradedCode("camera_misdirected")
    /// The detector does not run.
    public static let detectorFailed = DegradedCode("detector_failed")
    /// Distances are not known.
    public static let notCalibrated = DegradedCode("not_calibrated")
    /// No connection to gpsd.
    public static let gpsMissing = DegradedCode("gps_missing")
    /// The receiver has no fix.
    public static let gpsNoFix = DegradedCode("gps_no_fix")
    /// The receiver repeats an old fix.
    public static let gpsStale = DegradedCode("gps_stale")
    /// The receiver's fixes contradict each other.
    public static let gpsRejected = DegradedCode("gps_rejected")
    /// Own speed is not known.
    public static let speedUnknown = DegradedCode("speed_unknown")
    /// No speed limit is known.
    public static let limitUnknown = DegradedCode("limit_unknown")
    /// The clock is not set.
    public static let clockUnsynchronised = DegradedCode("clock_unsynchronised")
    /// The outbox is full.
    public static let outboxFull = DegradedCode("outbox_full")
    /// The disk is full.
    public static let diskFull = DegradedCode("disk_full")
    /// The broker refuses the connection or the messages.
    public static let brokerRefused = DegradedCode("broker_refused")
    /// Another client uses the vehicle's client id.
    public static let clientIDTaken = DegradedCode("client_id_taken")
    /// The fleet server rejected alerts.
    public static let alertsRejected = DegradedCode("alerts_rejected")

    private static let meanings: [DegradedCode: String] = [
        .cameraMissing: "No camera: cannot warn of collisions.",
        .cameraStalled: "The camera delivers no frames: cannot warn of collisions.",
        .cameraFrozen: "The camera repeats one frame: cannot warn of collisions.",
        .cameraCovered: "The camera is covered or sees nothing: cannot warn of collisions.",
        .cameraBlurred: "The picture is blurred: collision warnings are unreliable.",
        .cameraMisdirected: "The camera does not look where the vehicle drives: cannot warn of collisions.",
        .detectorFailed: "The detector does not run: cannot warn of collisions.",
        .notCalibrated: "The camera is not calibrated: distances in metres are not known.",
        .gpsMissing: "No connection to gpsd: cannot warn of overspeed.",
        .gpsNoFix: "The receiver has no fix: cannot warn of overspeed.",
        .gpsStale: "The receiver repeats an old fix: cannot warn of overspeed.",
        .gpsRejected: "The receiver's fixes contradict each other and are not used.",
        .speedUnknown: "Own speed unknown: speed gates are off, vision alone decides.",
        .limitUnknown: "No speed limit is known here: cannot warn of overspeed.",
        .clockUnsynchronised: "The clock is not set: times are not trustworthy.",
        .outboxFull: "The outbox is full: less important alerts are dropped.",
        .diskFull: "The disk is full: less important alerts, in the end all of them, are not stored.",
        .brokerRefused: "The broker refuses the connection or the messages.",
        .clientIDTaken: "Another client connects to the broker as this vehicle: the two throw each other out.",
        .alertsRejected: "The broker or the fleet server rejected alerts; they are kept in the vehicle.",
    ]

    /// One plain sentence for a person: what does not work because of it.
    public var meaning: String { Self.meanings[self] ?? "The vehicle reports \(rawValue), which this version does not know." }
}

extension DegradedCode: CaseIterable {
    /// The codes that this version knows, camera first.
    public static let allCases: [DegradedCode] = [
        .cameraMissing, .cameraStalled, .cameraFrozen, .cameraCovered, .cameraBlurred, .cameraMisdirected, .detectorFailed,
        .notCalibrated, .gpsMissing, .gpsNoFix, .gpsStale, .gpsRejected, .speedUnknown, .limitUnknown, .clockUnsynchronised,
        .outboxFull, .diskFull,
        .brokerRefused, .clientIDTaken, .alertsRejected,
    ]
}

extension DegradedCode: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let code = DegradedCode(rawValue: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a code is 1 to 64 lower-case letters, digits and _")
        }
        self = code
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
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
