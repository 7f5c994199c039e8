import FleetModel
import WorldModel

/// Where the receiver's reports come from: gpsd, a recorded session, or in future another sensor.
public protocol TelemetrySource: AnyObject {
    /// The reports that have come since the last call and are not later than `timeS`, in order of arrival. Never blocks for long.
    ///
    /// `timeS` is on the clock of `PositionFix.timeS`. Throws only for recordings that are damaged.
    func fixes(upTo timeS: Double) throws -> [PositionFix]

    /// What is wrong with the source itself; the receiver's fixes are judged by `EgoStateEstimator`.
    var degraded: [DegradedCode] { get }
}
