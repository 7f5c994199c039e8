import FleetModel

/// Where a vehicle was, as its heartbeats told.
public struct TrackPoint: Codable, Hashable, Sendable {
    /// When the server heard of it.
    public var at: Timestamp
    /// Degrees, WGS 84.
    public var lat: Double
    public var lon: Double
    /// Own speed in m/s; nil when unknown.
    public var speedMps: Double?

    /// All members.
    public init(at: Timestamp, lat: Double, lon: Double, speedMps: Double?) {
        self.at = at
        self.lat = lat
        self.lon = lon
        self.speedMps = speedMps
    }
}

/// Points of a vehicle in a span of time, the oldest first.
public struct VehicleTrack: Codable, Hashable, Sendable {
    /// Most points that one answer holds: a day of them.
    public static let maximumPoints = 5000

    /// The points.
    public var points: [TrackPoint]
    /// Metres driven on the UTC days that the span touches, by the odometer; nil when it told nothing.
    public var distanceM: Double?

    /// All members.
    public init(points: [TrackPoint], distanceM: Double?) {
        self.points = points
        self.distanceM = distanceM
    }
}

/// What a heartbeat adds to a vehicle's track and mileage, in the whole numbers that the stores keep.
///
/// A point is kept when the last one is at least `spacingMs` older and the vehicle has moved, or stands there for `standingMs`. Kilometres
/// count on the UTC day on which they are heard of; an odometer that fell has begun anew.
package struct Whereabouts: Sendable {
    /// Shortest time between two kept points, in ms.
    package static let spacingMs: Int64 = 30_000
    /// A standing vehicle is noted this often, in ms.
    package static let standingMs: Int64 = 600_000
    /// Distance in 1e-7 degrees, north or east, below which a vehicle counts as standing: some 20 m.
    package static let standingE7: Int64 = 2000
    /// Milliseconds in a UTC day.
    package static let dayMs: Int64 = 86_400_000

    package let identity: VehicleIdentity
    package let atMs: Int64
    /// Position in 1e-7 degrees; nil when unknown.
    package let latE7: Int64?
    package let lonE7: Int64?
    /// Speed in mm/s; nil when unknown.
    package let speedMmps: Int64?
    /// Odometer in mm; nil when unknown.
    package let odometerMm: Int64?

    package init(_ heartbeat: Heartbeat, receivedAt: Timestamp) {
        identity = heartbeat.identity
        atMs = receivedAt.millisecondsSinceEpoch
        latE7 = heartbeat.position.map { Int64(($0.lat * 1e7).rounded()) }
        lonE7 = heartbeat.position.map { Int64(($0.lon * 1e7).rounded()) }
        speedMmps = heartbeat.speedMps.map { Int64(($0 * 1000).rounded()) }
        // A vehicle that says more than a billion kilometres says nothing.
        odometerMm = heartbeat.odometerM.flatMap { $0 < 1e12 ? Int64(($0 * 1000).rounded()) : nil }
    }

    /// The UTC day, counted from 1970.
    package var day: Int64 { atMs / Self.dayMs }
}

extension TrackPoint {
    /// A point from the stores' whole numbers.
    package init(atMs: Int64, latE7: Int64, lonE7: Int64, speedMmps: Int64?) {
        self.init(
            at: Timestamp(millisecondsSinceEpoch: atMs), lat: Double(latE7) / 1e7, lon: Double(lonE7) / 1e7,
            speedMps: speedMmps.map { Double($0) / 1000 })
    }
}
