import Imaging

/// Paints the rear or the front of a hatchback 1.80 m wide and 1.48 m tall: the drawing that detectors of real cars take for one.
///
/// What it takes (found by trial with the detectors of the project): a body whose shade runs from top to bottom and darkens towards
/// its sides, a dark window that mirrors the sky, lights, a number plate, tyres in shadow, soft edges.
struct CarFacePainter {
    private typealias Point = SpriteBrush.Point
    private let brush: SpriteBrush
    private let shades: VehiclePaint.Shades

    private static let halfOutline: [Point] = [
        (0.80, 0.24), (0.87, 0.30), (0.895, 0.45), (0.90, 0.62), (0.885, 0.80), (0.86, 0.92), (0.80, 0.99), (0.745, 1.10),
        (0.685, 1.27), (0.63, 1.39), (0.52, 1.455), (0.30, 1.475), (0.1, 1.48),
    ]
    private static var outline: [Point] { SpriteBrush.mirrored(halfOutline) }

    private init(_ body: CanvasColour) throws(ImagingError) {
        brush = try SpriteBrush(x: -1.2...1.2, y: -0.2...1.65, scale: 320)
        shades = VehiclePaint.Shades(body)
    }

    /// The rear; `braking` lights the lamps.
    static func rear(_ body: CanvasColour, braking: Bool) throws(ImagingError) -> SpriteBrush {
        let painter = try CarFacePainter(body)
        try painter.paintUnderside()
        try painter.paintBody()
        try painter.paintRearWindow()
        try painter.paintTailgate()
        try painter.paintTailLamps(braking)
        try painter.paintRearBumper()
        return painter.brush
    }

    /// The front.
    static func front(_ body: CanvasColour) throws(ImagingError) -> SpriteBrush {
        let painter = try CarFacePainter(body)
        try painter.paintUnderside()
        try painter.paintBody()
        try painter.paintWindscreen()
        try painter.paintBonnet()
        try painter.paintGrille()
        try painter.paintHeadlamps()
        return painter.brush
    }

    private func paintUnderside() throws(ImagingError) {
        try brush.fill([(-1.0, -0.05), (1.0, -0.05), (0.96, 0.08), (-0.96, 0.08)], .grey(18, alpha: 0.6), softness: 0.04)
        try brush.fill([(-0.86, -0.01), (0.86, -0.01), (0.86, 0.2), (-0.86, 0.2)], .grey(8, alpha: 0.9), softness: 0.02)
        for side in [-1.0, 1] {
            try brush.rectangle(side * 0.60, 0, side * 0.85, 0.5, VehiclePaint.rubber, to: .grey(31), corner: 0.05)
        }
        try brush.rectangle(-0.72, 0.14, 0.72, 0.34, .grey(14))
    }

    private func paintBody() throws(ImagingError) {
        for side in [-1.0, 1] {
            try brush.rectangle(side * 0.84, 0.93, side * 1.0, 1.06, shades.lit.shaded(0.8), to: shades.dark, corner: 0.04)
        }
        try brush.fill(Self.outline, shades.lit, to: shades.dark)
        // The sides of the body turn away and darken: strips along its outline.
        for (inset, alpha) in [(0.05, 0.30), (0.10, 0.22), (0.18, 0.15)] {
            for side in [-1.0, 1] {
                let strip: [Point] = [
                    (side * 0.795, 0.26), (side * 0.865, 0.32), (side * 0.89, 0.46), (side * 0.893, 0.62), (side * 0.88, 0.80),
                    (side * 0.855, 0.91), (side * (0.85 - inset), 0.91), (side * (0.86 - inset), 0.26),
                ]
                try brush.fill(strip, shades.dark.shaded(0.6).withAlpha(alpha), softness: 0.02)
            }
        }
        try brush.fill(
            [(-0.5, 1.42), (0.5, 1.42), (0.42, 1.462), (-0.42, 1.462)], shades.gleam.withAlpha(0.6), softness: 0.008)
        try brush.line((0, 1.48), (0, 1.53), width: 0.02, .grey(20, alpha: 0.9))
    }

    private func paintRearWindow() throws(ImagingError) {
        let frame: [Point] = [(0.665, 1.03), (0.60, 1.24), (0.545, 1.345), (0.40, 1.375), (0.1, 1.385)]
        let glass: [Point] = [(0.635, 1.05), (0.575, 1.24), (0.525, 1.325), (0.39, 1.352), (0.1, 1.36)]
        try brush.fill(SpriteBrush.mirrored(frame), VehiclePaint.glassFrame)
        try brush.fill(SpriteBrush.mirrored(glass), VehiclePaint.glassTop, to: VehiclePaint.glassBottom)
        try paintSeats(base: 1.02)
        try brush.fill(
            [(-0.50, 1.06), (-0.18, 1.06), (-0.02, 1.35), (-0.33, 1.35)],
            CanvasColour(red: 190, green: 200, blue: 210, alpha: 0.18),
            softness: 0.01, smoothing: 0)
        try brush.line((-0.02, 1.04), (0.28, 1.10), width: 0.012, .grey(12, alpha: 0.9))
    }

    private func paintSeats(base: Double) throws(ImagingError) {
        for x in [-0.33, 0.33] {
            try brush.rectangle(x - 0.13, base, x + 0.13, base + 0.13, .grey(23, alpha: 0.85), softness: 0.006)
            try brush.rectangle(
                x - 0.085, base + 0.11, x + 0.085, base + 0.21, .grey(21, alpha: 0.85), softness: 0.006, corner: 0.03)
        }
    }

    private func paintTailgate() throws(ImagingError) {
        try brush.fill(
            [(-0.80, 0.94), (-0.5, 0.985), (0.5, 0.985), (0.80, 0.94), (0.5, 0.965), (-0.5, 0.965)], shades.gleam.withAlpha(0.55),
            softness: 0.006)
        try brush.fill(
            [(-0.62, 0.56), (0.62, 0.56), (0.66, 0.86), (-0.66, 0.86)], shades.middle.withAlpha(0.55),
            to: shades.dark.shaded(1.2).withAlpha(0.55), softness: 0.015)
        try brush.rectangle(-0.36, 0.665, 0.36, 0.835, shades.dark.shaded(0.7), to: shades.middle, softness: 0.006)
        try paintPlate(low: 0.69)
        for side in [-1.0, 1] {
            try brush.line((side * 0.60, 0.55), (side * 0.62, 0.96), width: 0.008, .grey(20, alpha: 0.6))
        }
        try brush.ellipse((0, 0.905), 0.035, 0.035, .grey(200), to: .grey(120))
    }

    private func paintPlate(low: Double) throws(ImagingError) {
        try brush.rectangle(-0.27, low, 0.27, low + 0.11, VehiclePaint.plate, to: VehiclePaint.plate.shaded(0.92), corner: 0.012)
        try brush.rectangle(-0.27, low, -0.235, low + 0.11, CanvasColour(red: 20, green: 60, blue: 150), corner: 0.01)
        var x = -0.20
        for letter in 0..<7 {
            try brush.rectangle(x, low + 0.022, x + 0.036, low + 0.088, .grey(40, alpha: 0.9), softness: 0.002, corner: 0.006)
            x += letter == 2 ? 0.085 : 0.062
        }
    }

    private func paintTailLamps(_ braking: Bool) throws(ImagingError) {
        let (top, bottom) =
            braking
            ? (CanvasColour(red: 255, green: 90, blue: 90), CanvasColour(red: 235, green: 40, blue: 40))
            : (CanvasColour(red: 190, green: 50, blue: 60), CanvasColour(red: 130, green: 30, blue: 35))
        for side in [-1.0, 1] {
            let lamp: [Point] = [
                (side * 0.60, 0.78), (side * 0.86, 0.75), (side * 0.885, 0.84), (side * 0.845, 0.955), (side * 0.70, 0.94),
                (side * 0.62, 0.90),
            ]
            try brush.fill(lamp, CanvasColour(red: 60, green: 15, blue: 20))
            try brush.fill(lamp.map { ($0.x * 0.985 + side * 0.011, $0.y * 0.97 + 0.026) }, top, to: bottom)
            try brush.fill(
                [(side * 0.66, 0.80), (side * 0.74, 0.795), (side * 0.74, 0.84), (side * 0.66, 0.845)],
                CanvasColour(red: 230, green: 190, blue: 185, alpha: 0.85), softness: 0.006)
            guard braking else { continue }
            let glow = CanvasColour(red: 255, green: 150, blue: 140, alpha: 0.55)
            try brush.ellipse((side * 0.77, 0.86), 0.16, 0.10, glow, softness: 0.04)
            try brush.ellipse(
                (side * 0.77, 0.88), 0.07, 0.04, CanvasColour(red: 255, green: 225, blue: 215, alpha: 0.8), softness: 0.012)
        }
        if braking {
            try brush.rectangle(
                -0.18, 1.375, 0.18, 1.40, CanvasColour(red: 255, green: 80, blue: 70), softness: 0.004, corner: 0.006)
        }
    }

    private func paintRearBumper() throws(ImagingError) {
        try brush.line((-0.87, 0.535), (0.87, 0.535), width: 0.010, .grey(15, alpha: 0.65))
        try brush.line((-0.84, 0.550), (0.84, 0.550), width: 0.008, shades.gleam.withAlpha(0.5))
        try paintLip()
        for side in [-1.0, 1] {
            try brush.rectangle(
                side * 0.62, 0.42, side * 0.80, 0.455, CanvasColour(red: 150, green: 45, blue: 50, alpha: 0.9), softness: 0.003,
                corner: 0.01)
            try brush.rectangle(side * 0.46, 0.21, side * 0.58, 0.26, .grey(91), to: .grey(40))
        }
    }

    private func paintLip() throws(ImagingError) {
        try brush.fill(
            [(-0.83, 0.24), (0.83, 0.24), (0.85, 0.37), (0.70, 0.40), (-0.70, 0.40), (-0.85, 0.37)], .grey(46, alpha: 0.95),
            to: .grey(22, alpha: 0.95))
    }

    private func paintWindscreen() throws(ImagingError) {
        let frame: [Point] = [(0.73, 0.97), (0.64, 1.22), (0.57, 1.36), (0.40, 1.40), (0.1, 1.41)]
        let glass: [Point] = [(0.70, 0.985), (0.615, 1.22), (0.55, 1.345), (0.39, 1.378), (0.1, 1.385)]
        try brush.fill(SpriteBrush.mirrored(frame), VehiclePaint.glassFrame)
        try brush.fill(SpriteBrush.mirrored(glass), VehiclePaint.glassTop.shaded(1.1), to: VehiclePaint.glassBottom)
        try paintSeats(base: 1.0)
        // The driver, seen through the glass.
        try brush.ellipse((0.33, 1.20), 0.075, 0.10, CanvasColour(red: 120, green: 95, blue: 82, alpha: 0.8), softness: 0.01)
        try brush.fill(
            [(-0.52, 1.0), (-0.16, 1.0), (0.0, 1.37), (-0.34, 1.37)], CanvasColour(red: 190, green: 200, blue: 210, alpha: 0.2),
            softness: 0.012, smoothing: 0)
        try brush.rectangle(-0.06, 1.30, 0.06, 1.345, .grey(12, alpha: 0.9))
    }

    private func paintBonnet() throws(ImagingError) {
        try brush.fill(
            [(-0.74, 0.72), (0.74, 0.72), (0.70, 0.96), (-0.70, 0.96)], shades.lit.withAlpha(0.85),
            to: shades.middle.withAlpha(0.5),
            softness: 0.015)
        for side in [-1.0, 1] {
            try brush.line((side * 0.42, 0.72), (side * 0.52, 0.95), width: 0.012, shades.gleam.withAlpha(0.5))
        }
        try brush.line((-0.74, 0.715), (0.74, 0.715), width: 0.010, .grey(15, alpha: 0.7))
    }

    private func paintGrille() throws(ImagingError) {
        try brush.fill([(-0.40, 0.56), (0.40, 0.56), (0.46, 0.69), (-0.46, 0.69)], .grey(25), to: .grey(12))
        for y in [0.595, 0.625, 0.655] { try brush.line((-0.40, y), (0.40, y), width: 0.008, .grey(95, alpha: 0.7)) }
        try brush.ellipse((0, 0.64), 0.05, 0.05, .grey(215), to: .grey(120))
        try paintPlate(low: 0.42)
        try brush.fill([(-0.62, 0.27), (0.62, 0.27), (0.66, 0.39), (-0.66, 0.39)], .grey(30), to: .grey(14))
        for side in [-1.0, 1] { try brush.ellipse((side * 0.70, 0.38), 0.07, 0.05, .grey(60), to: .grey(30)) }
        try paintLip()
    }

    private func paintHeadlamps() throws(ImagingError) {
        for side in [-1.0, 1] {
            let lamp: [Point] = [
                (side * 0.50, 0.62), (side * 0.80, 0.60), (side * 0.875, 0.72), (side * 0.84, 0.80), (side * 0.66, 0.75),
                (side * 0.50, 0.70),
            ]
            try brush.fill(lamp, .grey(40))
            try brush.fill(lamp.map { ($0.x * 0.98 + side * 0.014, $0.y * 0.97 + 0.02) }, .grey(225), to: .grey(150))
            try brush.ellipse((side * 0.66, 0.685), 0.055, 0.05, CanvasColour(red: 255, green: 252, blue: 240), softness: 0.01)
            try brush.ellipse(
                (side * 0.66, 0.685), 0.13, 0.11, CanvasColour(red: 255, green: 250, blue: 235, alpha: 0.35), softness: 0.04)
            try brush.ellipse(
                (side * 0.79, 0.70), 0.035, 0.04, CanvasColour(red: 235, green: 170, blue: 90, alpha: 0.8), softness: 0.006)
        }
    }
}
