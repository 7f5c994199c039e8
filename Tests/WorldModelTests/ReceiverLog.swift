import FleetModel
import FleetTestSupport
import Foundation
import Testing
import WorldModel

/// One of gpsd's receiver logs, as the TPV reports that a version of gpsd gives for it.
struct ReceiverLog: Sendable, CustomTestStringConvertible {
    let name: String
    /// `chk` (gpsd's own reference output) or `tpv322` (gpsd 3.22).
    let kind: String
    /// Highest speed that the receiver itself states, m/s; nil where the raw log does not tell.
    let receiverMaxSpeedMps: Double?

    var testDescription: String { "\(name).\(kind)" }

    static let all: [ReceiverLog] = {
        struct Summary: Decodable {
            var log: String
            // swift-format-ignore: AlwaysUseLowerCamelCase
            var receiver_max_speed_mps: Double?
        }
        guard let data = try? Data(contentsOf: URL(filePath: SharedData.path("gps/gpsd-summary.json"))),
            let summaries = try? JSONDecoder().decode([Summary].self, from: data)
        else { return [] }
        return summaries.flatMap { summary in
            ["chk", "tpv322"].map {
                ReceiverLog(name: summary.log, kind: $0, receiverMaxSpeedMps: summary.receiver_max_speed_mps)
            }
        }
    }()

    /// The reports in order; they arrive as fast as a slow serial line would carry them.
    func reports() throws -> [PositionFix] {
        struct TPV: Decodable {
            var `class`: String
            var mode: Int?
            var time: String?
            var lat, lon, speed, track, eps, eph, epx, epy: Double?
        }
        let text = try String(contentsOfFile: SharedData.path("gps/gpsd/\(name).\(kind)"), encoding: .utf8)
        var fixes: [PositionFix] = []
        for line in text.split(whereSeparator: \.isNewline) where line.hasPrefix("{") {
            guard let tpv = try? JSONDecoder().decode(TPV.self, from: Data(line.utf8)), tpv.class == "TPV" else { continue }
            var fix = PositionFix(mode: tpv.mode ?? 0, timeS: Double(fixes.count) * 0.1)
            fix.fixTime = tpv.time.flatMap { Timestamp($0) }
            fix.latitude = tpv.lat
            fix.longitude = tpv.lon
            fix.speedMps = tpv.speed
            fix.headingDeg = tpv.track
            fix.speedErrorMps = tpv.eps
            fix.positionErrorM = tpv.eph
            fixes.append(fix)
        }
        return fixes
    }
}
