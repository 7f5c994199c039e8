import FleetModel
import FleetRuntime
import Foundation
import WorldModel

/// One line of `telemetry.jsonl`.
///
/// `t` is seconds since the session's start. Without `mode`, a line with a position or a speed counts as a three-dimensional fix
/// and one without as none. `time` (the receiver's own time) and `ephM` are optional; unknown keys are ignored.
struct TelemetryRecord: Codable {
    var t: Double
    var lat: Double?
    var lon: Double?
    var speedMps: Double?
    var headingDeg: Double?
    var altM: Double?
    var mode: Double?
    var hdop: Double?
    var epsMps: Double?
    var ephM: Double?
    var time: Timestamp?

    /// The line of `fix`, `startS` being the session's start on the clock of the fix.
    init(_ fix: PositionFix, startS: Double) {
        t = (fix.timeS - startS).rounded(toPlaces: 3)
        lat = fix.latitude?.rounded(toPlaces: 8)
        lon = fix.longitude?.rounded(toPlaces: 8)
        speedMps = fix.speedMps?.rounded(toPlaces: 3)
        headingDeg = fix.headingDeg?.rounded(toPlaces: 2)
        altM = fix.altitudeM?.rounded(toPlaces: 2)
        mode = Double(fix.mode)
        hdop = fix.hdop?.rounded(toPlaces: 2)
        epsMps = fix.speedErrorMps?.rounded(toPlaces: 2)
        ephM = fix.positionErrorM?.rounded(toPlaces: 2)
        time = fix.fixTime
    }

    /// Reads a line; the error says what is wrong with it.
    static func fix(from line: Data) throws(WireCodec.Malformed) -> PositionFix {
        let record = try WireCodec.decode(TelemetryRecord.self, from: line)
        if let reason = record.implausibility { throw WireCodec.Malformed(reason: reason) }
        return record.fix
    }

    private var implausibility: String? {
        func check(_ value: Double?, _ key: String, _ range: ClosedRange<Double>) -> String? {
            guard let value, !range.contains(value) else { return nil }
            return "\(key) \(value) is not within \(range.lowerBound) and \(range.upperBound)"
        }
        if let mode, ![0, 1, 2, 3].contains(mode) { return "mode \(mode) is not 0, 1, 2 or 3" }
        if (lat == nil) != (lon == nil) { return "lat and lon only go together" }
        return check(t, "t", -1e9...1e9) ?? check(lat, "lat", -90...90) ?? check(lon, "lon", -180...180)
            ?? check(speedMps, "speedMps", 0...10_000) ?? check(headingDeg, "headingDeg", -360...360)
            ?? check(altM, "altM", -1e6...1e6) ?? check(hdop, "hdop", 0...1e6) ?? check(epsMps, "epsMps", 0...1e9)
            ?? check(ephM, "ephM", 0...1e9)
    }

    private var fix: PositionFix {
        var fix = PositionFix(mode: mode.map { Int($0) } ?? (lat != nil || speedMps != nil ? 3 : 1), timeS: t)
        fix.fixTime = time
        fix.latitude = lat
        fix.longitude = lon
        fix.altitudeM = altM
        fix.speedMps = speedMps
        fix.headingDeg = headingDeg.map { $0 < 0 ? $0 + 360 : $0 == 360 ? 0 : $0 }
        fix.hdop = hdop
        fix.speedErrorMps = epsMps
        fix.positionErrorM = ephM
        return fix
    }
}
