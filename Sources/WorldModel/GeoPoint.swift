import Foundation

/// A place on the Earth, WGS 84.
public struct GeoPoint: Hashable, Sendable {
    /// Degrees, north positive, -90...90.
    public var latitude: Double
    /// Degrees, east positive, -180...180.
    public var longitude: Double

    /// Nil when a number is not finite or out of range.
    public init?(latitude: Double, longitude: Double) {
        guard (-90.0...90).contains(latitude), (-180.0...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Metres to `other` along the great circle: the haversine formula on a sphere, within 0.6 % of the ellipsoid.
    public func distanceM(to other: GeoPoint) -> Double {
        let north = (other.latitude - latitude) * .pi / 180
        let east = (other.longitude - longitude) * .pi / 180
        let a =
            sin(north / 2) * sin(north / 2)
            + cos(latitude * .pi / 180) * cos(other.latitude * .pi / 180) * sin(east / 2) * sin(east / 2)
        return 2 * Self.meanEarthRadiusM * asin(min(1, a.squareRoot()))
    }

    /// Mean radius R1 of the Earth (IUGG, GRS 80), in m.
    public static let meanEarthRadiusM = 6_371_008.8
}
