import FleetModel

/// When a fix was taken: on the receiver's clock where it states its time, else on the recording's.
enum FixInstant: Hashable, Sendable {
    case receiver(Timestamp)
    case arrival(timeS: Double)

    /// Seconds from `other` to this instant; nil when they are on different clocks.
    func seconds(since other: FixInstant) -> Double? {
        switch (self, other) {
        case (.receiver(let a), .receiver(let b)): a.seconds(since: b)
        case (.arrival(let a), .arrival(let b)): a - b
        default: nil
        }
    }
}

/// The last report of one epoch of the receiver, with the arrival time of the epoch's first.
struct SettledFix: Sendable {
    var report: PositionFix
    let instant: FixInstant
    /// When the first report of the epoch arrived, s.
    let arrivalS: Double

    init(_ report: PositionFix, instant: FixInstant) {
        self.report = report
        self.instant = instant
        arrivalS = report.timeS
    }

    var speedMps: Double? { report.speedMps }

    var point: GeoPoint? {
        guard let latitude = report.latitude, let longitude = report.longitude else { return nil }
        return GeoPoint(latitude: latitude, longitude: longitude)
    }

    /// Whether every number is one that a road vehicle's receiver can report.
    var isPlausible: Bool {
        guard report.timeS.isFinite else { return false }
        if let speed = speedMps, !(0...FixPlausibility.maximumSpeedMps).contains(speed) { return false }
        return (report.latitude == nil && report.longitude == nil) || point != nil
    }
}
