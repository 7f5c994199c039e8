import FleetModel
import FleetRuntime
import Foundation
import Imaging

@testable import SyncCore

/// Pictures that a camera might have taken, and alerts that go with them.
enum SamplePictures {
    static let (width, height) = (1280, 720)
    /// Where the car is, relative to the picture.
    static let box = Box(x: 0.40, y: 0.45, width: 0.15, height: 0.20)

    /// A grey picture with a bright green rectangle exactly where `box` says.
    static func target() throws -> Data {
        var frame = try Frame.black(width: width, height: height)
        try fill(&frame, Box(x: 0, y: 0, width: 1, height: 1), .grey(127.5))
        try fill(&frame, box, CanvasColour(red: 0, green: 255, blue: 0))
        return try frame.jpeg(quality: 92)
    }

    /// A road with a car ahead.
    static func road() throws -> Data {
        var frame = try Frame.black(width: width, height: height)
        try fill(&frame, Box(x: 0, y: 0, width: 1, height: 0.5), CanvasColour(red: 158, green: 189, blue: 219))
        try fill(&frame, Box(x: 0, y: 0.5, width: 1, height: 0.5), CanvasColour(red: 107, green: 128, blue: 87))
        try fill(&frame, [(0.46, 0.5), (0.54, 0.5), (1.15, 1), (-0.15, 1)], .grey(84.15))
        for near in [0.56, 0.66, 0.76, 0.86] {
            try fill(&frame, [(0.498, near), (0.502, near), (0.505, near + 0.05), (0.495, near + 0.05)], .grey(229.5))
        }
        try fill(&frame, Box(x: 0.41, y: 0.5, width: 0.13, height: 0.13), CanvasColour(red: 51, green: 66, blue: 107))
        try fill(&frame, Box(x: 0.425, y: 0.46, width: 0.10, height: 0.05), .grey(38.25))
        let red = CanvasColour(red: 217, green: 26, blue: 26)
        for left in [0.413, 0.52] { try fill(&frame, Box(x: left, y: 0.54, width: 0.017, height: 0.025), red) }
        for left in [0.42, 0.508] { try fill(&frame, Box(x: left, y: 0.62, width: 0.022, height: 0.025), .grey(12.75)) }
        return try frame.jpeg(quality: 92)
    }

    private static func fill(_ frame: inout Frame, _ box: Box, _ colour: CanvasColour) throws {
        try fill(&frame, [(box.x, box.y), (box.maxX, box.y), (box.maxX, box.maxY), (box.x, box.maxY)], colour)
    }

    /// A polygon, relative to the picture.
    private static func fill(_ frame: inout Frame, _ corners: [(Double, Double)], _ colour: CanvasColour) throws {
        try frame.fill(corners.map { CanvasPoint(x: $0.0 * Double(width), y: $0.1 * Double(height)) }, colour)
    }

    /// What an alert says of `jpeg`.
    static func reference(_ jpeg: Data) -> SnapshotReference {
        SnapshotReference(
            sha256: SHA256.hexadecimal(SHA256.digest(of: jpeg)), width: width, height: height, sessionTimeS: nil, box: box)
    }
}

/// Episodes as vehicles tell them, all revisions of each.
enum SampleEpisodes {
    private static func begin(_ number: Int, _ kind: AlertKind, _ severity: Severity, _ vehicle: String, _ at: Timestamp) -> Alert {
        let digest = withUnsafeBytes(of: UInt64(number).bigEndian) { [UInt8](repeating: 7, count: 8) + Array($0) }
        var alert = Alert(
            id: AlertID.v8(digest: digest), kind: kind, severity: severity, identity: PageFixture.identity(vehicle), origin: .live,
            at: at,
            clock: .gps, boot: "00000000-0000-0000-0000-00000000b007", monotonicS: 812.4, software: "1.0.0")
        alert.model = "road-users-1"
        let spread = Double(number % 9)
        alert.position = AlertPosition(lat: 48.10 + spread * 0.011, lon: 11.50 + spread * 0.017, headingDeg: 87, accuracyM: 4)
        return alert
    }

    /// Revisions `delaysS` after the beginning, the last of which ends the episode; `fill` says what each of them states.
    private static func revisions(_ first: Alert, _ delaysS: [Double], _ fill: (inout Alert, Double) -> Void) -> [Alert] {
        delaysS.enumerated().map { index, delayS in
            var alert = first
            alert.revision = index + 1
            alert.at = first.startedAt.advanced(bySeconds: delayS)
            alert.phase = index == 0 ? .start : index == delaysS.count - 1 ? .end : .update
            if alert.phase == .end { (alert.endedAt, alert.endReason) = (alert.at, .cleared) }
            fill(&alert, delayS)
            return alert
        }
    }

    static func overspeed(_ number: Int, vehicle: String, severity: Severity = .warning, at: Timestamp, source: LimitSource = .sign)
        -> [Alert]
    {
        let speeds = [15.3, 17.9, 19.2, 18.4, 16.6, 14.1]
        return revisions(begin(number, .overspeed, severity, vehicle, at), [0, 2, 4, 6, 8, 9.5]) { alert, delayS in
            alert.speedMps = speeds[alert.revision - 1]
            alert.overspeed = OverspeedDetails(
                limit: Speed(50, .kilometresPerHour), limitMps: 13.889, limitMinMps: nil, toleranceMps: 0.83, source: source,
                confidence: 0.97, maxSpeedMps: speeds.prefix(alert.revision).max() ?? 0, meanSpeedMps: 17, distanceM: 17 * delayS,
                durationS: delayS)
        }
    }

    static func collision(
        _ number: Int, vehicle: String, severity: Severity = .critical, at: Timestamp, snapshot: SnapshotReference?
    ) -> [Alert] {
        let ttcs = [2.4, 1.9, 1.6, 1.8, 2.6]
        return revisions(begin(number, .collision, severity, vehicle, at), [0, 0.5, 1, 1.5, 2]) { alert, _ in
            let ttc = ttcs[alert.revision - 1]
            alert.speedMps = 16 - Double(alert.revision)
            alert.collision = CollisionDetails(
                roadUser: .car, track: 3, ttcS: ttc, minTtcS: ttcs.prefix(alert.revision).min(), distanceM: 14, distanceSdM: 1.1,
                closingMps: 7.3, box: SamplePictures.box, gates: ["class", "score", "in-path", "speed", "closing", "persistence"],
                ttcSeries: [[-0.25, ttc + 0.2], [0, ttc]])
            alert.snapshot = snapshot
        }
    }

    static func headway(_ number: Int, vehicle: String, severity: Severity = .caution, at: Timestamp) -> [Alert] {
        revisions(begin(number, .headway, severity, vehicle, at), [0, 3]) { alert, delayS in
            alert.speedMps = 24
            alert.headway = HeadwayDetails(timeHeadwayS: 0.7 + delayS / 10, leadSpeedMps: 22.5)
        }
    }

    static func landmark(_ number: Int, vehicle: String, name: String, at: Timestamp) -> [Alert] {
        revisions(begin(number, .landmark, .info, vehicle, at), [0, 2]) { alert, _ in
            alert.landmark = LandmarkDetails(name: name, score: 0.94, box: SamplePictures.box)
        }
    }
}
