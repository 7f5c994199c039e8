import FleetModel
import FleetRuntime
import Foundation

/// One vehicle of a simulated fleet: drives about, says how it is, and has episodes with start, updates and end. A value; its owner
/// tells it the time.
struct SimulatedVehicle: Sendable {
    /// Somewhere in the middle of Europe; the fleet is spread over about 100 km.
    private static let home = (lat: 48.14, lon: 11.58)
    private static let metresPerDegree = 111_320.0

    let identity: VehicleIdentity
    private let boot: String
    private let startedS: Double
    private var random: SeededGenerator
    private var position: AlertPosition
    private var speedMps: Double
    private var odometerM: Double
    private var movedAtS: Double
    private var heartbeats: Int64 = 0
    private var seq: Int64

    /// Vehicle `number` of `fleet`, from `nowS` on. `firstSeq` keeps a later run's numbers above those of an earlier one.
    init(_ identity: VehicleIdentity, seed: UInt64, nowS: Double, firstSeq: Int64) {
        self.identity = identity
        random = SeededGenerator(seed: seed, purpose: "vehicle \(identity)")
        boot = AlertID.v8(digest: withUnsafeBytes(of: random.next()) { Array($0) }).description
        startedS = nowS
        movedAtS = nowS
        seq = firstSeq
        position = AlertPosition(
            lat: Self.home.lat + random.normal(sd: 0.4), lon: Self.home.lon + random.normal(sd: 0.6),
            headingDeg: random.uniform(0...359.9), accuracyM: 4)
        speedMps = random.uniform(0...25)
        odometerM = random.uniform(0...400_000)
    }

    /// What it says every `intervalS`.
    mutating func heartbeat(atS nowS: Double, wall: Timestamp, intervalS: Double, waiting: Int) -> Heartbeat {
        drive(to: nowS)
        heartbeats += 1
        var heartbeat = Heartbeat(
            identity: identity, boot: boot, seq: heartbeats, at: wall, intervalS: intervalS,
            queue: .init(alerts: waiting, bytes: Int64(waiting) * 700), uptimeS: nowS - startedS, software: SoftwareVersion.current)
        heartbeat.position = position
        heartbeat.speedMps = speedMps
        heartbeat.odometerM = odometerM
        heartbeat.limit = Speed(50, .kilometresPerHour)
        heartbeat.camera = .init(fps: random.uniform(28...30), dropped: 0)
        heartbeat.perceptionMs = .init(p50: random.uniform(8...11), p99: random.uniform(15...25))
        heartbeat.gps = .init(mode: 3)
        heartbeat.suppressed = ["oncoming": Int(heartbeats / 7)]
        if random.uniform(0...1) < 0.02 { heartbeat.degraded = [Degradation(code: .gpsNoFix, since: wall)] }
        return heartbeat
    }

    /// Begins an episode: its first revision.
    mutating func beginEpisode(atS nowS: Double, wall: Timestamp, picture: SnapshotReference?) -> Alert {
        drive(to: nowS)
        let kind = Self.kinds[Int(random.uniform(0...0.999) * Double(Self.kinds.count))]
        var alert = Alert(
            id: AlertID.v7(at: wall, using: &random), kind: kind, severity: random.pick(Self.severities(kind)),
            identity: identity, origin: .live, at: wall, clock: .gps, boot: boot, monotonicS: nowS - startedS,
            software: SoftwareVersion.current)
        alert.model = "road-users-1"
        alert.snapshot = picture
        fill(&alert)
        return number(&alert)
    }

    /// The next revision of an episode: an update, or the end.
    mutating func `continue`(_ last: Alert, atS nowS: Double, wall: Timestamp, ends: Bool) -> Alert {
        drive(to: nowS)
        var alert = last
        alert.revision += 1
        alert.at = wall
        alert.monotonicS = nowS - startedS
        alert.phase = ends ? .end : .update
        let worsens = random.uniform(0...1) < 0.1
        if !ends, worsens, [.overspeed, .collision].contains(alert.kind) { alert.severity = .critical }
        if ends {
            alert.endedAt = wall
            alert.endReason = random.pick([.cleared, .cleared, .cleared, alert.kind == .overspeed ? .limitChanged : .lost])
        }
        fill(&alert)
        return number(&alert)
    }

    /// How often each kind occurs.
    private static let kinds: [AlertKind] =
        Array(repeating: .overspeed, count: 9) + Array(repeating: .headway, count: 6) + Array(repeating: .collision, count: 4)
        + [.landmark]

    /// What an episode of `kind` may begin with.
    private static func severities(_ kind: AlertKind) -> [Severity] {
        switch kind {
        case .landmark: [.info]
        case .headway: [.caution, .warning]
        default: [.caution, .warning, .warning]
        }
    }

    private mutating func number(_ alert: inout Alert) -> Alert {
        seq += 1
        alert.seq = seq
        return alert
    }

    private mutating func drive(to nowS: Double) {
        let dt = max(0, nowS - movedAtS)
        movedAtS = nowS
        speedMps = min(max(speedMps + random.normal(sd: 0.5) * min(dt, 10), 0), 33)
        let heading = ((position.headingDeg ?? 0) + random.normal(sd: 4)).truncatingRemainder(dividingBy: 360)
        position.headingDeg = heading < 0 ? heading + 360 : heading
        let metres = speedMps * dt
        odometerM += metres
        let radians = (position.headingDeg ?? 0) * .pi / 180
        position.lat += metres * cos(radians) / Self.metresPerDegree
        position.lon += metres * sin(radians) / (Self.metresPerDegree * cos(position.lat * .pi / 180))
    }

    private mutating func fill(_ alert: inout Alert) {
        alert.position = position
        alert.speedMps = speedMps
        let lastsS = alert.at.seconds(since: alert.startedAt)
        switch alert.kind {
        case .overspeed:
            let limit = Speed(50, .kilometresPerHour)
            let speed = limit.metresPerSecond + random.uniform(1...8)
            alert.overspeed = OverspeedDetails(
                limit: limit, limitMps: limit.metresPerSecond, limitMinMps: nil, toleranceMps: 0.83, source: .map, confidence: 0.97,
                maxSpeedMps: max(alert.overspeed?.maxSpeedMps ?? 0, speed), meanSpeedMps: speed, distanceM: speed * lastsS,
                durationS: lastsS)
        case .collision:
            let ttc = random.uniform(0.6...2.4)
            alert.collision = CollisionDetails(
                roadUser: random.pick(RoadUserClass.allCases), track: Int(seq % 1000), ttcS: ttc,
                minTtcS: min(alert.collision?.minTtcS ?? ttc, ttc), distanceM: random.uniform(4...30), distanceSdM: 1.1,
                closingMps: random.uniform(1...12), box: Box(x: 0.4, y: 0.5, width: 0.12, height: 0.16),
                gates: ["persistence", "in-path"],
                ttcSeries: (0..<5).map { (step: Int) -> [Double] in [Double(step) * 0.2 - 0.8, ttc + 0.6 - Double(step) * 0.15] })
        case .headway: alert.headway = HeadwayDetails(timeHeadwayS: random.uniform(0.3...0.9), leadSpeedMps: speedMps)
        case .landmark:
            alert.landmark = LandmarkDetails(name: "depot-gate", score: 0.94, box: Box(x: 0.1, y: 0.2, width: 0.05, height: 0.05))
        }
    }
}
