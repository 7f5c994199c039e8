import Glibc
import RoadMap

/// A place on the usual web map (spherical Mercator), in whole numbers: 2^30 units to the side of the world, which are 16 to a pixel at zoom 18.
struct WebMapPlace: Hashable, Sendable {
    /// Units to the side of the world, as a power of two.
    static let worldBits = 30
    /// The map ends here, in degrees, so that it is square.
    private static let highestLatitude = 85.0511287798

    /// Units from the west and from the north.
    var x: Int32, y: Int32

    /// Where `point` is drawn.
    init(_ point: MapPoint) {
        let world = Double(1 << Self.worldBits)
        let latitude = min(max(point.latitude, -Self.highestLatitude), Self.highestLatitude) * .pi / 180
        x = Int32(min(world, max(0, (point.longitude + 180) / 360 * world)))
        y = Int32(min(world, max(0, (1 - asinh(tan(latitude)) / .pi) / 2 * world)))
    }

    /// Units that `pixels` of a square of 256 are at `zoom`.
    static func units(ofPixels pixels: Double, at zoom: Int) -> Int32 { Int32(pixels / 256 * Double(1 << (worldBits - zoom))) }
}

/// One of the 4^zoom squares of the web map.
struct WebMapSquare: Sendable {
    /// Half the width of the broadest road, in pixels: what is drawn from beyond the rim.
    private static let rimPixels = 4.0

    let zoom: Int
    /// Units from the west and the north of the world, and to the square's side.
    let (x, y, side): (Int, Int, Int)

    /// Column `x` and row `y` of `zoom`, which is 0 to 18; nil when there is no such square.
    init?(zoom: Int, x: Int, y: Int) {
        guard (0...18).contains(zoom), (0..<(1 << zoom)).contains(x), (0..<(1 << zoom)).contains(y) else { return nil }
        let side = 1 << (WebMapPlace.worldBits - zoom)
        (self.zoom, self.x, self.y, self.side) = (zoom, x * side, y * side, side)
    }

    private var rim: Int { Int(WebMapPlace.units(ofPixels: Self.rimPixels, at: zoom)) }

    /// Its edges in degrees, with the rim.
    var degrees: (west: Double, east: Double, south: Double, north: Double) {
        let world = Double(1 << WebMapPlace.worldBits)
        func longitude(_ x: Int) -> Double { Double(x) / world * 360 - 180 }
        func latitude(_ y: Int) -> Double { atan(sinh(.pi * (1 - 2 * Double(y) / world))) * 180 / .pi }
        return (longitude(x - rim), longitude(x + side + rim), latitude(y + side + rim), latitude(y - rim))
    }

    /// Whether something of `line` may be in it.
    func touches(_ line: RoadLine) -> Bool {
        Int(line.east) >= x - rim && Int(line.west) <= x + side + rim && Int(line.south) >= y - rim
            && Int(line.north) <= y + side + rim
    }
}
