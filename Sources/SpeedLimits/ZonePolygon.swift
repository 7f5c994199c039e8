import WorldModel

/// A polygon on the map with its holes; edges are straight in degrees, as GeoJSON (RFC 7946) has them.
struct ZonePolygon: Hashable, Sendable {
    /// Longitude and latitude in degrees.
    struct Point: Hashable, Sendable {
        var longitude: Double
        var latitude: Double
    }

    /// The outer ring first, then the holes; each without a repeated last point.
    private let rings: [[Point]]
    private let west: Double
    private let east: Double
    private let south: Double
    private let north: Double

    /// A polygon from its rings; the outer one must not be empty.
    init?(rings: [[Point]]) {
        guard let outer = rings.first, let first = outer.first else { return nil }
        self.rings = rings
        west = outer.reduce(first.longitude) { min($0, $1.longitude) }
        east = outer.reduce(first.longitude) { max($0, $1.longitude) }
        south = outer.reduce(first.latitude) { min($0, $1.latitude) }
        north = outer.reduce(first.latitude) { max($0, $1.latitude) }
    }

    /// Area of the bounding rectangle in square degrees: tells the smaller of two zones.
    var extent: Double { (east - west) * (north - south) }

    /// Whether the place lies inside the outer ring and in no hole. Half-open: on an edge shared by two zones it is in exactly one.
    func contains(_ place: GeoPoint) -> Bool {
        guard (west...east).contains(place.longitude), (south...north).contains(place.latitude) else { return false }
        // Crossings of all rings together: even-odd counts a hole as outside.
        return rings.reduce(false) { inside, ring in inside != Self.crossesOddly(ring, place) }
    }

    /// Whether a ray eastwards from `place` crosses the ring an odd number of times.
    private static func crossesOddly(_ ring: [Point], _ place: GeoPoint) -> Bool {
        var inside = false
        var previous = ring[ring.count - 1]
        for point in ring {
            if (point.latitude > place.latitude) != (previous.latitude > place.latitude) {
                let share = (place.latitude - point.latitude) / (previous.latitude - point.latitude)
                let longitude = point.longitude + share * (previous.longitude - point.longitude)
                if place.longitude < longitude { inside.toggle() }
            }
            previous = point
        }
        return inside
    }
}
