import Imaging

/// Paints on a layer in metres: x to the right, y up.
struct SpriteBrush {
    let layer: CanvasLayer
    /// The part of the plane that the layer covers, m.
    let left: Double
    let top: Double
    let widthM: Double
    let heightM: Double
    /// Pixels per metre.
    let scale: Double

    /// A transparent layer for `x` and `y` at `scale` pixels per metre.
    init(x: ClosedRange<Double>, y: ClosedRange<Double>, scale: Double) throws(ImagingError) {
        (left, top, self.scale) = (x.lowerBound, y.upperBound, scale)
        (widthM, heightM) = (x.upperBound - x.lowerBound, y.upperBound - y.lowerBound)
        layer = try CanvasLayer(width: Int((widthM * scale).rounded()), height: Int((heightM * scale).rounded()))
    }

    /// A point of the outline, m.
    typealias Point = (x: Double, y: Double)

    /// Fills an outline; its corners are cut `smoothing` times (Chaikin 1974) first. `softness` is in m.
    func fill(
        _ outline: [Point], _ top: CanvasColour, to bottom: CanvasColour? = nil, softness: Double = 0, smoothing: Int = 2
    ) throws(ImagingError) {
        var points = outline
        for _ in 0..<smoothing { points = Self.cornersCut(points) }
        let pixels = points.map { CanvasPoint(x: ($0.x - left) * scale, y: (self.top - $0.y) * scale) }
        try layer.fill(pixels, top: top, bottom: bottom, softness: softness * scale)
    }

    /// An upright rectangle with round corners of radius `corner`.
    func rectangle(
        _ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, _ top: CanvasColour, to bottom: CanvasColour? = nil,
        softness: Double = 0, corner: Double = 0.02
    ) throws(ImagingError) {
        let (left, right, low, high, r) = (min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1), corner)
        let outline: [Point] = [
            (left + r, low), (right - r, low), (right, low + r), (right, high - r), (right - r, high), (left + r, high),
            (left, high - r), (left, low + r),
        ]
        try fill(outline, top, to: bottom, softness: softness, smoothing: r > 0 ? 3 : 0)
    }

    /// A line of the given width.
    func line(_ a: Point, _ b: Point, width: Double, _ colour: CanvasColour) throws(ImagingError) {
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        let length = (dx * dx + dy * dy).squareRoot()
        guard length > 0 else { return }
        let (nx, ny) = (-dy / length * width / 2, dx / length * width / 2)
        try fill(
            [(a.x - nx, a.y - ny), (b.x - nx, b.y - ny), (b.x + nx, b.y + ny), (a.x + nx, a.y + ny)], colour, softness: width / 5,
            smoothing: 0)
    }

    /// An ellipse about a point.
    func ellipse(
        _ centre: Point, _ rx: Double, _ ry: Double, _ top: CanvasColour, to bottom: CanvasColour? = nil, softness: Double = 0
    ) throws(ImagingError) {
        // An octagon whose corners are cut three times is an ellipse to within a percent.
        let (a, b) = (rx * 0.4142, ry * 0.4142)
        let outline: [Point] = [
            (centre.x - a, centre.y - ry), (centre.x + a, centre.y - ry), (centre.x + rx, centre.y - b),
            (centre.x + rx, centre.y + b),
            (centre.x + a, centre.y + ry), (centre.x - a, centre.y + ry), (centre.x - rx, centre.y + b),
            (centre.x - rx, centre.y - b),
        ]
        try fill(outline, top, to: bottom, softness: softness, smoothing: 3)
    }

    /// Writes `text` with its middle `centreM` above the ground and `lateralM` to the right, in letters of `height`, m.
    func write(
        _ text: String, centreM: Double, lateralM: Double = 0, height: Double, colour: CanvasColour = .grey(20)
    ) throws(ImagingError) {
        try layer.write(
            text, centre: CanvasPoint(x: (lateralM - left) * scale, y: (top - centreM) * scale), capHeight: height * scale,
            stroke: height * 0.168 * scale, colour: colour)
    }

    /// The right half of an outline, completed to a symmetric one.
    static func mirrored(_ right: [Point]) -> [Point] { right + right.reversed().map { (-$0.x, $0.y) } }

    private static func cornersCut(_ points: [Point]) -> [Point] {
        points.indices.flatMap { i -> [Point] in
            let (p, q) = (points[i], points[(i + 1) % points.count])
            return [(0.75 * p.x + 0.25 * q.x, 0.75 * p.y + 0.25 * q.y), (0.25 * p.x + 0.75 * q.x, 0.25 * p.y + 0.75 * q.y)]
        }
    }
}
