import Glibc
import WorldModel

/// The Earth about a place as a plane in metres: x east, y north. Right to a part in a thousand within some 50 km.
struct MapPlane: Sendable {
    /// Of latitude, on the mean sphere.
    static let metresPerDegree = GeoPoint.meanEarthRadiusM * .pi / 180

    struct Point: Hashable, Sendable {
        var x: Double
        var y: Double

        static func - (a: Point, b: Point) -> Point { Point(x: a.x - b.x, y: a.y - b.y) }
        func dot(_ other: Point) -> Double { x * other.x + y * other.y }
        func cross(_ other: Point) -> Double { x * other.y - y * other.x }
        var length: Double { dot(self).squareRoot() }
    }

    private let origin: GeoPoint
    private let metresPerDegreeEast: Double

    init(about origin: GeoPoint) {
        self.origin = origin
        metresPerDegreeEast = Self.metresPerDegree * cosine(origin.latitude * .pi / 180)
    }

    func point(_ place: GeoPoint) -> Point { point(longitude: place.longitude, latitude: place.latitude) }
    func point(_ place: MapPoint) -> Point { point(longitude: place.longitude, latitude: place.latitude) }

    private func point(longitude: Double, latitude: Double) -> Point {
        var east = longitude - origin.longitude
        if east > 180 { east -= 360 } else if east < -180 { east += 360 }
        return Point(x: east * metresPerDegreeEast, y: (latitude - origin.latitude) * Self.metresPerDegree)
    }
}

/// The cosine; a name of its own, because `Foundation` and the C library both have `cos`.
func cosine(_ radians: Double) -> Double { Glibc.cos(radians) }
