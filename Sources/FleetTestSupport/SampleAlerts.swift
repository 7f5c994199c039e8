import FleetModel

/// Alerts as a vehicle raises them, for tests that need some.
public enum SampleAlerts {
    /// The vehicle `demo/truck-17`.
    public static let identity = VehicleIdentity(fleet: "demo", vehicle: "truck-17")!

    /// A valid overspeed alert: episode `episode`, `revision`, `phase`, `severity`.
    public static func alert(
        _ episode: Int, revision: Int = 1, phase: AlertPhase = .start, severity: Severity = .warning,
        identity: VehicleIdentity = identity, at: Timestamp = Timestamp(secondsSinceEpoch: 1_772_352_000)
    ) -> Alert {
        var alert = Alert(
            id: id(episode), kind: .overspeed, severity: severity, identity: identity, origin: .live, at: at, clock: .gps,
            boot: "00000000-0000-0000-0000-00000000b007", monotonicS: 12.5, software: "1.0.0")
        alert.revision = revision
        alert.phase = phase
        if phase == .end {
            alert.endedAt = at
            alert.endReason = .cleared
        }
        alert.overspeed = OverspeedDetails(
            limit: Speed(50, .kilometresPerHour), limitMps: 13.889, limitMinMps: nil, toleranceMps: 0.83, source: .zone,
            confidence: 0.97, maxSpeedMps: 18.9, meanSpeedMps: 17, distanceM: 61, durationS: 4.2)
        return alert
    }

    /// The id of episode `episode`.
    public static func id(_ episode: Int) -> AlertID {
        let bytes = withUnsafeBytes(of: UInt64(episode).bigEndian) { Array($0) }
        return AlertID.v8(digest: [UInt8](repeating: 0, count: 8) + bytes)
    }

    /// The receipt for `alert`.
    public static func receipt(_ alert: Alert, _ result: Receipt.Result = .stored, reason: String? = nil) -> ReceiptMessage {
        ReceiptMessage(receipts: [Receipt(id: alert.id, revision: alert.revision, result: result, reason: reason)])
    }
}
