import Foundation
import Imaging

/// Signs that a test draws for itself.
struct SignCanvas {
    /// A round sign on `ground`: ring, face and number as given; `side` pixels, of which the sign fills nine tenths.
    static func round(
        _ text: String, side: Int = 60, ring: CanvasColour = CanvasColour(red: 190, green: 25, blue: 35),
        face: CanvasColour = .grey(240),
        ink: CanvasColour = .grey(20), ringWidth: Double = 0.11, capHeight: Double = 0.42
    ) throws -> Frame {
        let scale = 4.0 * Double(side)
        let layer = try CanvasLayer(width: Int(scale), height: Int(scale))
        try layer.fill(disc(scale, 0.45), top: ring)
        try layer.fill(disc(scale, 0.45 - 0.9 * ringWidth), top: face)
        try layer.write(
            text, centre: CanvasPoint(x: scale / 2, y: scale / 2), capHeight: capHeight * 0.9 * scale, stroke: 0.065 * scale,
            colour: ink)
        return try picture(layer, side: side)
    }

    /// A white plate with rows of text, each with its middle and height as fractions of the plate's height.
    static func plate(_ rows: [(text: String, centre: Double, capHeight: Double)], side: Int = 64, face: CanvasColour = .grey(240))
        throws -> Frame
    {
        let scale = 4.0 * Double(side)
        let layer = try CanvasLayer(width: Int(scale), height: Int(scale))
        try layer.fill(rectangle(scale, 0.14, 0.05), top: .grey(20))
        try layer.fill(rectangle(scale, 0.16, 0.07), top: face)
        for row in rows {
            try layer.write(
                row.text, centre: CanvasPoint(x: scale / 2, y: scale * (0.05 + 0.9 * row.centre)),
                capHeight: row.capHeight * 0.9 * scale,
                stroke: row.capHeight * 0.16 * scale, colour: .grey(20))
        }
        return try picture(layer, side: side)
    }

    /// Strokes across a round sign's face, as end signs have them.
    static func ended(_ text: String, side: Int = 60) throws -> Frame {
        let scale = 4.0 * Double(side)
        let layer = try CanvasLayer(width: Int(scale), height: Int(scale))
        try layer.fill(disc(scale, 0.45), top: .grey(60))
        try layer.fill(disc(scale, 0.43), top: .grey(240))
        try layer.write(
            text, centre: CanvasPoint(x: scale / 2, y: scale / 2), capHeight: 0.36 * scale, stroke: 0.05 * scale, colour: .grey(110)
        )
        for offset in stride(from: -0.08, through: 0.08, by: 0.04) {
            let (a, b) = ((0.22 + offset, 0.78 + offset), (0.78 + offset, 0.22 + offset))
            let points = [(a.0, a.1), (a.0 + 0.018, a.1 + 0.018), (b.0 + 0.018, b.1 + 0.018), (b.0, b.1)]
            try layer.fill(points.map { CanvasPoint(x: $0.0 * scale, y: $0.1 * scale) }, top: .grey(30))
        }
        return try picture(layer, side: side)
    }

    private static func picture(_ layer: CanvasLayer, side: Int) throws -> Frame {
        var frame = try Frame.black(width: side, height: side)
        let edge = Double(side)
        let corners = [(0.0, 0.0), (edge, 0), (edge, edge), (0, edge)].map { CanvasPoint(x: $0.0, y: $0.1) }
        try frame.fill(corners, CanvasColour(red: 110, green: 130, blue: 120))
        try frame.draw(layer, corners: corners)
        try frame.blur(sigma: 0.6)
        return frame
    }

    private static func disc(_ scale: Double, _ radius: Double) -> [CanvasPoint] {
        (0..<72).map {
            CanvasPoint(
                x: scale * (0.5 + radius * cos(Double($0) * .pi / 36)), y: scale * (0.5 + radius * sin(Double($0) * .pi / 36)))
        }
    }

    private static func rectangle(_ scale: Double, _ x: Double, _ y: Double) -> [CanvasPoint] {
        [(x, y), (1 - x, y), (1 - x, 1 - y), (x, 1 - y)].map { CanvasPoint(x: $0.0 * scale, y: $0.1 * scale) }
    }
}
