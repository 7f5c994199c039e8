import FleetModel
import FleetStore

@testable import CLICore

/// Alerts as a store gives them.
enum SampleStored {
    static let identity = VehicleIdentity(fleet: "demo", vehicle: "truck-17")!
    static let at = Timestamp("2026-03-01T08:15:02.120Z")!
    static let view = ViewOptions(
        time: TimeText(isUTC: true, now: at.advanced(bySeconds: 60)), speed: SpeedText(unit: .kilometresPerHour),
        terminal: Terminal(width: nil, hasColour: false))

    static func alert(_ kind: AlertKind, _ severity: Severity, revision: Int = 1, endsAfterS: Double? = nil) -> Alert {
        var alert = Alert(
            id: AlertID("0197a3c2-5f7e-7c31-9a4d-2b6e8f013c55")!, kind: kind, severity: severity, identity: identity, origin: .live,
            at: at, clock: .gps, boot: "b", monotonicS: 1, software: "1.0.0")
        alert.revision = revision
        alert.position = AlertPosition(lat: -33.8567844, lon: 151.2152967, headingDeg: 87, accuracyM: 4)
        alert.speedMps = 17.5
        if let endsAfterS {
            alert.phase = .end
            alert.at = at.advanced(bySeconds: endsAfterS)
            alert.endedAt = alert.at
            alert.endReason = .cleared
        }
        return alert
    }

    static func overspeed(_ limit: Speed = Speed(50, .kilometresPerHour), endsAfterS: Double? = nil) -> Alert {
        var alert = alert(.overspeed, .warning, endsAfterS: endsAfterS)
        alert.overspeed = OverspeedDetails(
            limit: limit, limitMps: limit.metresPerSecond, limitMinMps: nil, toleranceMps: 0.83, source: .configuration,
            confidence: 0.97,
            maxSpeedMps: 18.3, meanSpeedMps: 17, distanceM: 158, durationS: 9)
        return alert
    }

    static func collision() -> Alert {
        var alert = alert(.collision, .critical)
        alert.collision = CollisionDetails(
            roadUser: .car, track: 3, ttcS: 1.9, minTtcS: 1.6, distanceM: 14, distanceSdM: 1.1, closingMps: 7.3,
            box: Box(x: 0.4, y: 0.5, width: 0.1, height: 0.1), gates: ["persistence"], ttcSeries: [[-0.5, 2.4], [0, 1.9]])
        return alert
    }

    static func stored(_ alert: Alert, late: Bool = false, cursor: Int64 = 7) -> StoredAlert {
        StoredAlert(alert: alert, receivedAt: alert.at.advanced(bySeconds: 2), late: late, cursor: cursor)
    }
}
