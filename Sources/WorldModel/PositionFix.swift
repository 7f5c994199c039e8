import FleetModel

/// What the satellite receiver reported at one moment; the line of `telemetry.jsonl` and the content of a gpsd TPV report.
///
/// Unknown is nil. Nothing here is judged yet: see `EgoStateEstimator` for what is believed.
public struct PositionFix: Hashable, Sendable {
    /// NMEA mode as gpsd gives it: 0 or 1 no fix, 2 two-dimensional, 3 three-dimensional.
    public var mode: Int
    /// Seconds since the session began; in live operation, of the monotonic clock at arrival.
    public var timeS: Double
    /// The receiver's own time, where it states one.
    public var fixTime: Timestamp?
    /// Degrees, WGS 84, north positive.
    public var latitude: Double?
    /// Degrees, WGS 84, east positive.
    public var longitude: Double?
    /// Metres above mean sea level.
    public var altitudeM: Double?
    /// Speed over ground in m/s.
    public var speedMps: Double?
    /// Direction of travel, degrees clockwise from true north.
    public var headingDeg: Double?
    /// Horizontal dilution of precision.
    public var hdop: Double?
    /// Estimated speed error in m/s (gpsd's `eps`, 95 %).
    public var speedErrorMps: Double?
    /// Estimated horizontal position error in m (gpsd's `eph`, or the larger of `epx` and `epy`, 95 %).
    public var positionErrorM: Double?

    /// A fix with nothing known but its mode and time.
    public init(mode: Int, timeS: Double) {
        self.mode = mode
        self.timeS = timeS
    }
}
