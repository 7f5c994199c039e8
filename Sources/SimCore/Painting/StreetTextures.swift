import FleetRuntime
import Imaging

/// Paints what repeats along the road: the road itself with its lines, kerbs and pavements, and the houses and hedges on either side.
struct StreetTextures {
    /// Metres of road in one ground texture; a multiple of the 12 m of a lane line (4 m of paint, 8 m of gap).
    static let groundLengthM = 48.0
    /// Metres of road in one row of houses.
    static let frontLengthM = 144.0
    /// Height of the painted fronts.
    static let frontTopM = 12.0

    let seed: UInt64

    /// The road from `Street.leftFrontM` to `Street.rightFrontM`; x of the brush runs along the road, y against the right.
    func ground() throws(ImagingError) -> CanvasLayer {
        // Rows of a plane run from left to right, so "up" is to the left here.
        let brush = try SpriteBrush(x: 0...Self.groundLengthM, y: -Street.rightFrontM...(-Street.leftFrontM), scale: 36)
        func strip(_ from: Double, _ to: Double, _ colour: CanvasColour) throws(ImagingError) {
            try brush.rectangle(-1, -from, Self.groundLengthM + 1, -to, colour, corner: 0)
        }
        let grass = CanvasColour(red: 96, green: 112, blue: 70)
        let pavement = CanvasColour(red: 150, green: 146, blue: 140)
        try strip(Street.leftFrontM, Street.rightFrontM, grass)
        try strip(Street.leftGardenM, Street.leftKerbM, pavement)
        try strip(Street.rightKerbM, Street.rightGardenM, pavement)
        try brush.layer.grain(seed: seed &+ 1, cellWidth: 6, cellHeight: 6, amplitude: 0.12)
        try strip(Street.leftKerbM, Street.rightKerbM, CanvasColour(red: 108, green: 108, blue: 110))
        try strip(Street.rightEdgeM + 0.1, Street.rightKerbM, CanvasColour(red: 116, green: 113, blue: 110))
        // Where wheels run, asphalt is polished and darker.
        for lane in [0, Street.oncomingLaneM] {
            for wheel in [-0.75, 0.75] {
                try brush.fill(
                    [
                        (-1, -(lane + wheel - 0.35)), (Self.groundLengthM + 1, -(lane + wheel - 0.35)),
                        (Self.groundLengthM + 1, -(lane + wheel + 0.35)), (-1, -(lane + wheel + 0.35)),
                    ], CanvasColour(red: 88, green: 88, blue: 91, alpha: 0.45), softness: 0.15, smoothing: 0)
            }
        }
        try brush.layer.grain(seed: seed &+ 2, cellWidth: 2, cellHeight: 2, amplitude: 0.10)
        try brush.layer.grain(seed: seed &+ 3, cellWidth: 70, cellHeight: 30, amplitude: 0.08)
        try patches(brush)
        let paint = CanvasColour(red: 222, green: 222, blue: 218, alpha: 0.9)
        for start in stride(from: 2.0, to: Self.groundLengthM, by: 12) {
            try brush.rectangle(start, -(Street.centreLineM - 0.06), start + 4, -(Street.centreLineM + 0.06), paint, corner: 0)
        }
        try strip(Street.rightEdgeM - 0.06, Street.rightEdgeM + 0.06, paint)
        for kerb in [Street.leftKerbM, Street.rightKerbM] {
            try strip(kerb - 0.08, kerb + 0.08, CanvasColour(red: 172, green: 170, blue: 165))
            try strip(
                kerb + (kerb < 0 ? 0.08 : -0.16), kerb + (kerb < 0 ? 0.16 : -0.08),
                CanvasColour(red: 70, green: 70, blue: 70, alpha: 0.6))
        }
        return brush.layer
    }

    /// Mended places and manhole covers.
    private func patches(_ brush: SpriteBrush) throws(ImagingError) {
        var random = SeededGenerator(seed: seed, purpose: "asphalt")
        for _ in 0..<5 {
            let (x, lateral) = (random.uniform(4...40), random.uniform(-4.5...1.2))
            let (length, width) = (random.uniform(1.5...5), random.uniform(0.5...1.4))
            try brush.rectangle(
                x, -lateral, x + length, -(lateral + width), CanvasColour(red: 92, green: 92, blue: 94, alpha: 0.35), softness: 0.05
            )
        }
        for _ in 0..<2 {
            try brush.ellipse(
                (random.uniform(4...44), -random.uniform(-3.6...0.4)), 0.32, 0.32, .grey(70, alpha: 0.8), softness: 0.03)
        }
    }

    /// One side of the street: houses, hedges and trees; `side` makes the two sides differ.
    func fronts(side: UInt64) throws(ImagingError) -> CanvasLayer {
        let brush = try SpriteBrush(x: 0...Self.frontLengthM, y: 0...Self.frontTopM, scale: 24)
        var random = SeededGenerator(seed: seed, purpose: "fronts \(side)")
        try foliageBand(brush, &random, upTo: 4.5, CanvasColour(red: 66, green: 84, blue: 52), everyM: 1.1)
        try brush.layer.grain(seed: seed &+ 11 &+ side, cellWidth: 5, cellHeight: 5, amplitude: 0.35)
        var x = 3.0
        while x < Self.frontLengthM - 17 {
            let width = random.uniform(9...15)
            try house(brush, &random, x, width)
            x += width + random.uniform(2...7)
        }
        try foliageBand(brush, &random, upTo: 1.6, CanvasColour(red: 74, green: 96, blue: 56), everyM: 0.8)
        for _ in 0..<9 { try tree(brush, &random, at: random.uniform(5...Self.frontLengthM - 5)) }
        try brush.layer.grain(seed: seed &+ 20 &+ side, cellWidth: 3, cellHeight: 3, amplitude: 0.14)
        try brush.layer.grain(seed: seed &+ 30 &+ side, cellWidth: 40, cellHeight: 20, amplitude: 0.10)
        return brush.layer
    }

    private func foliageBand(
        _ brush: SpriteBrush, _ random: inout SeededGenerator, upTo height: Double, _ colour: CanvasColour, everyM: Double
    ) throws(ImagingError) {
        try brush.rectangle(-1, 0, Self.frontLengthM + 1, height * 0.6, colour.shaded(0.85), to: colour.shaded(0.55), corner: 0)
        for x in stride(from: 0.0, to: Self.frontLengthM, by: everyM) {
            let r = height * random.uniform(0.22...0.36)
            try brush.ellipse(
                (x, height * random.uniform(0.5...0.68)), r * 1.2, r, colour.shaded(random.uniform(0.85...1.2)),
                to: colour.shaded(0.6),
                softness: 0.06)
        }
    }

    private func tree(_ brush: SpriteBrush, _ random: inout SeededGenerator, at x: Double) throws(ImagingError) {
        let height = random.uniform(6...9)
        try brush.rectangle(x - 0.18, 0, x + 0.18, height * 0.5, CanvasColour(red: 84, green: 72, blue: 60), to: .grey(50))
        for _ in 0..<26 {
            let r = random.uniform(0.5...1.1)
            let green = CanvasColour(red: 78, green: 100, blue: 56).shaded(random.uniform(0.6...1.25))
            let centre = (x + random.normal(sd: 1.0), height * 0.66 + random.normal(sd: 0.95))
            try brush.ellipse(centre, r, r * 0.85, green, to: green.shaded(0.6), softness: 0.12)
        }
    }

    private func house(_ brush: SpriteBrush, _ random: inout SeededGenerator, _ x: Double, _ width: Double) throws(ImagingError) {
        let wall = random.pick([
            CanvasColour(red: 206, green: 198, blue: 180), CanvasColour(red: 190, green: 180, blue: 165),
            CanvasColour(red: 212, green: 205, blue: 198), CanvasColour(red: 168, green: 120, blue: 98),
            CanvasColour(red: 196, green: 182, blue: 142),
        ])
        let eaves = random.uniform(5.2...6.4)
        let ridge = eaves + random.uniform(2.2...3.6)
        try brush.rectangle(x, 0, x + width, eaves, wall, to: wall.shaded(0.82), corner: 0)
        let roof = random.pick([CanvasColour(red: 118, green: 66, blue: 52), CanvasColour(red: 82, green: 78, blue: 80)])
        try brush.fill(
            [(x - 0.4, eaves), (x + width + 0.4, eaves), (x + width - 1.4, ridge), (x + 1.4, ridge)], roof.shaded(1.1),
            to: roof.shaded(0.8),
            smoothing: 0)
        try brush.rectangle(x - 0.3, eaves - 0.18, x + width + 0.3, eaves, wall.shaded(0.5).withAlpha(0.6), softness: 0.05)
        let columns = Int(width / 2.6)
        let step = width / Double(columns)
        let door = Int(random.next() % UInt64(columns))
        for column in 0..<columns {
            let middle = x + (Double(column) + 0.5) * step
            for base in [1.0, 3.6] {
                if column == door, base < 2 {
                    try brush.rectangle(
                        middle - 0.5, 0.1, middle + 0.5, 2.2, CanvasColour(red: 96, green: 74, blue: 58), to: .grey(52))
                    continue
                }
                try brush.rectangle(middle - 0.58, base - 0.06, middle + 0.58, base + 1.36, wall.shaded(1.12), corner: 0)
                let glass = CanvasColour(red: 98, green: 108, blue: 118).shaded(random.uniform(0.6...1.1))
                try brush.rectangle(middle - 0.5, base, middle + 0.5, base + 1.3, glass, to: glass.shaded(0.6), corner: 0)
                try brush.rectangle(middle - 0.03, base, middle + 0.03, base + 1.3, wall.shaded(1.1), corner: 0)
            }
        }
    }
}
