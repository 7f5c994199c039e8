import FleetModel
import FleetRuntime

/// What `config/agent.yaml` says, checked: every value typed and in range, every default in place.
public struct AgentConfiguration: Sendable {
    /// Fleet and vehicle; part of every topic.
    public var identity: VehicleIdentity
    /// Where frames come from.
    public var camera: CameraConfiguration
    /// Where fixes come from.
    public var gps: GPSConfiguration
    /// What finds road users.
    public var detector: DetectorConfiguration
    /// What reads speed signs.
    public var signs: SignConfiguration
    /// When an overspeed alert is raised.
    public var overspeed: OverspeedConfiguration
    /// When a collision alert is raised.
    public var collision: CollisionConfiguration
    /// When a headway alert is raised.
    public var headway: HeadwayConfiguration
    /// The broker.
    public var mqtt: MQTTConfiguration
    /// Where alerts wait.
    public var outbox: OutboxConfiguration
    /// Whether position, snapshots and clips stay off, whatever else is configured.
    public var hasPrivacy: Bool
    /// Pictures with alerts.
    public var snapshots: SnapshotConfiguration
    /// Recordings around alerts.
    public var clips: ClipConfiguration
    /// Pictures that are looked for.
    public var landmarks: [LandmarkConfiguration]
    /// The page that shows what the agent sees.
    public var preview: PreviewConfiguration
    /// The signs on it.
    public var overlay: OverlayConfiguration
    /// Seconds between heartbeats.
    public var heartbeatIntervalS: Double

    /// Reads `path`. Throws `UserError` with file, line, key and what is allowed.
    public init(path: String) throws { try self.init(document: ConfigurationDocument(path: path)) }

    /// Reads `document` and refuses keys that nobody knows.
    public init(document: ConfigurationDocument) throws {
        let root = document.root
        let fleet = try root.requiredString("fleet")
        let vehicle = try root.requiredString("vehicle")
        guard VehicleIdentity.isValid(fleet) else { throw root.error("fleet", Self.nameRule) }
        guard let identity = VehicleIdentity(fleet: fleet, vehicle: vehicle) else { throw root.error("vehicle", Self.nameRule) }
        self.identity = identity
        camera = try CameraConfiguration(root.section("camera"))
        gps = try GPSConfiguration(root.section("gps"))
        detector = try DetectorConfiguration(root.section("detector"))
        signs = try SignConfiguration(root.section("signs"))
        overspeed = try OverspeedConfiguration(root.section("overspeed"))
        collision = try CollisionConfiguration(root.section("collision"))
        headway = try HeadwayConfiguration(root.section("headway"))
        mqtt = try MQTTConfiguration(root.section("mqtt"), identity: identity)
        outbox = try OutboxConfiguration(root.section("outbox"))
        hasPrivacy = try root.bool("privacy") ?? false
        snapshots = try SnapshotConfiguration(root.section("snapshots"))
        clips = try ClipConfiguration(root.section("clips"))
        landmarks = try LandmarkConfiguration.list(root)
        preview = try PreviewConfiguration(root.section("preview"))
        overlay = try OverlayConfiguration(root.section("overlay"))
        heartbeatIntervalS = try root.section("heartbeat").duration("interval", in: 1...3600) ?? 10
        try document.finish()
    }

    /// What a replay without `--config` runs with: the defaults, for the fleet `replay`.
    public static func replayDefaults(vehicle: String) throws -> AgentConfiguration {
        let name = VehicleIdentity.isValid(vehicle) ? vehicle : "vehicle"
        let text = "fleet: replay\nvehicle: \"\(name)\"\nmqtt:\n  url: mqtt://127.0.0.1:1883\n"
        return try AgentConfiguration(document: ConfigurationDocument(text: Array(text.utf8), file: "defaults"))
    }

    private static let nameRule = "must be 1 to 64 letters, digits, _ and -"
}
