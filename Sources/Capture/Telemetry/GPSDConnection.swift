import CGPSD
import FleetModel
import WorldModel

/// A connection to gpsd through libgps. One thread at a time; the calls block.
final class GPSDConnection {
    /// What a wait brought.
    enum Event {
        case fix(PositionFix)
        /// Nothing, or a report of another kind.
        case nothing
        /// gpsd has closed the connection.
        case lost
    }

    /// Why no connection could be made; one line.
    struct Refused: Error { var reason: String }

    private let handle: UnsafeMutablePointer<gps_data_t>

    /// Connects and asks for reports.
    init(host: String, port: Int) throws(Refused) {
        var problem: UnsafePointer<CChar>?
        guard let handle = fleet_gps_open(host, String(port), &problem) else {
            throw Refused(reason: problem.map { String(cString: $0) } ?? "no reason given")
        }
        self.handle = handle
    }

    deinit { fleet_gps_close(handle) }

    /// Waits at most `timeoutS` for the next report. `clock` gives the fix its arrival time.
    func next(timeoutS: Double, clock: () -> Double) -> Event {
        guard fleet_gps_waiting(handle, Int32(min(max(timeoutS, 0), 60) * 1e6)) else { return .nothing }
        var report = fleet_tpv()
        switch fleet_gps_read(handle, &report) {
        case FLEET_GPS_TPV: return .fix(Self.fix(report, timeS: clock()))
        case FLEET_GPS_LOST: return .lost
        default: return .nothing
        }
    }

    private static func fix(_ report: fleet_tpv, timeS: Double) -> PositionFix {
        func known(_ value: Double) -> Double? { value.isFinite ? value : nil }
        var fix = PositionFix(mode: Int(report.mode), timeS: timeS)
        if report.time_ms != Int64.min { fix.fixTime = Timestamp(millisecondsSinceEpoch: report.time_ms) }
        fix.latitude = known(report.latitude_deg)
        fix.longitude = known(report.longitude_deg)
        fix.altitudeM = known(report.altitude_msl_m)
        fix.speedMps = known(report.speed_mps)
        fix.headingDeg = known(report.track_deg)
        fix.speedErrorMps = known(report.eps_mps)
        fix.hdop = known(report.hdop)
        let axes = [report.epx_m, report.epy_m].compactMap(known)
        fix.positionErrorM = known(report.eph_m) ?? axes.max()
        return fix
    }
}
