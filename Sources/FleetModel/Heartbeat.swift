/// What a vehicle says of itself every ten seconds; QoS 0, never queued.
public struct Heartbeat: Hashable, Sendable {
    /// Value of `schema` that this code reads and writes.
    public static let schema = "fleet.heartbeat/1"

    /// What waits in the outbox.
    public struct Queue: Codable, Hashable, Sendable {
        /// Alert revisions and gap events that wait.
        public var alerts: Int
        /// Their payloads in bytes, snapshots included.
        public var bytes: Int64
        /// All members.
        public init(alerts: Int, bytes: Int64) {
            self.alerts = alerts
            self.bytes = bytes
        }
    }

    /// How the camera does.
    public struct Camera: Codable, Hashable, Sendable {
        /// Frames per second over the last interval.
        public var fps: Double
        /// Frames that were replaced by newer ones before they were looked at, since start.
        public var dropped: Int
        /// All members.
        public init(fps: Double, dropped: Int) {
            self.fps = fps
            self.dropped = dropped
        }
    }

    /// Time from frame to decision over the last interval, in ms.
    public struct PerceptionTime: Codable, Hashable, Sendable {
        /// Median.
        public var p50: Double
        /// 99th percentile.
        public var p99: Double
        /// All members.
        public init(p50: Double, p99: Double) {
            self.p50 = p50
            self.p99 = p99
        }
    }

    /// How the receiver does.
    public struct Receiver: Codable, Hashable, Sendable {
        /// 0 or 1 no fix, 2 two-dimensional, 3 three-dimensional.
        public var mode: Int
        /// All members.
        public init(mode: Int) { self.mode = mode }
    }

    /// Whose heartbeat it is.
    public var identity: VehicleIdentity
    /// The boot of the vehicle computer.
    public var boot: String
    /// Counts heartbeats since start, from 1.
    public var seq: Int64
    /// When.
    public var at: Timestamp
    /// Time between heartbeats in s.
    public var intervalS: Double
    /// Where; nil when unknown.
    public var position: AlertPosition?
    /// Own speed in m/s; nil when unknown.
    public var speedMps: Double?
    /// Metres driven, counted since the agent was installed; nil when unknown.
    public var odometerM: Double?
    /// The limit that applies; nil when unknown.
    public var limit: Speed?
    /// What waits in the outbox.
    public var queue: Queue
    /// How the camera does; nil without one.
    public var camera: Camera?
    /// Time from frame to decision; nil before the first frame.
    public var perceptionMs: PerceptionTime?
    /// How the receiver does; nil without one.
    public var gps: Receiver?
    /// Alerts that were not raised, by the gate that held them back, since start.
    public var suppressed: [String: Int]
    /// What does not work.
    public var degraded: [Degradation]
    /// Seconds since the agent started.
    public var uptimeS: Double
    /// Version of the agent.
    public var software: String
    /// Name of the detection model; nil when none is in use.
    public var model: String?

    /// A heartbeat with nothing known but who, when and how much waits.
    public init(
        identity: VehicleIdentity, boot: String, seq: Int64, at: Timestamp, intervalS: Double, queue: Queue, uptimeS: Double,
        software: String
    ) {
        self.identity = identity
        self.boot = boot
        self.seq = seq
        self.at = at
        self.intervalS = intervalS
        self.queue = queue
        suppressed = [:]
        degraded = []
        self.uptimeS = uptimeS
        self.software = software
    }
}

extension Heartbeat: Codable {
    private enum Key: String, CodingKey {
        case schema, fleet, vehicle, boot, seq, at, intervalS, position, speedMps, odometerM, limit, queue, camera, perceptionMs
        case gps, suppressed, degraded, uptimeS, software, model
    }

    public init(from decoder: any Decoder) throws {
        let c = try decoder.container(keyedBy: Key.self)
        try c.requireSchema(Self.schema, forKey: .schema)
        identity = try c.decodeIdentity(fleet: .fleet, vehicle: .vehicle)
        boot = try c.decode(String.self, forKey: .boot)
        seq = try c.decode(Int64.self, forKey: .seq)
        at = try c.decode(Timestamp.self, forKey: .at)
        intervalS = try c.decode(Double.self, forKey: .intervalS)
        position = try c.decodeIfPresent(AlertPosition.self, forKey: .position)
        speedMps = try c.decodeIfPresent(Double.self, forKey: .speedMps)
        odometerM = try c.decodeIfPresent(Double.self, forKey: .odometerM)
        limit = try c.decodeIfPresent(Speed.self, forKey: .limit)
        queue = try c.decode(Queue.self, forKey: .queue)
        camera = try c.decodeIfPresent(Camera.self, forKey: .camera)
        perceptionMs = try c.decodeIfPresent(PerceptionTime.self, forKey: .perceptionMs)
        gps = try c.decodeIfPresent(Receiver.self, forKey: .gps)
        suppressed = try c.decodeIfPresent([String: Int].self, forKey: .suppressed) ?? [:]
        degraded = try c.decodeIfPresent([Degradation].self, forKey: .degraded) ?? []
        uptimeS = try c.decode(Double.self, forKey: .uptimeS)
        software = try c.decode(String.self, forKey: .software)
        model = try c.decodeIfPresent(String.self, forKey: .model)
        if let (key, reason) = implausibility {
            throw DecodingError.dataCorruptedError(forKey: key, in: c, debugDescription: reason)
        }
    }

    /// The first member that cannot be meant, and what it may be.
    private var implausibility: (Key, String)? {
        if !boot.isShortPlainText(64) { return (.boot, "not a short text") }
        if !software.isShortPlainText(64) { return (.software, "not a short text") }
        if let model, !model.isShortPlainText(128) { return (.model, "not a short text") }
        if seq < 0 { return (.seq, "negative") }
        if !(0.1...86_400).contains(intervalS) { return (.intervalS, "not 0.1...86400") }
        if let reason = position?.implausibility { return (.position, reason) }
        if let speedMps, !(0...200).contains(speedMps) { return (.speedMps, "not 0...200") }
        if let odometerM, !odometerM.isMeasure { return (.odometerM, "negative") }
        if let reason = limit?.implausibility { return (.limit, reason) }
        if queue.alerts < 0 || queue.bytes < 0 { return (.queue, "negative") }
        if let camera, !camera.fps.isMeasure || camera.dropped < 0 { return (.camera, "negative") }
        if let perceptionMs, !perceptionMs.p50.isMeasure || !perceptionMs.p99.isMeasure { return (.perceptionMs, "negative") }
        if let gps, !(0...10).contains(gps.mode) { return (.gps, "mode is not 0...10") }
        if suppressed.count > 64 || suppressed.contains(where: { !$0.isShortPlainText(64) || $1 < 0 }) {
            return (.suppressed, "not a short list of counts")
        }
        if degraded.count > 64 { return (.degraded, "more than 64") }
        if !uptimeS.isMeasure { return (.uptimeS, "negative") }
        return nil
    }

    public func encode(to encoder: any Encoder) throws {
        var c = encoder.container(keyedBy: Key.self)
        try c.encode(Self.schema, forKey: .schema)
        try c.encode(identity.fleet, forKey: .fleet)
        try c.encode(identity.vehicle, forKey: .vehicle)
        try c.encode(boot, forKey: .boot)
        try c.encode(seq, forKey: .seq)
        try c.encode(at, forKey: .at)
        try c.encode(intervalS.rounded(toPlaces: 3), forKey: .intervalS)
        try c.encode(position, forKey: .position)
        try c.encode(speedMps?.rounded(toPlaces: 3), forKey: .speedMps)
        try c.encode(odometerM?.rounded(toPlaces: 1), forKey: .odometerM)
        try c.encode(limit, forKey: .limit)
        try c.encode(queue, forKey: .queue)
        try c.encode(camera.map { Camera(fps: $0.fps.rounded(toPlaces: 1), dropped: $0.dropped) }, forKey: .camera)
        try c.encode(
            perceptionMs.map { PerceptionTime(p50: $0.p50.rounded(toPlaces: 1), p99: $0.p99.rounded(toPlaces: 1)) },
            forKey: .perceptionMs)
        try c.encode(gps, forKey: .gps)
        try c.encode(suppressed, forKey: .suppressed)
        try c.encode(degraded, forKey: .degraded)
        try c.encode(uptimeS.rounded(toPlaces: 1), forKey: .uptimeS)
        try c.encode(software, forKey: .software)
        try c.encode(model, forKey: .model)
    }
}
