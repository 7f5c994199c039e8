import FleetModel
import FleetRuntime

/// What `session info` tells of a session.
public struct SessionSummary: Sendable, Encodable {
    /// Name of the vehicle.
    public let vehicle: String
    /// When time 0 was.
    public let startedAt: Timestamp
    /// `video` or `images`.
    public let pictures: String
    /// Number of frames as the container or the folder states it; nil when unknown.
    public let frames: Int?
    /// Size of the first frame, pixels.
    public let width: Int
    /// Size of the first frame, pixels.
    public let height: Int
    /// Frames per second as stated; nil when unknown.
    public let framesPerSecond: Double?
    /// Seconds from the first frame to the last, from `frames.csv` or the stated rate; nil when unknown.
    public let durationS: Double?
    /// Whether distances in metres can be told.
    public let isCalibrated: Bool
    /// Telemetry lines that are used.
    public let telemetryLines: Int
    /// Telemetry lines left out because their time ran back.
    public let lateTelemetryLines: Int
    /// Time of the first telemetry line, s.
    public let telemetryFirstS: Double?
    /// Time of the last telemetry line, s.
    public let telemetryLastS: Double?
    /// The session's digest in hexadecimal digits.
    public let digest: String

    /// Reads the first frame, the telemetry and, for the digest, every byte of `session`. Throws `UserError`.
    public init(of session: Session) throws {
        let source = try SessionFrameSource(session)
        frames = source.frameCount
        framesPerSecond = source.framesPerSecond
        guard let first = try source.next() else { throw UserError(.badData, "\(session.path): holds no frame") }
        width = first.frame.width
        height = first.frame.height
        vehicle = session.vehicle
        startedAt = session.startedAt
        isCalibrated = session.camera != nil
        if case .video = session.pictures { pictures = "video" } else { pictures = "images" }
        let lastFrame = (frames ?? 1) - 1
        if let times = session.frameTimesS, let start = times.first, let end = times.prefix(lastFrame + 1).last {
            durationS = end - start
        } else {
            durationS = source.frameCount.flatMap { count in source.framesPerSecond.map { Double(count - 1) / $0 } }
        }
        let telemetry = try session.telemetryPath.map(SessionTelemetry.extent)
        telemetryLines = telemetry?.lines ?? 0
        lateTelemetryLines = telemetry?.late ?? 0
        telemetryFirstS = telemetry?.firstS
        telemetryLastS = telemetry?.lastS
        digest = SHA256.hexadecimal(try session.digest())
    }
}
