import WorldModel

/// A place as OpenStreetMap stores it: whole numbers of 1e-7 degrees (1.1 cm), so that nodes that ways share are equal.
public struct MapPoint: Hashable, Sendable {
    /// East, 1e-7 degrees.
    public var x: Int32
    /// North, 1e-7 degrees.
    public var y: Int32

    /// Both in 1e-7 degrees.
    public init(x: Int32, y: Int32) {
        self.x = x
        self.y = y
    }

    /// The nearest such place to `point`.
    public init(_ point: GeoPoint) {
        x = Int32((point.longitude * 1e7).rounded())
        y = Int32((point.latitude * 1e7).rounded())
    }

    /// Degrees east.
    public var longitude: Double { Double(x) / 1e7 }
    /// Degrees north.
    public var latitude: Double { Double(y) / 1e7 }
}
