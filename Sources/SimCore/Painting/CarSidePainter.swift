import Imaging

/// Paints the side of a car in two parts: the upright body up to the waist, and the glasshouse that leans inwards. x runs from the
/// rear (0) to the front.
enum CarSidePainter {
    static let lengthM = 4.2
    /// Where the body ends and the glasshouse begins, m above the road.
    static let waistM = 0.97

    /// The body with its wheels.
    static func body(_ colour: CanvasColour) throws(ImagingError) -> SpriteBrush {
        let brush = try SpriteBrush(x: 0...lengthM, y: 0...waistM, scale: 120)
        let shades = VehiclePaint.Shades(colour)
        let outline: [SpriteBrush.Point] = [
            (0.02, 0.30), (0.3, 0.24), (3.9, 0.22), (4.15, 0.30), (4.18, 0.55), (4.05, 0.72), (3.2, 0.92), (3.0, 0.97), (0.0, 0.97),
            (0.0, 0.6),
        ]
        try brush.fill(outline, shades.lit.shaded(0.85), to: shades.dark, smoothing: 1)
        try brush.line((0.1, 0.80), (3.6, 0.76), width: 0.03, shades.gleam.withAlpha(0.4))
        for x in [1.25, 2.25, 3.1] { try brush.line((x, 0.28), (x, 0.96), width: 0.012, .grey(20, alpha: 0.6)) }
        for x in [1.4, 2.4] { try brush.rectangle(x, 0.80, x + 0.18, 0.83, shades.dark, corner: 0.01) }
        try brush.rectangle(0.2, 0.20, 4.0, 0.28, .grey(25, alpha: 0.9))
        for x in [0.78, 3.36] {
            try brush.ellipse((x, 0.36), 0.37, 0.37, .grey(10))
            try brush.ellipse((x, 0.31), 0.31, 0.31, VehiclePaint.rubber, to: .grey(18))
            try brush.ellipse((x, 0.31), 0.20, 0.20, .grey(165), to: .grey(95))
            try brush.ellipse((x, 0.31), 0.06, 0.06, .grey(60))
        }
        try brush.rectangle(0.0, 0.74, 0.16, 0.93, CanvasColour(red: 150, green: 35, blue: 40))
        try brush.rectangle(4.0, 0.60, 4.18, 0.72, .grey(210))
        return brush
    }

    /// The glasshouse.
    static func glasshouse(_ colour: CanvasColour) throws(ImagingError) -> SpriteBrush {
        let brush = try SpriteBrush(x: 0...lengthM, y: waistM...1.47, scale: 120)
        let shades = VehiclePaint.Shades(colour)
        try brush.fill([(0.0, 0.97), (3.15, 0.97), (2.35, 1.44), (1.9, 1.47), (0.5, 1.46), (0.25, 1.36)], shades.lit, smoothing: 1)
        let glass: [SpriteBrush.Point] = [(0.35, 1.0), (2.95, 1.0), (2.3, 1.38), (1.9, 1.41), (0.65, 1.40)]
        try brush.fill(glass, VehiclePaint.glassTop, to: VehiclePaint.glassBottom, smoothing: 1)
        for x in [1.25, 2.2] { try brush.line((x, 0.98), (x - 0.05, 1.42), width: 0.07, .grey(20)) }
        return brush
    }
}
