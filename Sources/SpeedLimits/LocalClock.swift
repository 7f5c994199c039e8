import FleetModel
import Foundation
import RoadMap

/// What a clock on the wall says where the vehicle is: schedules and signs are in local time, receivers in UTC.
public struct LocalClock: Sendable {
    private let zone: TimeZone?

    /// A clock that does not know where it is: every time is unknown.
    public static let unknown = LocalClock(zone: nil)

    private init(zone: TimeZone?) { self.zone = zone }

    /// The clock of a time zone of the IANA database, e.g. `Europe/Berlin`; nil when there is no such zone.
    public init?(timeZone name: String) {
        guard name.contains("/") || name == "UTC", let zone = TimeZone(identifier: name) else { return nil }
        self.zone = zone
    }

    /// Whether it knows its time zone.
    public var isKnown: Bool { zone != nil }

    /// The local time at `moment`; nil when either is unknown.
    public func time(at moment: Timestamp?) -> LocalTime? {
        guard let zone, let moment else { return nil }
        let seconds = moment.secondsSinceEpoch
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
        return LocalTime(localSecondsSinceEpoch: Int64(seconds.rounded(.down)) + Int64(offset))
    }
}
