import Imaging

/// Paints a 7.5 t box lorry, 2.40 m wide and 3.20 m tall: rear, front and one side.
enum LorryPainter {
    private static func brush() throws(ImagingError) -> SpriteBrush { try SpriteBrush(x: -1.5...1.5, y: -0.2...3.4, scale: 160) }

    private static func paintWheels(_ brush: SpriteBrush) throws(ImagingError) {
        try brush.fill([(-1.2, -0.03), (1.2, -0.03), (1.2, 0.3), (-1.2, 0.3)], .grey(10, alpha: 0.85), softness: 0.03)
        for side in [-1.0, 1] {
            try brush.rectangle(side * 0.72, 0, side * 1.14, 0.85, VehiclePaint.rubber, to: .grey(30), corner: 0.06)
        }
        try brush.rectangle(-1.0, 0.45, 1.0, 0.95, .grey(32), to: .grey(14))
    }

    /// The rear: two doors, lamps below.
    static func rear(_ colour: CanvasColour, braking: Bool) throws(ImagingError) -> SpriteBrush {
        let brush = try brush()
        let shades = VehiclePaint.Shades(colour)
        try paintWheels(brush)
        try brush.rectangle(-1.2, 0.85, 1.2, 3.2, shades.lit, to: shades.middle, corner: 0.05)
        try brush.rectangle(-1.13, 0.95, 1.13, 3.12, shades.lit.shaded(0.97), to: shades.middle.shaded(0.95), corner: 0.03)
        try brush.line((0, 0.92), (0, 3.14), width: 0.02, .grey(40, alpha: 0.8))
        for x in [-0.35, 0.35] { try brush.line((x, 0.95), (x, 3.1), width: 0.03, .grey(90, alpha: 0.8)) }
        for y in [1.2, 2.0, 2.8] {
            for side in [-1.0, 1] { try brush.rectangle(side * 1.02, y, side * 1.18, y + 0.06, .grey(80)) }
        }
        try brush.rectangle(-1.2, 0.60, 1.2, 0.86, .grey(50), to: .grey(28))
        try brush.rectangle(-0.27, 0.66, 0.27, 0.78, VehiclePaint.plate)
        let lamp = braking ? CanvasColour(red: 255, green: 80, blue: 70) : CanvasColour(red: 165, green: 35, blue: 40)
        for side in [-1.0, 1] { try brush.rectangle(side * 0.72, 0.64, side * 1.12, 0.80, lamp, to: lamp.shaded(0.75)) }
        return brush
    }

    /// The front: a cab below the box.
    static func front(_ colour: CanvasColour) throws(ImagingError) -> SpriteBrush {
        let brush = try brush()
        let shades = VehiclePaint.Shades(colour)
        let box = VehiclePaint.Shades(.grey(190))
        try paintWheels(brush)
        try brush.rectangle(-1.2, 1.0, 1.2, 3.2, box.lit, to: box.middle, corner: 0.05)
        let cab: [SpriteBrush.Point] = [(1.05, 0.40), (1.10, 0.7), (1.10, 1.5), (1.02, 2.3), (0.9, 2.48), (0.2, 2.52)]
        try brush.fill(SpriteBrush.mirrored(cab), shades.lit, to: shades.dark)
        try brush.fill(SpriteBrush.mirrored([(1.0, 1.42), (0.95, 2.05), (0.85, 2.26), (0.2, 2.3)]), VehiclePaint.glassFrame)
        try brush.fill(
            SpriteBrush.mirrored([(0.96, 1.46), (0.91, 2.04), (0.82, 2.22), (0.2, 2.26)]), VehiclePaint.glassTop,
            to: VehiclePaint.glassBottom)
        try brush.ellipse((0.5, 1.75), 0.12, 0.16, CanvasColour(red: 118, green: 95, blue: 82, alpha: 0.75), softness: 0.02)
        for y in [1.0, 1.1, 1.2] { try brush.line((-0.75, y), (0.75, y), width: 0.04, .grey(25, alpha: 0.85)) }
        try brush.rectangle(-1.08, 0.40, 1.08, 0.80, .grey(60), to: .grey(30), corner: 0.05)
        try brush.rectangle(-0.27, 0.5, 0.27, 0.62, VehiclePaint.plate)
        for side in [-1.0, 1] {
            try brush.rectangle(side * 0.70, 0.60, side * 1.02, 0.78, .grey(235), to: .grey(180), corner: 0.04)
            try brush.rectangle(side * 1.14, 1.5, side * 1.32, 2.1, .grey(30), corner: 0.04)
        }
        return brush
    }

    /// One side, rear at x = 0.
    static func side(_ colour: CanvasColour) throws(ImagingError) -> SpriteBrush {
        let brush = try SpriteBrush(x: 0...7, y: 0...3.2, scale: 80)
        let shades = VehiclePaint.Shades(.grey(190))
        let cab = VehiclePaint.Shades(colour)
        try brush.rectangle(0, 0.85, 5.2, 3.2, shades.lit.shaded(0.9), to: shades.middle, corner: 0.04)
        // The box reaches over the cab, as the front shows it.
        try brush.rectangle(5.0, 2.45, 7.0, 3.2, shades.lit.shaded(0.9), to: shades.lit.shaded(0.8), corner: 0)
        for x in [1.3, 2.6, 3.9] { try brush.line((x, 0.9), (x, 3.15), width: 0.02, .grey(120, alpha: 0.6)) }
        try brush.rectangle(0.2, 0.5, 6.6, 0.9, .grey(40), to: .grey(22))
        try brush.fill(
            [(5.3, 0.45), (6.95, 0.45), (7.0, 1.4), (6.7, 2.4), (5.3, 2.45)], cab.lit.shaded(0.9), to: cab.dark, smoothing: 1)
        try brush.fill(
            [(5.7, 1.4), (6.8, 1.4), (6.6, 2.2), (5.7, 2.25)], VehiclePaint.glassTop, to: VehiclePaint.glassBottom, smoothing: 1)
        for x in [1.3, 5.9] {
            try brush.ellipse((x, 0.45), 0.45, 0.45, VehiclePaint.rubber)
            try brush.ellipse((x, 0.45), 0.24, 0.24, .grey(150), to: .grey(90))
        }
        return brush
    }
}
