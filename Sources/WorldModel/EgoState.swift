import FleetModel

/// What is believed of the own vehicle at one moment; nil is unknown.
public struct EgoState: Hashable, Sendable {
    /// Speed over ground in m/s; nil while it cannot be trusted, and then speed gates are off.
    public var speedMps: Double?
    /// Where; nil when there is no fresh fix.
    public var position: GeoPoint?
    /// Direction of travel in degrees clockwise from true north; kept from the last movement while the vehicle stands.
    public var headingDeg: Double?
    /// Horizontal position error (95 %) in m, as the receiver states it.
    public var positionErrorM: Double?
    /// When the fix behind these values was taken, on the clock of `PositionFix.timeS`; what the durations of rules count in.
    public var fixTimeS: Double?
    /// The receiver's own time of that fix, where it states one.
    public var fixTime: Timestamp?
    /// Mode of the receiver's latest report: 0 or 1 no fix, 2 two-dimensional, 3 three-dimensional.
    public var mode: Int
    /// What is wrong, in the order of `DegradedCode`; empty when all is known.
    public var degraded: [DegradedCode]

    /// Nothing known: no report has come.
    public static let unknown = EgoState(mode: 0, degraded: [.speedUnknown])

    /// A state with nothing known but the mode and what is wrong.
    public init(mode: Int, degraded: [DegradedCode]) {
        self.mode = mode
        self.degraded = degraded
    }
}
