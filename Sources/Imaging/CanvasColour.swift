import CVision

/// A colour with its opacity, as painters use it.
public struct CanvasColour: Hashable, Sendable {
    /// Red, 0...255.
    public var red: Double
    /// Green, 0...255.
    public var green: Double
    /// Blue, 0...255.
    public var blue: Double
    /// 0 (invisible) to 1 (opaque).
    public var alpha: Double

    /// A colour of samples 0...255; values beyond are cut.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = min(255, max(0, red))
        self.green = min(255, max(0, green))
        self.blue = min(255, max(0, blue))
        self.alpha = min(1, max(0, alpha))
    }

    /// A grey of sample value `level`, 0...255.
    public static func grey(_ level: Double, alpha: Double = 1) -> CanvasColour {
        CanvasColour(red: level, green: level, blue: level, alpha: alpha)
    }

    /// The same colour with another opacity.
    public func withAlpha(_ alpha: Double) -> CanvasColour { CanvasColour(red: red, green: green, blue: blue, alpha: alpha) }

    /// Every sample × `factor` + `offset`.
    public func shaded(_ factor: Double, plus offset: Double = 0) -> CanvasColour {
        CanvasColour(red: red * factor + offset, green: green * factor + offset, blue: blue * factor + offset, alpha: alpha)
    }

    /// The colour a `share` (0...1) of the way to `other`.
    public func mixed(with other: CanvasColour, share: Double) -> CanvasColour {
        func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
        return CanvasColour(
            red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue), alpha: mix(alpha, other.alpha))
    }

    var cValue: vision_colour {
        vision_colour(blue: Float(blue), green: Float(green), red: Float(red), alpha: Float(alpha))
    }
}

/// A point of a picture; pixel i covers [i, i+1).
public struct CanvasPoint: Hashable, Sendable {
    /// To the right, pixels.
    public var x: Double
    /// Downwards, pixels.
    public var y: Double

    /// A point.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    var cValue: vision_point { vision_point(x: x, y: y) }
}
