import FleetModel
import Foundation

/// The values that the golden files state, built in code.
enum Samples {
    static let identity = VehicleIdentity(fleet: "demo", vehicle: "truck-17")!
    static let id = AlertID("0197a3c2-5f7e-7c31-9a4d-2b6e8f013c55")!
    static let boot = "7c0b6a52-3d0e-4f0a-9a53-0e5c1a2b3c4d"
    static let at = Timestamp("2026-03-01T08:15:02.120Z")!
    static let digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    static let box = Box(x: 0.41, y: 0.52, width: 0.12, height: 0.16)

    static func alert(_ kind: AlertKind, _ severity: Severity) -> Alert {
        var alert = Alert(
            id: id, kind: kind, severity: severity, identity: identity, origin: .live, at: at, clock: .gps, boot: boot,
            monotonicS: 812.4, software: "1.0.0")
        alert.seq = 4711
        alert.position = AlertPosition(lat: 48.1, lon: 11.5, headingDeg: 87, accuracyM: 4)
        alert.speedMps = 18.2
        alert.model = "road-users-1"
        return alert
    }

    static var overspeedStart: Alert {
        var alert = alert(.overspeed, .warning)
        alert.overspeed = OverspeedDetails(
            limit: Speed(50, .kilometresPerHour), limitMps: 50 / 3.6, limitMinMps: nil, toleranceMps: 0.83, source: .sign,
            confidence: 0.97, maxSpeedMps: 18.9, meanSpeedMps: 17, distanceM: 61, durationS: 4.2)
        return alert
    }

    static var collisionStart: Alert {
        var alert = alert(.collision, .critical)
        alert.collision = CollisionDetails(
            roadUser: .car, track: 3, ttcS: 1.9, minTtcS: 1.6, distanceM: 14, distanceSdM: 1.1, closingMps: 7.3, box: box,
            gates: ["persistence", "in-path"], ttcSeries: [[-0.5, 2.4], [0, 1.9]])
        alert.snapshot = SnapshotReference(sha256: digest, width: 1280, height: 720, sessionTimeS: nil, box: box)
        return alert
    }

    static var headwayStart: Alert {
        var alert = alert(.headway, .caution)
        alert.headway = HeadwayDetails(timeHeadwayS: 0.5, leadSpeedMps: 22)
        return alert
    }

    static var landmarkStart: Alert {
        var alert = alert(.landmark, .info)
        alert.landmark = LandmarkDetails(name: "depot-gate", score: 0.94, box: Box(x: 0.1, y: 0.2, width: 0.05, height: 0.05))
        alert.position = AlertPosition(lat: -33.8567844, lon: 151.2152967)
        return alert
    }

    static var heartbeat: Heartbeat {
        var heartbeat = Heartbeat(
            identity: identity, boot: boot, seq: 123, at: at, intervalS: 10, queue: .init(alerts: 0, bytes: 0), uptimeS: 1234,
            software: "1.0.0")
        heartbeat.position = AlertPosition(lat: 48.1, lon: 11.5, headingDeg: 87, accuracyM: 4)
        heartbeat.speedMps = 18.2
        heartbeat.odometerM = 120_345.6
        heartbeat.limit = Speed(50, .kilometresPerHour)
        heartbeat.camera = .init(fps: 29.8, dropped: 0)
        heartbeat.perceptionMs = .init(p50: 9, p99: 18.5)
        heartbeat.gps = .init(mode: 3)
        heartbeat.suppressed = ["oncoming": 3]
        heartbeat.degraded = [Degradation(code: .cameraFrozen, since: Timestamp("2026-03-01T08:14:50Z")!)]
        heartbeat.model = "road-users-1"
        return heartbeat
    }

    /// The bytes of one golden file, without the line end that editors want.
    static func golden(_ name: String) throws -> Data {
        let url = Bundle.module.bundleURL.appending(path: "Golden/\(name).json")
        var data = try Data(contentsOf: url)
        if data.last == 0x0A { data.removeLast() }
        return data
    }

    /// The overspeed alert's JSON with members set (nil removes one): raw material for bad payloads.
    static func json(_ name: String, _ changes: [String: Any?]) throws -> Data {
        var object = try JSONSerialization.jsonObject(with: golden(name)) as? [String: Any] ?? [:]
        for (key, value) in changes { object[key] = value }
        return try JSONSerialization.data(withJSONObject: object)
    }
}
