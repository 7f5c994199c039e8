import FleetModel

/// What the satellite receiver's time is worth: believed after three consecutive three-dimensional fixes whose times run as the monotonic
/// clock does; a count of weeks that has rolled over is repaired. Plain state.
///
/// A receiver states any time before it has a solid fix (field case T5), one that is older than 1024 weeks' rollover states a time 19.6
/// years ago (T2), and until it has heard of leap seconds it is off by some of them.
public struct SatelliteTime: Sendable {
    /// GPS counts weeks modulo 1024 (IS-GPS-200, section 20.3.3.3.1.1).
    static let rolloverS = 1024.0 * 7 * 86_400
    /// Fixes in a row that make the time believed, and that move it once it is.
    static let neededFixes = 3
    /// Fixes in a row that move a believed time by more than leap seconds: a receiver does not do that, whatever it says.
    static let fixesForJump = 30
    static let leapS = 30.0
    /// How far the receiver's time and the monotonic clock may run apart between fixes, in s: reports come up to half a second late.
    static let toleranceS = 0.75
    /// Longest pause within a row of fixes, in s.
    static let longestPauseS = 5.0

    private let earliest: Timestamp
    private var row: [(fixS: Double, atS: Double)] = []
    /// Seconds since 1970 when the monotonic clock stood at zero; nil while the time is not believed.
    public private(set) var offsetS: Double?

    /// No true time is before `earliest`.
    public init(earliest: Timestamp = SoftwareVersion.earliestTime) { self.earliest = earliest }

    /// Takes a report that arrived at `atS` on the monotonic clock. `mode` is the NMEA mode: 3 is a three-dimensional fix.
    public mutating func observe(_ time: Timestamp?, mode: Int, atS: Double) {
        guard mode >= 3, let time = time.flatMap(repaired) else { return row = [] }
        let fixS = time.secondsSinceEpoch
        if let last = row.last {
            // One fix may be reported several times.
            if fixS == last.fixS, atS - last.atS < Self.toleranceS { return }
            let runs = fixS > last.fixS && atS > last.atS && atS - last.atS <= Self.longestPauseS
            if !runs || abs((fixS - last.fixS) - (atS - last.atS)) > Self.toleranceS { row = [] }
        }
        row.append((fixS, atS))
        guard row.count >= Self.neededFixes else { return }
        row = row.suffix(Self.fixesForJump)
        // The report that came with the least delay tells the time best.
        let newest = row.suffix(Self.neededFixes).map { $0.fixS - $0.atS }.max() ?? 0
        guard let known = offsetS else { return offsetS = newest }
        if abs(newest - known) <= Self.toleranceS {
            offsetS = known + 0.1 * (newest - known)
        } else if abs(newest - known) <= Self.leapS || row.count >= Self.fixesForJump {
            offsetS = newest
        }
    }

    /// `time`, or as many times 1024 weeks later as bring it behind `earliest`; nil for one that lies more than 1024 weeks behind that.
    private func repaired(_ time: Timestamp) -> Timestamp? {
        let behindS = earliest.seconds(since: time)
        let rollovers = max(0, (behindS / Self.rolloverS).rounded(.up))
        let candidate = time.advanced(bySeconds: rollovers * Self.rolloverS)
        return candidate.seconds(since: earliest) < Self.rolloverS ? candidate : nil
    }
}
