import Imaging

/// Paints a walking person 1.75 m tall, seen from the side, looking to the right; four pictures make a step.
enum PersonPainter {
    /// Pictures of one stride.
    static let phases = 4
    /// Metres walked in one stride (two steps of 0.7 m).
    static let strideM = 1.4

    private static let coats: [CanvasColour] = [
        CanvasColour(red: 45, green: 55, blue: 90), CanvasColour(red: 120, green: 40, blue: 40),
        CanvasColour(red: 60, green: 60, blue: 62),
        CanvasColour(red: 70, green: 85, blue: 60),
    ]
    private static let trousers: [CanvasColour] = [
        CanvasColour(red: 40, green: 48, blue: 70), CanvasColour(red: 50, green: 48, blue: 46),
        CanvasColour(red: 100, green: 92, blue: 80),
    ]
    private static let skin = CanvasColour(red: 205, green: 160, blue: 135)

    static func sprite(clothes: Int, phase: Int) throws(ImagingError) -> SpriteBrush {
        let brush = try SpriteBrush(x: -0.6...0.6, y: -0.1...1.85, scale: 240)
        let coat = coats[clothes % coats.count]
        let leg = trousers[clothes / coats.count % trousers.count]
        // How far a foot is ahead of the hip, m.
        let swing = [0.30, 0.08, -0.30, -0.08][phase % phases]
        try brush.ellipse((0, 0.0), 0.38, 0.05, .grey(15, alpha: 0.55), softness: 0.03)
        try limb(brush, from: (0.02, 0.92), to: (-swing, 0.06), bend: swing < 0 ? 0.06 : -0.02, width: 0.155, leg.shaded(0.7))
        try shoe(brush, at: -swing)
        try limb(brush, from: (0.0, 1.38), to: (swing * 0.9 - 0.02, 0.86), bend: -0.05, width: 0.10, coat.shaded(0.65))
        try limb(brush, from: (0.0, 0.92), to: (swing, 0.06), bend: swing > 0 ? 0.06 : -0.02, width: 0.165, leg)
        try shoe(brush, at: swing)
        let torso: [SpriteBrush.Point] = [
            (-0.15, 0.84), (0.15, 0.84), (0.165, 1.1), (0.155, 1.35), (0.09, 1.47), (-0.05, 1.49), (-0.14, 1.38), (-0.165, 1.1),
        ]
        try brush.fill(torso, coat.shaded(1.25, plus: 12), to: coat.shaded(0.8))
        try brush.fill(
            [(-0.15, 0.86), (-0.06, 0.86), (-0.06, 1.42), (-0.13, 1.36)], coat.shaded(0.5).withAlpha(0.5), softness: 0.02)
        try limb(brush, from: (-0.01, 1.40), to: (-swing * 0.9, 0.88), bend: -0.05, width: 0.11, coat.shaded(1.05, plus: 8))
        try brush.ellipse((-swing * 0.9, 0.85), 0.045, 0.05, skin.shaded(0.95))
        try brush.rectangle(-0.05, 1.44, 0.06, 1.56, skin.shaded(0.85))
        try brush.ellipse((0.015, 1.625), 0.095, 0.12, skin.shaded(1.05), to: skin.shaded(0.85))
        let hair: [SpriteBrush.Point] = [
            (-0.10, 1.55), (-0.03, 1.60), (0.01, 1.68), (0.10, 1.69), (0.08, 1.75), (-0.03, 1.77), (-0.11, 1.70),
        ]
        try brush.fill(hair, CanvasColour(red: 62, green: 45, blue: 34))
        return brush
    }

    private static func limb(
        _ brush: SpriteBrush, from a: SpriteBrush.Point, to b: SpriteBrush.Point, bend: Double, width: Double,
        _ colour: CanvasColour
    ) throws(ImagingError) {
        let middle: SpriteBrush.Point = ((a.x + b.x) / 2 + bend, (a.y + b.y) / 2)
        let w = width / 2
        try brush.fill(
            [
                (a.x - w, a.y), (a.x + w, a.y), (middle.x + w * 0.85, middle.y), (b.x + w * 0.6, b.y), (b.x - w * 0.6, b.y),
                (middle.x - w * 0.85, middle.y),
            ], colour.shaded(1.1, plus: 6), to: colour.shaded(0.85))
    }

    private static func shoe(_ brush: SpriteBrush, at x: Double) throws(ImagingError) {
        try brush.fill(
            [(x - 0.06, 0), (x + 0.19, 0), (x + 0.20, 0.05), (x + 0.06, 0.11), (x - 0.06, 0.10)], .grey(35), to: .grey(18))
    }
}
